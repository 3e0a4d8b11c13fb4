// The shop on Hono.

import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { pages, refund } from "./refunds.ts"

const app = new Hono()
app.post("/refunds/:order", async (context) => context.text(await refund(context.req.param("order"))))
// Last, behind your own routes: the pages answer for every path that is left.
app.all("*", (context) => pages(context.req.raw))
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT ?? 3000) })
