// Desk: a program with the official MCP client, on the machine of whoever uses it. It gets itself a token when it is told
// that it needs one, and shows links that the server gives it.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client"

/** Whoever sits in front of it. */
export interface User {
  /** Opens a page in a browser: the last thing that happens there may be that it leads back to the program. */
  signIn(page: URL): Promise<void>
  /** True: “yes, open it”. That says nothing about what happens there. */
  agrees(link: string, message: string): boolean
}

export interface Desk {
  call(revision: "2026-07-28" | "2025-11-25"): Promise<string>
  close(): void
}

/** Where the browser brings the answer of the authorization server. */
export async function openDesk(): Promise<{ readonly redirectUri: string; connect(url: string, user: User): Desk }> {
  let arrived: (answer: URLSearchParams) => void = () => {}
  const http = createServer((request, response) => {
    arrived(new URL(request.url ?? "/", "http://127.0.0.1").searchParams)
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Desk has what it needs</h1>")
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  const redirectUri = `http://127.0.0.1:${(http.address() as AddressInfo).port}/callback`

  const connect = (url: string, user: User): Desk => {
    const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>()
    arrived = resolve
    const authProvider = createProvider(redirectUri, user)
    const open = async (mode: "legacy" | { pin: "2026-07-28" }): Promise<Client> => {
      const client = new Client(
        { name: "Desk", version: "1.0.0" },
        { capabilities: { elicitation: { form: {}, url: {} } }, versionNegotiation: { mode } },
      )
      client.setRequestHandler("elicitation/create", async ({ params }) => {
        const isLink = params.mode === "url" && user.agrees(params.url, params.message)
        return { action: isLink ? "accept" : "decline" }
      })
      const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider })
      try {
        await client.connect(transport)
        return client
      } catch (error) {
        if (!(error instanceof UnauthorizedError)) throw error
        await transport.finishAuth(await answer)
        return open(mode)
      }
    }
    return {
      async call(revision) {
        const client = await open(revision === "2025-11-25" ? "legacy" : { pin: revision })
        const { content } = await client.callTool({ name: "read_notes" })
        await client.close()
        const [first] = content as readonly { readonly text: string }[]
        return first?.text ?? ""
      },
      close() {
        http.close()
        http.closeAllConnections()
      },
    }
  }
  return { redirectUri, connect }
}

function createProvider(redirectUrl: string, user: User): OAuthClientProvider {
  let kept: StoredOAuthTokens | undefined
  let found: OAuthDiscoveryState | undefined
  let verifier = ""
  return {
    redirectUrl,
    clientMetadata: { client_name: "Desk", redirect_uris: [redirectUrl] },
    clientInformation: () => ({ client_id: "desk" }),
    tokens: () => kept,
    saveTokens(tokens) {
      kept = tokens
    },
    discoveryState: () => found,
    saveDiscoveryState(state) {
      found = state
    },
    redirectToAuthorization: (page) => user.signIn(page),
    saveCodeVerifier(made) {
      verifier = made
    },
    codeVerifier: () => verifier,
  }
}
