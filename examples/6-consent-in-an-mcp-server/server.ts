// An MCP server whose tool needs an account of whoever calls it: tokens from the built-in authorization server say who
// that is, pages ask them, and a vault keeps the account. Started by itself, it waits for a client of yours.

import { createMemoryStorage } from "@holdpoint/sdk"
import { createResourceServer } from "@holdpoint/sdk/identity"
import { createMcp, holdable } from "@holdpoint/sdk/mcp"
import { oidc } from "@holdpoint/sdk/providers"
import { createSealer, sealStorage, withNewKey } from "@holdpoint/sdk/sealing"
import { McpServer } from "@modelcontextprotocol/server"
import type { Made } from "holdpoint/serve"
import { startServer } from "holdpoint/serve"
import { type Notes, startNotes } from "../5-connect-an-account/notes.ts"

export interface NoteServer {
  /** For clients. */
  readonly url: string
  /** For people. */
  readonly publicUrl: string
  close(): Promise<void>
}

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

export async function startNoteServer(notes: Notes, redirectUri: string): Promise<NoteServer> {
  const keys = withNewKey()
  const sealer = createSealer(keys)
  const storage = await sealStorage(createMemoryStorage(), sealer)

  // #region serve
  const pages = await startServer({
    ...{ storage, sealer, host: "127.0.0.1", port: 0 },
    people: { from: "embedded" },
    providers: [toProvider(notes)],
    authorization: (publicUrl) => ({
      resources: [
        { resource: `${publicUrl}/mcp`, name: "Note server", scopes: { "notes.use": "work with your notes" } },
      ],
      clients: [{ clientId: "desk", name: "Desk", redirectUris: [redirectUri] }],
      registration: {},
    }),
    mount({ hub, vault, addresses, publicUrl, authorization, fetch }: Made) {
      if (authorization === undefined) throw new Error("There is no authorization server.")
      const callers = createResourceServer({
        resource: `${publicUrl}/mcp`,
        issuers: [authorization.tokenIssuer],
        scopes: ["notes.use"],
        requires: ["notes.use"],
        fetch,
      })
      return createMcp({
        ...{ hub, storage, vault, keys, callers, addresses },
        name: "Note server",
        server: () => createNoteServer(notes),
      })
    },
  })
  // #endregion
  const { publicUrl } = pages
  await notes.allowRedirect(`${publicUrl}/oauth/callback/notes`)
  return {
    url: `${publicUrl}/mcp`,
    publicUrl,
    async close() {
      await pages.close()
      await storage.close()
    },
  }
}

function toProvider({ issuer, client }: Notes) {
  return oidc({
    ...{ id: "notes", name: "Example Notes", issuer, clientId: client.id, clientSecret: client.secret },
    baseScopes: ["openid", "email", "offline_access"],
    scopeWords: { "notes.read": "Read your notes" },
  })
}

if (import.meta.main) {
  const { url } = await startNoteServer(await startNotes(), "http://127.0.0.1/callback")
  console.log(`Give your MCP client this address: ${url}`)
  console.log("It will send you to a page. Sign in there as alice, with the password holdpoint. Ctrl+C ends it.")
}
