// What the handlers of the MCP server work with: its settings, and the tools, which are loaded with the first call.

import type { Accounts } from "./accounts/accounts.ts"
import type { Policies } from "./policy.ts"
import type { Tool } from "./tool.ts"
import type { Choice } from "./tool-selection.ts"

export interface ServerParts {
  /** The server's name for clients. */
  readonly name: string
  readonly version: string
  /** The address of the Nextcloud. */
  readonly url: string
  readonly accounts: Accounts
  readonly policies: Policies
  readonly choice: Choice
  /** Awaited before each call: prepares what a question to the person needs, such as the pages. */
  readonly beforeCall?: () => Promise<void>
  /** How long tools/list waits for Nextcloud's capabilities. */
  readonly listWithinMs?: number
  /** How often watched resources are polled, on persistent connections. */
  readonly watchEveryMs?: number
  readonly report?: (activity: string, error: unknown) => void
}

export interface ServerWithTools extends ServerParts {
  /** Loads the tools lazily: a client that only connects does not wait for them. */
  readonly tools: () => Promise<Tools>
}

export interface Tools {
  readonly all: ReadonlyMap<string, Tool>
  /** The tools of the enabled toolsets. */
  readonly chosen: readonly Tool[]
}
