// The least level of log messages that each client wants: from the request on 2026-07-28, otherwise as the client has set
// it for its session. Every request over HTTP has a server of its own, so the levels are kept here.

import { callerNow } from "@holdpoint/sdk/mcp"
import type { LoggingLevel, ServerContext } from "@modelcontextprotocol/server"
import { LOG_LEVEL_META_KEY } from "@modelcontextprotocol/server"
import { levels } from "./notices/notice.ts"

export interface ClientLevels {
  set(level: LoggingLevel, context: ServerContext): void
  /** Returns a function that tells the level as it is when it is called. Call this one within the request. */
  of(context: ServerContext): () => LoggingLevel | undefined
}

/** What a client of an older revision gets that has not set a level. */
const usual: LoggingLevel = "info"

/** The most sessions whose level is kept. The one that was set first is forgotten first. */
const mostSessions = 2_000

export function createClientLevels(): ClientLevels {
  const bySession = new Map<string, LoggingLevel>()
  return {
    set(level, context) {
      const session = callerNow(context)?.session
      if (session === undefined) return
      const oldest = bySession.keys().next().value
      if (bySession.size >= mostSessions && oldest !== undefined) bySession.delete(oldest)
      bySession.set(session, level)
    },
    of(context) {
      const now = callerNow(context)
      if (now?.revision === "2026-07-28") {
        const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {}
        const asked = levels.find((one) => one === envelope[LOG_LEVEL_META_KEY])
        return () => asked
      }
      const session = now?.session
      return () => (session === undefined ? usual : (bySession.get(session) ?? usual))
    },
  }
}
