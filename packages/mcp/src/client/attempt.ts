// One attempt to call a tool, and what all calls of one peer share.

import type { Ask } from "@holdpoint/calls"
import type { Tool } from "@modelcontextprotocol/client"
import type { OpenConnection } from "./connection.ts"
import type { PushedCalls } from "./pushed.ts"
import type { Settings, ToolCall } from "./settings.ts"
import type { ToolResponse } from "./tool-response.ts"
import type { Visits } from "./visits.ts"

/** One attempt to call the tool. */
export interface Attempt {
  readonly peer: PeerParts
  readonly ask: Ask
  readonly call: ToolCall
  /** Why questions were declined without asking the person, for the model. */
  readonly notes: string[]
}

/** The objects that all calls of one peer share. */
export interface PeerParts {
  readonly settings: Settings
  /** Runs `work` on an open connection. A connection error is returned as the result of the request. */
  withConnection(ask: Ask, work: (connection: OpenConnection) => Promise<ToolResponse>): Promise<ToolResponse>
  /** The tool as the server last listed it. */
  toolOf(name: string): Tool | undefined
  readonly pushedCalls: PushedCalls
  readonly visits: Visits
  /** Whether the server runs in this process. It then has its own journal and uses the same hub. */
  readonly isInProcess: boolean
}
