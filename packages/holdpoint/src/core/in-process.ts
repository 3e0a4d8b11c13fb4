// Constants that an MCP server and an MCP client share when they run in one process. Never trust them from another
// process.

/** The `_meta` key under which a server tells the id of a question to a client that waits for it at the same hub. */
export const elicitationIdKey = "holdpoint/elicitationId"
