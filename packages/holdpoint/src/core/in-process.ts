// What an MCP server and an MCP client of the same process agree on. Nothing here may be trusted from another process.

/** The `_meta` key under which a server tells the id of a question to a client that waits for it at the same hub. */
export const elicitationIdKey = "holdpoint/elicitationId"
