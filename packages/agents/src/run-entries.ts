// The trail entries of runs, which notify all processes and are the source of timelines. They never contain texts of
// people or models. Their parent is the parent of the run's questions, so that one query reads all entries of a run.

import { parentOfCall } from "@holdpoint/calls"
import type { NewEntry } from "@holdpoint/hub/storage"
import type { Run } from "./records.ts"
import type { ToolOutput } from "./tool.ts"

/** The code of the entry for a new run. Readers that follow its conversation then start to read its log. */
export const begunCode = "begun"

/** The code of the entry for a requested stop. It notifies the process that works on the run. */
export const stopCode = "stop_requested"

/** The entry for a change of a run. `code` is `begunCode`, `stopCode` or the new status of the run. */
export const runEntry = ({ id, tenant, agent }: Run, code: string, at: number): NewEntry => ({
  ...{ id, tenant, parent: parentOfCall(id), kind: "run", at, detail: { code, via: agent } },
})

/** The beginning or the end of a tool call, for the trail. */
export interface CallStep {
  readonly code: "begun" | "done" | "failed" | "denied"
  readonly call: NonNullable<NewEntry["detail"]["call"]>
}

export const callEntry = ({ id, tenant }: Pick<Run, "id" | "tenant">, step: CallStep, at: number): NewEntry => ({
  ...{ id, tenant, parent: parentOfCall(id), kind: "call", at, detail: step },
})

/** The final code of a call with this output. */
export function codeOf({ type }: ToolOutput): CallStep["code"] {
  if (type === "execution-denied") return "denied"
  return type === "error-text" ? "failed" : "done"
}
