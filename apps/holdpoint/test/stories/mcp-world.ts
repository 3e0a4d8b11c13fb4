// The stage with an MCP server beside the pages, on the same hub, vault and storage, and its callers.

import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { toOwner } from "@holdpoint/accounts"
import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import type { Mcp } from "@holdpoint/mcp"
import { createMcp } from "@holdpoint/mcp"
import type { ResourceServer } from "@holdpoint/server/identity"
import { createResourceServer } from "@holdpoint/server/identity"
import { hearStorage } from "@holdpoint/testkit/canaries/databases"
import { hear, noteCanary } from "@holdpoint/testkit/canaries/note"
import { notesProvider } from "@holdpoint/testkit/holdpoint/pages/world"
import { getRequestListener } from "@hono/node-server"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { type Site, startSite } from "../attacks/setup.ts"
import { createNotes, notesOf } from "./mcp-tool.ts"
import { openStage, type Stage } from "./world.ts"

export interface McpStage extends Stage {
  /** The address of the MCP server. */
  readonly mcpUrl: string
  /** The address of the notes API. */
  readonly notesUrl: string
  /** The account tokens that the tool sent to the notes API. */
  readonly presented: readonly string[]
  /** The headers of a program that already has a token of this person. */
  headersOf(subject: string): Promise<Readonly<Record<string, string>>>
  /** Revokes the token that the tool used last, at Example Notes. */
  withdraw(): Promise<void>
  /** Removes all connections and cancels all questions. */
  clear(): Promise<void>
}

export async function openMcpStage(): Promise<McpStage> {
  const keys = withNewKey()
  const storage = createMemoryStorage()
  let mcp: Mcp | undefined
  const http = createServer(getRequestListener(async (request) => mcp?.fetch(request) ?? new Response(null)))
  const mcpUrl = `${await listen(http)}/mcp`
  const presented: string[] = []
  const api = await startNotesApi(presented, () => stage)
  const stage: Stage = await openStage({
    ...{ storage, keys },
    authorization: {
      resources: [{ resource: mcpUrl, name: "Note robot", scopes: { "notes.list": "List your notes" } }],
      clients: [{ clientId: "desk", name: "Desk", redirectUris: ["http://127.0.0.1/callback"] }],
    },
    providers: (notes) => [
      notesProvider(notes, { api: [api.url], authorizationParameters: { prompt: "login consent" } }),
    ],
  })
  const { hub, vault, addresses } = stage.server
  const { guard, headersOf } = await createGuard(stage, mcpUrl)
  mcp = createMcp({
    ...{ hub, vault, storage, keys, addresses, callers: guard, name: "Note robot" },
    server: () => createNotes(api.url),
    // Shorter than a story, so that clients must retry.
    holdMs: 2_000,
    // The first official client, whose program shows a question for the error -32042.
    clients: { "v1-client": { urlWay: "error" } },
    report: (doing, error) => {
      stage.problems.push(`${doing}: ${error}`)
      hear("report", "the MCP server of the stories", `${doing}: ${error}`)
    },
  })
  return {
    ...stage,
    ...{ mcpUrl, notesUrl: api.url, presented, headersOf },
    async withdraw() {
      const { AccessToken, RefreshToken } = stage.notes.provider
      const { grantId = "" } = (await AccessToken.find(presented.at(-1) ?? "")) ?? {}
      await Promise.all([AccessToken.revokeByGrantId(grantId), RefreshToken.revokeByGrantId(grantId)])
    },
    async clear() {
      for (const { id } of await hub.list({ tenant: "local", state: "open", limit: 100 })) await hub.cancel(id)
      for (const by of [stage.person("alice"), stage.person("bob")])
        for (const { id } of await vault.list(toOwner(by))) await vault.disconnect(id, { by })
    },
    async close() {
      await mcp?.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await stage.close()
      await hearStorage(storage, "local")
      await storage.close()
      await api.close()
    },
  }
}

/** Returns notes for a token of Example Notes with the scope to read them. */
function startNotesApi(presented: string[], stage: () => Stage): Promise<Site> {
  return startSite(async (request, response) => {
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? ""
    presented.push(token)
    const accessToken = await stage().notes.provider.AccessToken.find(token)
    if (accessToken?.scopes.has("notes.read") !== true) return response.writeHead(401).end()
    return response.end(notesOf(accessToken.accountId))
  })
}

/** Trusts the built-in authorization server, and one that issues a token to any signed-in person. */
async function createGuard(
  { server }: Stage,
  resource: string,
): Promise<{ readonly guard: ResourceServer; readonly headersOf: McpStage["headersOf"] }> {
  const { publicUrl, authorization } = server
  if (authorization === undefined) throw new Error("the server has no authorization server")
  const { publicKey, privateKey } = await generateKeyPair("ES256")
  const keySet = { keys: [{ ...(await exportJWK(publicKey)), kid: "1", alg: "ES256" }] }
  const issuer = `${publicUrl}/idp`
  const guard = createResourceServer({
    resource,
    issuers: [authorization.tokenIssuer, { issuer, tenant: "local", verify: { by: "keys", keys: () => keySet } }],
    requires: ["notes.list"],
    fetch: () => Promise.reject(new Error("no request is needed")),
  })
  return {
    guard,
    async headersOf(subject) {
      const token = await new SignJWT({ client_id: "desk", scope: "notes.list" })
        .setProtectedHeader({ alg: "ES256", kid: "1", typ: "at+jwt" })
        .setIssuer(issuer)
        .setSubject(subject)
        .setAudience(resource)
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(privateKey)
      noteCanary("access_token", token)
      return { authorization: `Bearer ${token}` }
    },
  }
}

async function listen(http: HttpServer): Promise<string> {
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}
