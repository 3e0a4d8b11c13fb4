// A step that ends its process, such as a hostile result that takes all memory, would end every process that repeats it.
// It is given up in words, which the person and the model read.

import type { StepResult } from "./model-step.ts"

/** A step at which this many processes have ended is not repeated. */
export const mostInterruptions = 2

/** The journal of a run, as far as it says what had begun. */
export interface StepJournal {
  readonly entries: ReadonlyMap<string, object>
}

/** Why a run was given up, and which of its tools have or may have done something. */
export function givenUpWords({ entries }: StepJournal): string {
  const toolsWith = (kind: "started" | "done"): readonly string[] => [
    ...new Set([...entries].flatMap(([key, entry]) => (isOfKind(entry, kind) ? toolOf(entries, key) : []))),
  ]
  const begun = toolsWith("started")
  const unknown = begun.map((tool) => ` It is unknown whether “${tool}” was carried out: check that first.`)
  // The reply that would have told what they did is lost.
  const called = toolsWith("done").flatMap((tool) =>
    begun.includes(tool) ? [] : ` “${tool}” was called before: check what it has done before it is called again.`,
  )
  return `The server stopped ${mostInterruptions} times while it worked on this step, so the step was given up.${unknown.join("")}${called.join("")} Send another message to continue.`
}

const isOfKind = (entry: object, kind: "started" | "done"): boolean => "kind" in entry && entry.kind === kind

/** The name of the tool whose call has this journal key. */
function toolOf(entries: StepJournal["entries"], key: string): readonly string[] {
  const [, step, index] = /step (\d+) call (\d+)/.exec(key) ?? []
  const entry = entries.get(`once model ${step}`)
  if (entry === undefined || !("value" in entry)) return []
  const { calls = [] } = (entry.value ?? {}) as Partial<StepResult>
  const tool = calls[Number(index)]?.tool
  return tool === undefined ? [] : [tool]
}
