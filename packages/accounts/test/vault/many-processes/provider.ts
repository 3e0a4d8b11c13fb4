// A token endpoint that counts, rotates, and ends a grant whose refresh token comes twice.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import type { OAuthProvider } from "@holdpoint/accounts"

export const toTokenProvider = (tokenUrl: string): OAuthProvider => ({
  id: "counting",
  name: "Counting",
  kind: "oauth",
  api: ["https://api.counting.example"],
  discovery: "none",
  endpoints: { authorization: "https://counting.example/authorize", token: tokenUrl },
  client: { id: "holdpoint", authentication: { method: "none" } },
  pkce: "S256",
  redirect: "context",
  identity: { from: "nothing" },
  revocation: { by: "nothing" },
})

export interface TokenEndpoint {
  readonly url: string
  /** How often each refresh token was presented. */
  readonly presented: Map<string, number>
  close(): Promise<void>
}

export async function startTokenEndpoint(): Promise<TokenEndpoint> {
  const presented = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const token = new URLSearchParams(await text(request)).get("refresh_token") ?? "none"
    const times = (presented.get(token) ?? 0) + 1
    presented.set(token, times)
    const body =
      times > 1
        ? { error: "invalid_grant" }
        : { access_token: `${token}-access`, refresh_token: `${token}-next`, token_type: "Bearer", expires_in: 3_600 }
    response.writeHead(times > 1 ? 400 : 200, { "content-type": "application/json" }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    presented,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
