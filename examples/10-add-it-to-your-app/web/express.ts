// The shop on Express.

import { getRequestListener } from "@hono/node-server"
import express from "express"
import { pages, refund } from "./refunds.ts"

const app = express()
app.post("/refunds/:order", async (request, response) => {
  response.send(await refund(request.params.order))
})
// Last, behind your own routes: the pages answer for every path that is left.
app.use(getRequestListener(pages))
app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1")
