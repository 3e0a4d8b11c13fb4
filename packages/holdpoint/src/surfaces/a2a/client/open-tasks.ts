// The tasks that a call has given to agents and whose end it has not seen. A call that is stopped while it waits for a
// person does not come to its tasks again, so that they have to be found in its journal.

import type { Ask } from "../../../asking/ask.ts"
import { effectsOf } from "../../../asking/on-behalf.ts"
import { isEnded } from "./snapshot.ts"

/** A task that may be open at an agent. */
export interface OpenTask {
  /** The `url` of the agent. */
  readonly agent: string
  /** The agent's own id of the task. */
  readonly id: string
}

/** Returns the tasks of the call that may be open at their agents. */
export async function openTasks(ask: Ask): Promise<readonly OpenTask[]> {
  const effects = await effectsOf(ask)
  const scopeOf = (key: string): string => key.slice(0, key.lastIndexOf(" › ") + 1)
  const ended = new Set(effects.flatMap(({ key, value }) => (isLastTurn(value) ? [scopeOf(key)] : [])))
  return effects.flatMap(({ key, value }) => (isGiven(value) && !ended.has(scopeOf(key)) ? [toOpen(value)] : []))
}

interface Given {
  readonly kind: "task"
  readonly task: { readonly id: string; readonly agent: string }
}

const toOpen = ({ task: { id, agent } }: Given): OpenTask => ({ id, agent })

/** What `giveTask` keeps. */
const isGiven = (value: unknown): value is Given => {
  const { kind, task } = (value ?? {}) as Partial<Given>
  return kind === "task" && typeof task?.id === "string" && typeof task.agent === "string"
}

/** What `follow` and `authorize` keep of a task that has ended. */
function isLastTurn(value: unknown): boolean {
  const { turn = value } = (value ?? {}) as { readonly turn?: unknown }
  const { snapshot } = (turn ?? {}) as { readonly snapshot?: { readonly state?: unknown } }
  return isEnded(snapshot?.state)
}
