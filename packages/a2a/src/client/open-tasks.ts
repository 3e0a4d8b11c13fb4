// Finds the tasks of a call that may still be open at agents. A call that is stopped while it waits for a person is not
// run again, so its tasks are read from the journal.

import type { Ask } from "@holdpoint/calls"
import { effectsOf } from "@holdpoint/calls/internal"
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
  const endedScopes = new Set(effects.flatMap(({ key, value }) => (isLastTurn(value) ? [scopeOf(key)] : [])))
  return effects.flatMap(({ key, value }) =>
    isStoredTask(value) && !endedScopes.has(scopeOf(key)) ? [toOpen(value)] : [],
  )
}

interface StoredTask {
  readonly kind: "task"
  readonly task: { readonly id: string; readonly agent: string }
}

const toOpen = ({ task: { id, agent } }: StoredTask): OpenTask => ({ id, agent })

/** Whether the value is a task that `giveTask` stored in the journal. */
const isStoredTask = (value: unknown): value is StoredTask => {
  const { kind, task } = (value ?? {}) as Partial<StoredTask>
  return kind === "task" && typeof task?.id === "string" && typeof task.agent === "string"
}

/** Whether the value is the end of a task, stored in the journal by `pollTask` or `authorize`. */
function isLastTurn(value: unknown): boolean {
  const { turn = value } = (value ?? {}) as { readonly turn?: unknown }
  const { snapshot } = (turn ?? {}) as { readonly snapshot?: { readonly state?: unknown } }
  return isEnded(snapshot?.state)
}
