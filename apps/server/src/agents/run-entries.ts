// The trail entries of runs: they notify all processes, and timelines are read from them. They contain nothing that
// people or models wrote. Their parent is that of the run's questions, so that one query reads everything of a run.

import { parentOfCall } from "@holdpoint/sdk/asking"
import type { NewEntry } from "@holdpoint/sdk/storage"
import type { Run } from "./records.ts"
import type { ToolOutput } from "./tool.ts"

/** A run has begun. Readers that follow its conversation start to read its log. */
export const begunCode = "begun"

/** A stop was requested. The process that works on the run has to be notified. */
export const stopCode = "stop_requested"

/** The entry for a change of a run. `code` is one of the above, or the run's new status. */
export const runEntry = ({ id, tenant, agent }: Run, code: string, at: number): NewEntry => ({
  ...{ id, tenant, parent: parentOfCall(id), kind: "run", at, detail: { code, via: agent } },
})

/** A step of a tool call. */
export interface CallStep {
  readonly code: "begun" | "done" | "failed" | "denied"
  readonly call: NonNullable<NewEntry["detail"]["call"]>
}

export const callEntry = ({ id, tenant }: Pick<Run, "id" | "tenant">, step: CallStep, at: number): NewEntry => ({
  ...{ id, tenant, parent: parentOfCall(id), kind: "call", at, detail: step },
})

/** How a call with this output ended. */
export function codeOf({ type }: ToolOutput): CallStep["code"] {
  if (type === "execution-denied") return "denied"
  return type === "error-text" ? "failed" : "done"
}
