// The HTTP server behind a port. Requests that arrive before the handler is ready wait for it.

import { createServer, type Server } from "node:http"
import { getRequestListener } from "@hono/node-server"
import type { Answer } from "./listen.ts"

export const createHttp = (answer: () => Promise<Answer>): Server =>
  createServer(
    { maxHeaderSize: mostHeaderBytes },
    getRequestListener((request) => answer().then((handle) => handle(request), refuse)),
  )

/** Local mode sets a cookie for each opened question, for a week. A browser sends all of them with each request. */
const mostHeaderBytes = 64 * 1_024

/** The response when the handler failed to start. The reason is printed for the person who started the server. */
const refuse = (): Response =>
  new Response("This server could not be started.\n", { status: 503, headers: { connection: "close" } })
