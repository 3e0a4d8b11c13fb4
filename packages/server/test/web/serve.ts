// The pages behind a plain HTTP server, with the headers that they are made for. What is posted is kept.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { paths } from "@holdpoint/hub"
import { pathTo } from "@holdpoint/server/http"
import { assets } from "../../src/web/index.ts"

export interface Served {
  readonly origin: string
  readonly posts: readonly Post[]
  close(): Promise<void>
}

export interface Post {
  readonly path: string
  readonly body: URLSearchParams
}

/** By path, without its slash. What is undefined is not found; a function answers the request itself. */
export type Route = (path: string) => string | Promise<string> | Respond | undefined
export type Respond = (response: ServerResponse) => void

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ")

export async function serve(route: Route): Promise<Served> {
  const posts: Post[] = []
  const server = createServer((request, response) => {
    respond(route, posts, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function respond(route: Route, posts: Post[], request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? "", "http://host")
  const asset = assets.get(pathname.slice(pathTo(paths.asset, "").length))
  response.setHeader("content-security-policy", policy)
  if (asset !== undefined) return response.setHeader("content-type", asset.type).end(asset.body)
  if (request.method === "POST") {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    posts.push({ path: pathname, body: new URLSearchParams(Buffer.concat(chunks).toString()) })
    return response.setHeader("content-type", "text/html").end("<!doctype html><title>Posted</title>")
  }
  const page = await route(pathname.slice(1))
  if (typeof page === "function") return page(response)
  response.statusCode = page === undefined ? 404 : 200
  return response.setHeader("content-type", "text/html; charset=utf-8").end(page === undefined ? "" : String(page))
}
