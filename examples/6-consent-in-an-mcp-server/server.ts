// An MCP server whose tool needs an account of whoever calls it: tokens from the built-in authorization server say who
// that is, pages ask them, and a vault keeps the account. Started by itself, it waits for a client of yours.

import { createMemoryStorage, paths } from "@holdpoint/sdk"
import { createMcp, holdable } from "@holdpoint/sdk/mcp"
import { oidc } from "@holdpoint/sdk/providers"
import { withNewKey } from "@holdpoint/sdk/sealing"
import { McpServer } from "@modelcontextprotocol/server"
import { type Server, startServer } from "holdpoint/serve"
import { type Notes, startNotes } from "../5-connect-an-account/notes.ts"

// #region tool
function createNoteServer(notes: Notes): McpServer {
  const server = new McpServer({ name: "notes", version: "1.0.0" })
  server.registerTool(
    "read_notes",
    { description: "Reads the user's notes." },
    holdable(async (ask) => {
      const account = await ask.connection("notes", { scopes: ["notes.read"] })
      const response = await account.fetch(`${notes.issuer}/notes`)
      const { notes: found } = (await response.json()) as { readonly notes: readonly string[] }
      return { content: [{ type: "text", text: found.join(", ") }] }
    }),
  )
  return server
}
// #endregion

const [name, resource] = ["Note server", paths.mcp]

export async function startNoteServer(notes: Notes, redirectUri: string): Promise<Server> {
  const { issuer, client } = notes
  const at = {
    issuer,
    clientId: client.id,
    clientSecret: client.secret,
    scopeWords: { "notes.read": "Read your notes" },
  }
  // #region serve
  const server = await startServer({
    ...{ storage: createMemoryStorage(), keys: withNewKey(), host: "127.0.0.1", port: 0 },
    people: { from: "embedded" },
    providers: [oidc({ id: "notes", name: "Example Notes", baseScopes: ["openid", "email", "offline_access"], ...at })],
    authorization: {
      resources: [{ resource, name, scopes: { "notes.use": "work with your notes" } }],
      clients: [{ clientId: "desk", name: "Desk", redirectUris: [redirectUri] }],
      registration: {},
    },
    mounts: (site) => [
      createMcp({ ...site, name, callers: site.callersAt(resource), server: () => createNoteServer(notes) }),
    ],
  })
  // #endregion
  await notes.allowRedirect(server.addresses.to(paths.consentReturnOf, "notes"))
  return server
}

if (import.meta.main) {
  const { addresses } = await startNoteServer(await startNotes(), "http://127.0.0.1/callback")
  console.log(`Give your MCP client this address: ${addresses.to(paths.mcp)}`)
  console.log("It will send you to a page. Sign in there as alice, with the password holdpoint. Ctrl+C ends it.")
}
