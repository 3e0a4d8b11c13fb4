// What an agent works with in a run.

import type { Ask } from "@holdpoint/calls"
import type { EventSource } from "@holdpoint/hub/stream"
import type { ModelMessage } from "ai"
import type { Refusals } from "./refusals.ts"
import type { CallStep } from "./run-entries.ts"
import type { RunLog } from "./run-log.ts"

/** What an agent works with in a run: the scope of its questions, the prompt, the log. */
export interface RunContext {
  readonly ask: Ask
  /** The scope that `ask` puts before its keys. Empty for the agent that the person talks to. */
  readonly scope: string
  readonly signal: AbortSignal
  /** The messages before the reply. Read only when the model has to be called. */
  readonly prompt: () => Promise<readonly ModelMessage[]>
  /**
   * The log that the person sees. Undefined for a sub-agent: its reply is only the tool result of the agent that called
   * it.
   */
  readonly log: RunLog | undefined
  /** The names of the agents, from the one that the person talks to down to this one. */
  readonly path: readonly string[]
  /** Sets the tool and the agent that clients see as the source of questions whose keys begin with this scope. */
  readonly announce: (scope: string, source: EventSource) => void
  /** Records in the trail that the person edited these arguments when they answered the question with this key. */
  readonly noteEdit: (key: string, names: readonly string[]) => Promise<void>
  /** Records in the trail that a tool call has begun or ended. */
  readonly noteCall: (step: CallStep) => Promise<void>
  /** The refused tool calls that a sub-agent inherits from the agent that called it. */
  readonly refusals?: Refusals
}
