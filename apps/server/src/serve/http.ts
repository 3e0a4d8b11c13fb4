// The HTTP server behind a port. Requests that arrive before the handler is ready wait for it.

import { createServer, type Server } from "node:http"
import { getRequestListener } from "@hono/node-server"
import type { Answer } from "./listen.ts"

export const createHttp = (answer: () => Promise<Answer>): Server =>
  createServer(
    { maxHeaderSize: mostHeaderBytes },
    getRequestListener((request) => answer().then((found) => found(request), refuse)),
  )

/** Local mode sets one cookie for each opened question, for a week. All that a browser keeps must fit. */
const mostHeaderBytes = 64 * 1_024

/** Omits the reason, which is printed for the person who started the server. */
const refuse = (): Response =>
  new Response("This server could not be started.\n", { status: 503, headers: { connection: "close" } })
