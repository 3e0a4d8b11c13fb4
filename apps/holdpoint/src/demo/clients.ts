// The lines that add this server to common MCP clients.

export interface ClientLine {
  readonly client: string
  /** Where to paste or run the line. */
  readonly place: string
  readonly line: string
  /** What to do next in that client. */
  readonly nextStep: string
}

export function clientLines(url: string): readonly ClientLine[] {
  const serverConfig = JSON.stringify({ name: "nextcloud", type: "http", url })
  return [
    {
      client: "Claude Code",
      place: "In a terminal",
      line: `claude mcp add --transport http nextcloud ${url}`,
      nextStep: "Then run /mcp in Claude Code, and sign in there.",
    },
    {
      client: "VS Code",
      place: "In a terminal",
      line: `code --add-mcp '${serverConfig}'`,
      nextStep: "Then start the server from the list of MCP servers; it sends you to sign in.",
    },
    {
      client: "Cursor",
      place: "In .cursor/mcp.json",
      line: JSON.stringify({ mcpServers: { nextcloud: { url } } }),
      nextStep: "Then switch it on in the settings, and sign in.",
    },
    {
      client: "Codex",
      place: "In a terminal",
      line: `codex mcp add nextcloud --url ${url}`,
      nextStep: "Then run codex mcp login nextcloud, unless Codex asks you to sign in.",
    },
    {
      client: "MCP Inspector",
      place: "In a terminal",
      line: `npx @modelcontextprotocol/inspector --transport http --server-url ${url}`,
      nextStep: "Then press Connect; it sends you to sign in.",
    },
  ]
}
