// The HTTP server behind a port: every request is answered, also while what answers is still being put together.

import { createServer, type Server } from "node:http"
import { getRequestListener } from "@hono/node-server"
import type { Answer } from "./listen.ts"

export const createHttp = (answer: () => Promise<Answer>): Server =>
  createServer(
    { maxHeaderSize: mostHeaderBytes },
    getRequestListener((request) => answer().then((found) => found(request), refuse)),
  )

/** In local mode each question that was opened has a cookie for a week: as many as browsers keep must fit. */
const mostHeaderBytes = 64 * 1_024

/** The reason is for the person who started it. */
const refuse = (): Response =>
  new Response("This server could not be started.\n", { status: 503, headers: { connection: "close" } })
