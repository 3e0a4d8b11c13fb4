// The stand-in's HTTP: /api/METHOD, /response/ID, the WebSocket of socket mode at /socket, and a page at / to try it by hand.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Fields } from "./limits/check.ts"
import { type Pages, tooMuch } from "./page.ts"
import { answerResponse } from "./responses.ts"
import type { Sockets } from "./sockets.ts"
import type { WebApi } from "./web-api.ts"
import type { World } from "./world.ts"

interface Parts {
  readonly world: World
  readonly api: WebApi
  readonly sockets: Sockets
  readonly pages: Pages
}

const mostBytes = 5_000_000

export function createStandInServer(parts: Parts): Server {
  const server = createServer((request, response) => {
    serve(parts, request, response).catch((error: unknown) => {
      response.writeHead(500, { "content-type": "text/plain" })
      response.end(`The stand-in failed: ${error instanceof Error ? error.stack : String(error)}\n`)
    })
  })
  server.on("upgrade", (request, socket) => {
    if (request.url?.startsWith("/socket?")) parts.sockets.accept(request, socket)
    else socket.destroy()
  })
  return server
}

async function serve(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://stand-in")
  const body = await bodyOf(request)
  if (body === undefined) return void response.writeHead(413).end(tooMuch)
  const [, area, name = ""] = url.pathname.split("/")
  if (area === "api")
    return answerApi(parts, request, response, name, {
      ...Object.fromEntries(url.searchParams),
      ...argsOf(request, body),
    })
  if (area === "response" && request.method === "POST") {
    const answered = answerResponse(parts.world, name, argsOf(request, body))
    return void response.writeHead(answered.status, { "content-type": "text/plain" }).end(answered.body)
  }
  return parts.pages.serve(url, request, response, new URLSearchParams(body))
}

function answerApi(
  { api }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
  method: string,
  args: Fields,
): void {
  const header = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1]
  const answer = api.answer(method, header ?? (args.token as string | undefined), args)
  if (answer.isLost) return void request.socket.destroy()
  response.writeHead(answer.status, { "content-type": "application/json; charset=utf-8", ...answer.headers })
  response.end(JSON.stringify(answer.body))
}

function argsOf(request: IncomingMessage, body: string): Fields {
  if (body === "") return {}
  if (request.headers["content-type"]?.startsWith("application/json")) return JSON.parse(body) as Fields
  return Object.fromEntries(new URLSearchParams(body))
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > mostBytes) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
