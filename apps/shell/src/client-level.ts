// The minimum level of log messages for each client: from the request on 2026-07-28, otherwise from the session's last
// logging/setLevel. The levels are stored here, because every HTTP request gets its own `Server` object.

import { callerNow } from "@holdpoint/mcp"
import type { LoggingLevel, ServerContext } from "@modelcontextprotocol/server"
import { LOG_LEVEL_META_KEY } from "@modelcontextprotocol/server"
import { levels } from "./notices/notice.ts"

export interface ClientLevels {
  set(level: LoggingLevel, context: ServerContext): void
  /** Returns a function that reads the client's current level. `readerFor` itself must be called within the request. */
  readerFor(context: ServerContext): () => LoggingLevel | undefined
}

/** The level of a client of an older revision that has not set one. */
const defaultLevel: LoggingLevel = "info"

/** The maximum number of sessions whose level is stored. The level that was set first is dropped first. */
const maxSessions = 2_000

export function createClientLevels(): ClientLevels {
  const bySession = new Map<string, LoggingLevel>()
  return {
    set(level, context) {
      const session = callerNow(context)?.session
      if (session === undefined) return
      const oldestSession = bySession.keys().next().value
      if (bySession.size >= maxSessions && oldestSession !== undefined) bySession.delete(oldestSession)
      bySession.set(session, level)
    },
    readerFor(context) {
      const caller = callerNow(context)
      if (caller?.revision === "2026-07-28") {
        const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {}
        const requestedLevel = levels.find((level) => level === envelope[LOG_LEVEL_META_KEY])
        return () => requestedLevel
      }
      const session = caller?.session
      return () => (session === undefined ? defaultLevel : (bySession.get(session) ?? defaultLevel))
    },
  }
}
