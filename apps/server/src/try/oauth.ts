// Gets a token as any native client does: the person signs in in a browser, which is redirected to a port of this
// process.

import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type {
  OAuthClientInformationMixed,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client"

/** Receives the redirect of the authorization server, and offers a short address that leads to its page. */
export interface RedirectListener {
  readonly redirectUri: string
  /** A short address for the page, readable in a terminal. */
  shorten(page: URL): string
  answer(signal: AbortSignal): Promise<URLSearchParams>
  close(): void
}

export async function openRedirectListener(): Promise<RedirectListener> {
  const { promise: redirect, resolve: setRedirect } = Promise.withResolvers<URLSearchParams>()
  let page: URL | undefined
  const http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1")
    if (pathname === "/callback") {
      setRedirect(searchParams)
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(signedInPage)
    } else if (pathname === "/" && page !== undefined) response.writeHead(303, { location: page.href }).end()
    else response.writeHead(404).end()
  })
  const origin = await listen(http)
  return {
    redirectUri: `${origin}/callback`,
    shorten(next) {
      page = next
      return `${origin}/`
    },
    answer: (signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(signal.reason)
        if (signal.aborted) return stop()
        signal.addEventListener("abort", stop)
        redirect.then(resolve, reject)
      }),
    close() {
      http.close()
      http.closeAllConnections()
    },
  }
}

async function listen(http: Server): Promise<string> {
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

const signedInPage = `<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>Signed in</title>
<h1>Signed in</h1><p>Continue in the terminal. You can close this window.</p></html>`

/** The OAuth state of the MCP client: registration, tokens and verifier, kept in memory. */
export function createProvider(
  { redirectUri, shorten }: RedirectListener,
  signIn: (link: string) => Promise<void>,
): OAuthClientProvider {
  let information: OAuthClientInformationMixed | undefined
  let tokens: StoredOAuthTokens | undefined
  let discovery: OAuthDiscoveryState | undefined
  let verifier = ""
  return {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: "holdpoint try", redirect_uris: [redirectUri] },
    clientInformation: () => information,
    saveClientInformation(client) {
      information = client
    },
    tokens: () => tokens,
    saveTokens(newTokens) {
      tokens = newTokens
    },
    discoveryState: () => discovery,
    saveDiscoveryState(state) {
      discovery = state
    },
    redirectToAuthorization: (page) => signIn(shorten(page)),
    saveCodeVerifier(newVerifier) {
      verifier = newVerifier
    },
    codeVerifier: () => verifier,
  }
}
