// An MCP server whose tool needs the caller's account. Tokens of the built-in authorization server identify the caller,
// pages ask for consent, and a vault keeps the account. Started by itself, it waits for your client.

import { oidc } from "@holdpoint/accounts/providers"
import { createMemoryStorage, paths } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createMcp, holdable } from "@holdpoint/mcp"
import { McpServer } from "@modelcontextprotocol/server"
import { startServer } from "holdpoint/serve"
import { startNotes } from "../5-connect-an-account/notes.ts"

export const notes = await startNotes()

// #region tool
function createNoteServer(): McpServer {
  const server = new McpServer({ name: "notes", version: "1.0.0" })
  const readNotes = holdable(async (ask) => {
    const account = await ask.connection("notes", { scopes: ["notes.read"] })
    const response = await account.fetch(`${notes.issuer}/notes`)
    const { notes: list } = (await response.json()) as { readonly notes: readonly string[] }
    return { content: [{ type: "text" as const, text: list.join(", ") }] }
  })
  server.registerTool("read_notes", { description: "Reads the user's notes." }, readNotes)
  return server
}
// #endregion

// #region serve
const [name, resource] = ["Note server", paths.mcp]
const scopes = { baseScopes: ["openid", "email", "offline_access"], scopeWords: { "notes.read": "Read your notes" } }
export const server = await startServer({
  ...{ storage: createMemoryStorage(), keys: withNewKey(), host: "127.0.0.1", port: 0 },
  people: { from: "embedded" },
  providers: [oidc({ id: "notes", name: "Example Notes", issuer: notes.issuer, ...notes.client, ...scopes })],
  authorization: { resources: [{ resource, name, scopes: { "notes.use": "work with your notes" } }], registration: {} },
  mounts: (site) => [createMcp({ ...site, name, callers: site.callersAt(resource), server: createNoteServer })],
})
// #endregion
await notes.allowRedirect(server.addresses.to(paths.consentReturnOf, "notes"))
export const address = server.addresses.to(resource)

if (import.meta.main) {
  console.log(`Give your MCP client this address: ${address}`)
  console.log("It will send you to a page. Sign in there as alice, with the password holdpoint. Ctrl+C ends it.")
}
