// One A2A agent as its client sees it: composes the connection and the calls.

import type { AgentCard } from "@a2a-js/sdk"
import type { Ask } from "@holdpoint/calls"
import { HoldpointError } from "@holdpoint/hub"
import type { A2aReply } from "./call.ts"
import { callAgent } from "./call.ts"
import { createAgentConnection } from "./connection.ts"
import { judgeFailure } from "./failure.ts"
import type { OpenTask } from "./open-tasks.ts"
import { cancelTask } from "./poll.ts"
import type { A2aCall, ConnectA2aOptions } from "./settings.ts"
import { toSettings } from "./settings.ts"
import { unusableCardWords } from "./words.ts"

/** The client of one A2A agent. All people can share it, or each person can have one with their own account. */
export interface A2aPeer {
  /** Fetches the agent's card. Throws `provider_unavailable` or `provider_refused` when that is not possible. */
  card(): Promise<AgentCard>
  /**
   * Sends the agent a task, and resolves to its reply. The agent's questions are asked with `ask`, so the run may be
   * suspended; when it runs again, it continues the same task. Use each scope of `ask` for one task. Throws
   * `effect_unknown` when it is unknown whether the agent has begun, and `provider_unavailable` when the agent was not
   * reached.
   */
  send(ask: Ask, call: A2aCall): Promise<A2aReply>
  /** Cancels a task at the agent, for a call that is stopped while it waits: see `openTasks`. */
  cancel(ask: Ask, task: Pick<OpenTask, "id">): Promise<void>
  /** Stops following tasks, without cancelling them. Other processes follow them in the runs that they can resume. */
  close(): void
}

/** Creates the client of an A2A agent of protocol 1.0 or 0.3. Sends nothing before the first use. */
export function connectA2a(options: ConnectA2aOptions): A2aPeer {
  const settings = toSettings(options)
  const connection = createAgentConnection(settings, options)
  const closing = new AbortController()
  const parts = { settings, connection, closing: closing.signal }
  return {
    async card() {
      try {
        return await connection.card()
      } catch (error) {
        const failure = judgeFailure(error)
        const problem = "message" in failure ? failure.message : "it is not there"
        const isRefused = failure.kind === "refused" || failure.kind === "excess"
        const code = isRefused ? "provider_refused" : "provider_unavailable"
        throw new HoldpointError(code, unusableCardWords(settings, `${problem.replace(/\.$/, "")}.`), { cause: error })
      }
    },
    send: (ask, call) => callAgent(parts, ask, call),
    cancel: (ask, task) => cancelTask({ peer: parts, ask }, task),
    close: () => closing.abort(new Error("This process closes.")),
  }
}
