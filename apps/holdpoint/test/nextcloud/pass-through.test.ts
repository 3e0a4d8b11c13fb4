// Pass-through: the caller's token is exchanged for one of Nextcloud's, nothing is stored, and no question is asked.

import { describe, expect, it } from "vitest"
import { createProgram, type Program } from "../authorization/scene.ts"
import { startExchanging } from "./exchanging.ts"
import { connectAs, run, serve, startCloud, textIn, titlesIn } from "./stage.ts"

const redirectUri = "https://writer.example/callback"
const listNotes = { name: "nc_notes_list_notes", arguments: {} }

function createDesk({ issuer }: { readonly issuer: string }): Program {
  const program = createProgram(undefined, redirectUri)
  program.stored.client = { client_id: "desk", issuer }
  return { ...program, clientMetadata: { ...program.clientMetadata, scope: "openid" } }
}

async function open(more: Readonly<Record<string, string>> = {}, options: { readonly exchanges?: boolean } = {}) {
  const cloud = await startCloud()
  const provider = await startExchanging(cloud, { redirectUri, ...options })
  const served = await serve(cloud, { ...provider.env, ...more })
  return { cloud, served, ...provider }
}

describe("pass-through", { timeout: 20_000 }, () => {
  it("exchanges the token of each caller once for all their calls", async () => {
    const { served, exchanges, cloud, oidc } = await open()
    const client = await connectAs(served.mcp, createDesk(oidc))
    expect(titlesIn(await client.callTool(listNotes))).not.toEqual([])
    await Promise.all([client.callTool(listNotes), client.callTool(listNotes)])
    expect(exchanges).toMatchObject([{ resource: cloud.url, grant_type: expect.stringContaining("token-exchange") }])
    oidc.settings.user = "bob"
    const other = await connectAs(served.mcp, createDesk(oidc))
    await other.callTool(listNotes)
    expect(exchanges).toHaveLength(2)
    expect(cloud.access("bob")).toHaveLength(1)
  })

  it("offers nothing to connect and stores nothing", async () => {
    const { served, oidc } = await open()
    const client = await connectAs(served.mcp, createDesk(oidc))
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toContain("nc_notes_list_notes")
    expect(names.filter((name) => /access|provision|logged/.test(name))).toEqual([])
  })

  it("exchanges again when Nextcloud no longer accepts the token", async () => {
    const { served, cloud, exchanges, oidc } = await open()
    const client = await connectAs(served.mcp, createDesk(oidc))
    await client.callTool(listNotes)
    for (const token of cloud.world.tokens) cloud.world.tokens.delete(token)
    expect(titlesIn(await client.callTool(listNotes))).not.toEqual([])
    expect(exchanges).toHaveLength(2)
  })

  it("uses no token that is about to expire", async () => {
    const { served, settings, exchanges, oidc } = await open()
    settings.seconds = 20
    const client = await connectAs(served.mcp, createDesk(oidc))
    await client.callTool(listNotes)
    const before = exchanges.length
    await client.callTool(listNotes)
    expect(exchanges.length).toBeGreaterThan(before)
  })

  it("requests the audience by the provider's name for Nextcloud", async () => {
    const { served, exchanges, oidc } = await open({ NEXTCLOUD_AUDIENCE: "nextcloud" })
    const client = await connectAs(served.mcp, createDesk(oidc))
    await client.callTool(listNotes)
    expect(exchanges[0]).toMatchObject({ audience: "nextcloud" })
    expect(exchanges[0]?.resource).toBeUndefined()
  })

  it.each([
    ["invalid_target", "issues no tokens for", "NEXTCLOUD_AUDIENCE"],
    ["unauthorized_client", "does not let this server exchange tokens", "OIDC_CLIENT_ID"],
    ["server_error", "returns no usable response", "Try again later"],
  ] as const)("says why there is no access, and what to do, after %s", async (refusal, why, next) => {
    const { served, settings, cloud, oidc } = await open()
    settings.refusal = refusal
    const client = await connectAs(served.mcp, createDesk(oidc))
    const result = await client.callTool(listNotes)
    expect(result.isError).toBe(true)
    expect(textIn(result)).toContain(why)
    expect(textIn(result)).toContain(next)
    expect(cloud.requests.filter((line) => line.includes("/notes"))).toEqual([])
  })

  it("explains that the provider does not exchange tokens", async () => {
    const { served, oidc } = await open({}, { exchanges: false })
    await served.prints(/does not exchange tokens .*callers get no access until that is enabled/)
    const client = await connectAs(served.mcp, createDesk(oidc))
    const asked = oidc.tokenRequests.length
    const result = await client.callTool(listNotes)
    expect(textIn(result)).toContain("does not exchange tokens (RFC 8693)")
    expect(textIn(result)).toContain("ENABLE_OFFLINE_ACCESS=true")
    expect(oidc.tokenRequests.length).toBe(asked)
  })

  it("refuses tokens that were issued for another server", async () => {
    const { served, settings, oidc } = await open()
    settings.audience = ["https://other.example/mcp"]
    await expect(connectAs(served.mcp, createDesk(oidc))).rejects.toThrow()
  })

  it("needs HTTP: on stdio callers have no token", async () => {
    const { code, err } = await run(["--host", "https://cloud.example.org"], {
      ...{ ENABLE_OFFLINE_ACCESS: "false", OIDC_CLIENT_ID: "client" },
      OIDC_DISCOVERY_URL: "https://login.example.org/.well-known/openid-configuration",
    })
    expect(code).toBe(2)
    expect(err).toContain("on stdio callers have none")
    expect(err).toContain("--http PORT")
  })
})

describe("passing tokens on", { timeout: 20_000 }, () => {
  const forwardTokens = { NEXTCLOUD_HAND_ON_TOKENS: "true" }

  it("prints a warning at the start, and works for tokens that name both servers", async () => {
    const { served, settings, exchanges, cloud, oidc } = await open(forwardTokens)
    await served.prints(/MCP forbids that/)
    settings.audience = [served.mcp.href, cloud.url]
    const program = createDesk(oidc)
    const client = await connectAs(served.mcp, program)
    cloud.world.issue("alice", "handed on", "oidc", program.stored.tokens?.access_token)
    expect(titlesIn(await client.callTool(listNotes))).not.toEqual([])
    expect(exchanges).toEqual([])
  })

  it("is refused for a token that names this server only", async () => {
    const { served, cloud, oidc } = await open(forwardTokens)
    const client = await connectAs(served.mcp, createDesk(oidc))
    const before = cloud.requests.length
    const result = await client.callTool(listNotes)
    expect(textIn(result)).toContain("is not forwarded")
    expect(textIn(result)).toContain("name both in the audience")
    expect(cloud.requests.length).toBe(before)
  })
})
