// Whatever serves HTTP beside others on one address: pages, an authorization server, an MCP server, something of yours.

export interface Mount {
  /** Whether requests for this path are its own. */
  handles(path: string): boolean
  fetch(request: Request): Promise<Response>
  /** Ends what is under way. Called before the hub is closed. */
  close(): Promise<void>
}
