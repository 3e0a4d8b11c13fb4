// One A2A agent as a client sees it. Only composes.

import type { AgentCard } from "@a2a-js/sdk"
import type { Ask } from "../../../asking/ask.ts"
import { HoldpointError } from "../../../core/error.ts"
import type { A2aReply } from "./call.ts"
import { callAgent } from "./call.ts"
import { judgeFailure } from "./failure.ts"
import { createLines } from "./line.ts"
import { cancelTask } from "./look.ts"
import type { OpenTask } from "./open-tasks.ts"
import type { A2aCall, ConnectA2aOptions } from "./settings.ts"
import { toSettings } from "./settings.ts"
import { unusableCardWords } from "./words.ts"

/** One A2A agent, for one person or for everybody. */
export interface A2aPeer {
  /** Fetches the agent's card. Throws `provider_unavailable` or `provider_refused` when that is not possible. */
  card(): Promise<AgentCard>
  /**
   * Gives the agent a task, and resolves to its reply. What the agent asks is asked of the person by `ask`, so the run
   * may be suspended there; run again, it goes on with the same task. Use each scope of `ask` for one task. Throws
   * `effect_unknown` when it is unknown whether the agent has begun, and `provider_unavailable` when the agent was not
   * reached.
   */
  send(ask: Ask, call: A2aCall): Promise<A2aReply>
  /** Cancels a task at the agent, for a call that is stopped while it waits: see `openTasks`. */
  cancel(ask: Ask, task: Pick<OpenTask, "id">): Promise<void>
  /** Stops following tasks. Runs that other processes can resume are left to them, at the same tasks. */
  close(): void
}

/** Makes a peer of an A2A agent, of protocol 1.0 or 0.3. Nothing is sent before the first use. */
export function connectA2a(options: ConnectA2aOptions): A2aPeer {
  const settings = toSettings(options)
  const lines = createLines(settings, options)
  const closing = new AbortController()
  const parts = { settings, lines, closing: closing.signal }
  return {
    async card() {
      try {
        return await lines.card()
      } catch (error) {
        const failure = judgeFailure(error)
        const problem = "message" in failure ? failure.message : "it is not there."
        const code = failure.kind === "refused" ? "provider_refused" : "provider_unavailable"
        throw new HoldpointError(code, unusableCardWords(settings, problem), { cause: error })
      }
    },
    send: (ask, call) => callAgent(parts, ask, call),
    cancel: (ask, task) => cancelTask({ peer: parts, ask }, task),
    close: () => closing.abort(new Error("This process closes.")),
  }
}
