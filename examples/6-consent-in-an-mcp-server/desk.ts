// Desk: a program with the official MCP client. It registers itself and gets a token through its user's browser, which is
// redirected to the port that it listens on.

import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { OAuthClientProvider } from "@modelcontextprotocol/client"
import { StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client"
import { type ConnectedClient, connect, type Person, type Revision } from "../2-ask-from-an-mcp-tool/clients.ts"

/** `signIn` opens a page in the person's browser. */
export async function openDesk(url: string, signIn: (page: URL) => Promise<void>, person: Person) {
  const answer = Promise.withResolvers<URLSearchParams>()
  const http = createServer((request, response) => {
    answer.resolve(new URL(request.url ?? "/", redirectUrl).searchParams)
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Desk has what it needs</h1>")
  }).listen(0, "127.0.0.1")
  await once(http, "listening")
  const redirectUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}/callback`
  const authProvider = createProvider(redirectUrl, signIn)
  const open = (revision: Revision): Promise<ConnectedClient> =>
    connect({ url, authProvider }, revision, person).catch(async (error: unknown) => {
      if (!(error instanceof UnauthorizedError)) throw error
      await new StreamableHTTPClientTransport(new URL(url), { authProvider }).finishAuth(await answer.promise)
      return open(revision)
    })
  return { open, close: () => http.close() }
}

function createProvider(redirectUrl: string, signIn: (page: URL) => Promise<void>): OAuthClientProvider {
  const stored = new Map<string, unknown>()
  const get = <T>(name: string): T => stored.get(name) as T
  return {
    redirectUrl,
    clientMetadata: { client_name: "Desk", redirect_uris: [redirectUrl] },
    redirectToAuthorization: signIn,
    clientInformation: () => get("client"),
    saveClientInformation: (client) => void stored.set("client", client),
    tokens: () => get("tokens"),
    saveTokens: (tokens) => void stored.set("tokens", tokens),
    discoveryState: () => get("found"),
    saveDiscoveryState: (discovery) => void stored.set("found", discovery),
    codeVerifier: () => get("verifier"),
    saveCodeVerifier: (verifier) => void stored.set("verifier", verifier),
  }
}
