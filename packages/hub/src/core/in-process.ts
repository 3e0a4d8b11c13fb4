// Constants that an MCP server and an MCP client share when they run in one process. Never trust them from another
// process.

/** The `_meta` key under which a server tells the id of a question to a client that waits for it at the same hub. */
export const elicitationIdKey = "holdpoint/elicitationId"

/** The `_meta` key under which the server tells until when its call waits for a link, if not until the person is done. */
export const elicitationUntilKey = "holdpoint/elicitationUntil"
