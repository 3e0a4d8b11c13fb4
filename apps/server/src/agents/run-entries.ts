// What the trail tells of runs: every process hears of it, and timelines are read from it. Without a word of what people
// and models wrote. The parent is that of the run's questions, so that all of a run is read at once.

import { parentOfCall } from "@holdpoint/sdk/asking"
import type { NewEntry } from "@holdpoint/sdk/storage"
import type { Run } from "./records.ts"
import type { ToolOutput } from "./tool.ts"

/** A run has begun. Those who follow its conversation read it from there on. */
export const begunCode = "begun"

/** The person wants the run to end, and its process has to know. */
export const stopCode = "stop_requested"

/** `code` is one of the above, or the run's new status. */
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

/** How a call ended that gave this. */
export function codeOf({ type }: ToolOutput): CallStep["code"] {
  if (type === "execution-denied") return "denied"
  return type === "error-text" ? "failed" : "done"
}
