// What a handler of MCP asks with: what every call has, and what only this protocol gives.

import type { ServerContext } from "@modelcontextprotocol/server"
import type { Ask as CallAsk } from "../../asking/ask.ts"
import { askVerbs, defineAsk } from "../../asking/ask.ts"
import type { ConnectionOptions as CallConnectionOptions } from "../../asking/connection.ts"
import { scopeWithin } from "../../asking/key.ts"
import type { QuestionOptions as CallQuestionOptions } from "../../asking/question.ts"
import type { UrlWay } from "./client.ts"
import { tellProgress } from "./progress.ts"
import type { McpRun } from "./request.ts"

/** What every question of a handler may be told. */
export interface QuestionOptions extends CallQuestionOptions {
  /** How a client of 2025-11-25 is sent to a page, for this question. */
  readonly urlWay?: UrlWay
}

/** What `ask.connection` may be told. */
export type ConnectionOptions = CallConnectionOptions & QuestionOptions

/** What a handler in `holdable` is given. */
export interface Ask extends CallAsk<QuestionOptions> {
  scope(name: string): Ask
  /** In words, for clients that asked for it. */
  progress(message: string, fraction?: number): Promise<void>
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
    (message, fraction) =>
      tellProgress((run as McpRun).request, message, fraction),
  context: ({ run }) => (run as McpRun).request.context,
})
