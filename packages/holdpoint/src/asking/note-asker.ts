// Records in a question's trail what the asking call does about the answer, so that pages can tell the person who
// answers.

import type { AskerState } from "../hub/effects.ts"
import { askerEntry } from "../hub/effects.ts"
import { digestOf } from "./digest.ts"
import type { OpenCall } from "./open-call.ts"
import type { Run } from "./run.ts"

export interface NotedAsker {
  readonly questions: readonly string[]
  readonly state: AskerState
}

export async function noteAsker(run: Run, call: OpenCall, { questions, state }: NotedAsker): Promise<void> {
  const { trail, runtime } = run.asking
  const { tenant } = run.carrier.address(run, call).audience
  const name = digestOf(call.id).slice(0, 16)
  const entries = questions.map((id) => askerEntry({ question: { id, tenant }, call: name, state }, runtime.now()))
  await Promise.all(entries.map((entry) => trail.append(entry)))
}
