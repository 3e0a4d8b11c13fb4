// The lines that add this server to common MCP clients.

export interface ClientLine {
  readonly client: string
  /** Where to paste or run the line. */
  readonly where: string
  readonly line: string
  /** What to do next in that client. */
  readonly next: string
}

export function clientLines(url: string): readonly ClientLine[] {
  const serverConfig = JSON.stringify({ name: "nextcloud", type: "http", url })
  return [
    {
      client: "Claude Code",
      where: "In a terminal",
      line: `claude mcp add --transport http nextcloud ${url}`,
      next: "Then /mcp in Claude Code, and sign in there.",
    },
    {
      client: "VS Code",
      where: "In a terminal",
      line: `code --add-mcp '${serverConfig}'`,
      next: "Then start the server from the list of MCP servers; it sends you to sign in.",
    },
    {
      client: "Cursor",
      where: "Into .cursor/mcp.json",
      line: JSON.stringify({ mcpServers: { nextcloud: { url } } }),
      next: "Then switch it on in the settings, and sign in.",
    },
    {
      client: "Codex",
      where: "In a terminal",
      line: `codex mcp add nextcloud --url ${url}`,
      next: "Then codex mcp login nextcloud, if it does not ask by itself.",
    },
    {
      client: "MCP Inspector",
      where: "In a terminal",
      line: `npx @modelcontextprotocol/inspector --transport http --server-url ${url}`,
      next: "Then Connect; it sends you to sign in.",
    },
  ]
}
