// A protected MCP server, the built-in authorization server, and a program that calls the one with tokens of the other;
// people use browsers without a screen.

import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { AuthorizationSettings } from "@holdpoint/server"
import type { Caller, ResourceServer } from "@holdpoint/server/identity"
import { createResourceServer } from "@holdpoint/server/identity"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { openWorld, type World, type WorldOptions } from "@holdpoint/testkit/holdpoint/pages/world"
import { getRequestListener } from "@hono/node-server"
import type { OAuthClientProvider } from "@modelcontextprotocol/client"
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"

export interface Scene extends World {
  /** The address of the MCP server. */
  readonly mcp: URL
  /** The caller of each request. */
  readonly callers: Caller[]
  readonly documents: Map<string, Readonly<Record<string, unknown>>>
}

export const clientId = "https://writer.example/client.json"
export const redirectUri = "https://writer.example/callback"

const scopes = { "notes.read": "Read your notes", "notes.write": "Change your notes" }

export async function openScene(
  settings: Partial<AuthorizationSettings> = {},
  options: Partial<WorldOptions> = {},
): Promise<Scene> {
  const callers: Caller[] = []
  let guard: ResourceServer | undefined
  const handler = createMcpHandler(createNotes)
  const answer = async (request: Request): Promise<Response> => {
    const page = guard?.metadata(request)
    if (page !== undefined || guard === undefined) return page ?? new Response(null, { status: 503 })
    const caller = await guard.authenticate(request)
    if (caller instanceof Response) return caller
    callers.push(caller)
    return handler.fetch(request)
  }
  const http = createServer(getRequestListener(answer))
  const mcp = new URL("/mcp", await listen(http))
  const documents = new Map<string, Readonly<Record<string, unknown>>>([
    [clientId, { client_id: clientId, client_name: "Writer", redirect_uris: [redirectUri] }],
  ])
  const world = await openWorld({
    ...options,
    authorization: {
      resources: [{ resource: mcp.href, name: "Example Notes", scopes, defaultScopes: ["notes.read"] }],
      fetch: async (url) => {
        const document = documents.get(String(url))
        return document === undefined ? new Response("", { status: 404 }) : Response.json(document)
      },
      ...settings,
    },
  })
  const { authorization } = world.server
  if (authorization === undefined) throw new Error("there is no authorization server")
  guard = createResourceServer({
    ...{ resource: mcp.href, issuers: [authorization.tokenIssuer], requires: ["notes.read"] },
    fetch: () => Promise.reject(new Error("no request is needed")),
  })
  return {
    ...world,
    ...{ mcp, callers, documents },
    async close() {
      await handler.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await world.close()
    },
  }
}

function createNotes(): McpServer {
  const server = new McpServer({ name: "notes", version: "1.0.0" })
  server.registerTool("count", { description: "How many notes there are" }, async () => ({
    content: [{ type: "text", text: "three" }],
  }))
  return server
}

async function listen(http: HttpServer): Promise<string> {
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

type StoredValue<K extends "tokens" | "clientInformation"> = Awaited<ReturnType<OAuthClientProvider[K]>>
type Discovered = Parameters<NonNullable<OAuthClientProvider["saveDiscoveryState"]>>[0]

export interface Program extends OAuthClientProvider {
  /** The addresses to which the program sent its person. */
  readonly sent: URL[]
  readonly stored: {
    tokens?: StoredValue<"tokens">
    verifier?: string
    client?: StoredValue<"clientInformation">
    discovered?: Discovered
  }
}

/** A program as its author would write it: stores what it receives, and redirects its person. */
export function createProgram(metadataUrl: string | undefined, redirectUrl: string): Program {
  const sent: URL[] = []
  const stored: Program["stored"] = {}
  return {
    ...{ sent, stored, redirectUrl },
    ...(metadataUrl === undefined ? {} : { clientMetadataUrl: metadataUrl }),
    clientMetadata: { client_name: "Writer", redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
    state: () => "state-of-the-program",
    clientInformation: () => stored.client,
    saveClientInformation(client) {
      stored.client = client
    },
    tokens: () => stored.tokens,
    saveTokens(tokens) {
      noteCanary("access_token", tokens.access_token)
      noteCanary("refresh_token", tokens.refresh_token)
      stored.tokens = tokens
    },
    redirectToAuthorization(url) {
      sent.push(url)
    },
    saveCodeVerifier(verifier) {
      noteCanary("verifier", verifier)
      stored.verifier = verifier
    },
    codeVerifier: () => stored.verifier ?? "",
    discoveryState: () => stored.discovered,
    saveDiscoveryState(discovered) {
      stored.discovered = discovered
    },
  }
}

/** The authorization request of a program. */
export function authorizeUrl({ server, mcp }: Scene, more: Readonly<Record<string, string>> = {}): string {
  const parameters = new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: redirectUri, response_type: "code", scope: "notes.read", state: "s-1" },
    ...{ resource: mcp.href, code_challenge: "c".repeat(43), code_challenge_method: "S256", ...more },
  })
  return `${server.publicUrl}/oauth/authorize?${parameters}`
}

/** Whether this is an address of the program, to which the person returns at the end. */
export const isBack = (url: URL): boolean => url.href.startsWith("https://writer.example/") || url.port === "43117"
