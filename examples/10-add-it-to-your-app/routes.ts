// Stands in for Next.js where that is not installed: resolves `@/`, and serves the route handlers of web/app.

import { registerHooks } from "node:module"
import { serve } from "@hono/node-server"
import { Hono } from "hono"

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier.startsWith("@/") ? new URL(`web/${specifier.slice(2)}.ts`, import.meta.url).href : specifier,
      context,
    ),
})
const refunds = await import("./web/app/refunds/[order]/route.ts")
const rest = await import("./web/app/[...path]/route.ts")

const app = new Hono()
app.post("/refunds/:order", ({ req }) => refunds.POST(req.raw, { params: Promise.resolve(req.param()) }))
app.get("*", ({ req }) => rest.GET(req.raw))
app.post("*", ({ req }) => rest.POST(req.raw))
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT) })
