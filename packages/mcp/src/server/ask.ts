// The `ask` object of an MCP handler: the methods of every call, plus those that only MCP has.

import type { Ask as CallAsk } from "@holdpoint/calls"
import type {
  ConnectionOptions as CallConnectionOptions,
  QuestionOptions as CallQuestionOptions,
} from "@holdpoint/calls/internal"
import { askVerbs, defineAsk, scopeWithin } from "@holdpoint/calls/internal"
import type { ServerContext } from "@modelcontextprotocol/server"
import type { UrlWay } from "./client.ts"
import type { ProgressAmount } from "./progress.ts"
import { sendProgress } from "./progress.ts"
import type { McpRun } from "./request.ts"

/** The options of every question of an MCP handler. */
export interface QuestionOptions extends CallQuestionOptions {
  /** How a client of 2025-11-25 is sent to the page of this question. */
  readonly urlWay?: UrlWay
}

/** The options of `ask.connection`. */
export type ConnectionOptions = CallConnectionOptions & QuestionOptions

/** The `ask` object that `holdable` gives a handler. */
export interface Ask extends CallAsk<QuestionOptions> {
  scope(name: string): Ask
  /**
   * Sends a progress message to the client, if it requested progress. The amount is a fraction of 1, or what is done in
   * a unit of your own. The amount should rise; an amount that does not rise is sent as a small increment.
   */
  progress(message: string, amount?: number | ProgressAmount): Promise<void>
  /** The SDK's own context of this request. */
  readonly context: ServerContext
}

export const toAsk: (run: McpRun, scope?: string) => Ask = defineAsk<Ask>({
  ...askVerbs,
  scope:
    ({ run, scope }) =>
    (name) =>
      toAsk(run as McpRun, scopeWithin(scope, name)),
  progress:
    ({ run }) =>
    (message, amount) =>
      sendProgress((run as McpRun).request, message, amount),
  context: ({ run }) => (run as McpRun).request.context,
})
