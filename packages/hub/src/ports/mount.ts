// A part that serves HTTP beside others at one address: pages, an authorization server, an MCP server, or your own.

/** Something that answers for certain paths of a shared address: the pages, an MCP server, your own. */
export interface Mount {
  /** Whether this part serves the path. */
  handles(path: string): boolean
  fetch(request: Request): Promise<Response>
  /** Ends open requests. Called before the hub is closed. */
  close(): Promise<void>
}
