// A server of HTTP that listens before there is anything to answer with, since its address is known only then. Requests
// that arrive in the meantime wait, and are answered by what is put together.

import { createServer, type Server, type ServerOptions } from "node:http"

export type Listener = NonNullable<Parameters<typeof createServer>[1]>

export interface WaitingServer {
  readonly http: Server
  /** Answers from now on, beginning with what has arrived already. */
  answer(listener: Listener): void
  /** Nothing will answer: all that arrived is told so. */
  giveUp(): void
}

export function createHttpServer(): WaitingServer {
  const { promise, resolve, reject } = Promise.withResolvers<Listener>()
  promise.catch(() => undefined)
  const http = createServer(options, (request, response) => {
    promise.then(
      (listener) => listener(request, response),
      () => response.writeHead(503, { connection: "close" }).end(),
    )
  })
  return { http, answer: resolve, giveUp: () => reject(new Error("The server did not start.")) }
}

/** In local mode each question that was opened has a cookie for a week: as many as browsers keep must fit. */
const options: ServerOptions = { maxHeaderSize: 64 * 1_024 }
