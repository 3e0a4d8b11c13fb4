// The MCP server of the stories: its one tool lists the caller's notes, from an account that they may have to connect
// first.

import { holdable } from "@holdpoint/mcp"
import { McpServer } from "@modelcontextprotocol/server"

/** Creates the server. `api` is the address of the notes API. */
export function createNotes(api: string): McpServer {
  const server = new McpServer({ name: "notes", version: "1.0.0" })
  server.registerTool(
    "list_notes",
    { description: "Lists the notes of the user" },
    holdable(async (ask) => {
      const notes = await ask.connection("notes", { scopes: ["notes.read"] })
      const text = await (await notes.fetch(`${api}/notes`)).text()
      return { content: [{ type: "text", text }] }
    }),
  )
  return server
}

/** The one note of an account. */
export const notesOf = (account: string): string => `Buy milk, writes ${account}.`
