// A real MCP server, built with the official SDK, on a free port: it answers 401 without a token of its authorization
// server, and says where that is. Tests change what it says.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import {
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  requireBearerAuth,
} from "@modelcontextprotocol/server"
import { z } from "zod"
import { type Oidc, type OidcOptions, startOidc } from "./oidc.ts"

export interface GuardedMcp {
  readonly url: string
  readonly oidc: Oidc
  /** The bearer tokens of all requests to the server, in order; undefined for requests without one. */
  readonly presented: (string | undefined)[]
  /** How often each path was requested. */
  readonly requests: string[]
  /** Members of the metadata that differ from the true ones. */
  metadata: Readonly<Record<string, unknown>>
  /** Replaces the challenge of the 401, when given. */
  challenge?: string
  /** Answers of the server, headers included, wait for this: a person has to act first. */
  hold?: Promise<unknown>
  close(): Promise<void>
}

export const mcpScopes = ["notes.read", "notes.write"]

export async function startGuardedMcp(options: OidcOptions = {}): Promise<GuardedMcp> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const oidc = await startOidc({ resources: { [url]: mcpScopes.join(" ") }, scopes: mcpScopes, ...options })
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(new URL(url))
  const guarded: GuardedMcp = {
    ...{ url, oidc, presented: [], requests: [], metadata: {} },
    async close() {
      await oidc.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const gate = requireBearerAuth({
    verifier: { verifyAccessToken: (token) => verify(oidc, token) },
    resourceMetadataUrl,
    expectedResource: new URL(url),
  })
  const mcp = createMcpHandler(notesServer)
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    guarded.requests.push(pathname)
    if (pathname === new URL(resourceMetadataUrl).pathname)
      return Response.json({
        ...{ resource: url, authorization_servers: [oidc.issuer], scopes_supported: mcpScopes },
        ...guarded.metadata,
      })
    if (pathname !== "/mcp") return new Response(null, { status: 404 })
    guarded.presented.push(request.headers.get("authorization")?.replace("Bearer ", ""))
    const checked = await gate(request)
    await guarded.hold
    if (!(checked instanceof Response)) return mcp.fetch(request, { authInfo: checked })
    if (guarded.challenge === undefined) return checked
    return new Response(null, { status: 401, headers: { "www-authenticate": guarded.challenge } })
  }
  server.on("request", getRequestListener(answer))
  return guarded
}

async function verify({ provider }: Oidc, token: string) {
  const accessToken = await provider.AccessToken.find(token)
  if (accessToken === undefined || accessToken.isExpired)
    throw new OAuthError(OAuthErrorCode.InvalidToken, "unknown token")
  const expiresAt = Math.floor(Date.now() / 1_000) + accessToken.remainingTTL
  const audience = Array.isArray(accessToken.aud) ? accessToken.aud[0] : accessToken.aud
  return {
    ...{ token, clientId: accessToken.clientId ?? "", scopes: [...accessToken.scopes], expiresAt },
    ...(audience === undefined ? {} : { resource: new URL(audience) }),
    extra: { subject: accessToken.accountId },
  }
}

function notesServer(): McpServer {
  const server = new McpServer({ name: "notes", version: "1" })
  server.registerTool("list_notes", { inputSchema: z.object({}) }, async (_args, { http }) => ({
    content: [{ type: "text", text: `Notes of ${String(http?.authInfo?.extra?.subject)}` }],
  }))
  return server
}
