// What tokens of a foreign MCP server are pinned to: written with them, and read back for refresh and revocation.

import { describe, expect, it } from "vitest"
import { type Pin, readPin, toFields, toOAuthProvider, withoutPin } from "../../src/vault/mcp-server/pin.ts"
import { mcpServer } from "../../src/vault/presets/index.ts"

const url = "https://mcp.example/mcp"
const issuer = "https://login.example"
const open = mcpServer({ id: "notes", url })
const configured = mcpServer({ id: "notes", url, issuer, client: { id: "ours", secret: "s3cret" } })

const pinOf = (client: Pin["client"], at = issuer): Pin => ({ issuer: at, resource: url, client, scopes: ["a", "b"] })
const registered = pinOf({ id: "c", authentication: { method: "basic", secret: "theirs" } })

describe("a pin", () => {
  it("reads back as it was written, with the secret of a dynamically registered client", () => {
    expect(readPin(toFields(registered, open), open)).toEqual(registered)
    const document = pinOf({ id: "https://hub.example/oauth/client/notes", authentication: { method: "none" } })
    expect(readPin(toFields(document, open), open)).toEqual(document)
  })

  it("does not contain a configured secret, and uses it only at its own authorization server", () => {
    const client = configured.client!
    const fields = toFields(pinOf(client), configured)
    expect(JSON.stringify(fields)).not.toContain("s3cret")
    expect(readPin(fields, configured)?.client).toBe(client)
    const elsewhere = toFields(pinOf(client, "https://evil.example"), configured)
    expect(readPin(elsewhere, configured)?.client.authentication).toEqual({ method: "none" })
  })

  it("is not read from fields without one, and is removed from the fields that authors get", () => {
    expect(readPin({ access_token: "t" }, open)).toBeUndefined()
    expect(withoutPin({ ...toFields(registered, open), access_token: "t" })).toEqual({ access_token: "t" })
  })

  it("becomes one provider of plain OAuth, which names the resource and needs PKCE", () => {
    const made = toOAuthProvider(open, registered)
    expect(made).toMatchObject({ issuer, resource: url, pkce: "S256", api: ["https://mcp.example"] })
    expect(toOAuthProvider(open, { ...registered })).toBe(made)
  })
})
