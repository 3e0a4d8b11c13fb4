// Records in a question's trail whether the asking call waits, has given up or is over, so that pages can show it to
// the person who answers.

import type { AskerState } from "@holdpoint/hub/internal"
import { askerEntry } from "@holdpoint/hub/internal"
import type { NewEntry } from "@holdpoint/hub/storage"
import { digestOf } from "./digest.ts"
import type { OpenCall } from "./open-call.ts"
import { isCallParent } from "./parent.ts"
import type { Run } from "./run.ts"

export interface AskerNote {
  readonly questions: readonly string[]
  readonly state: AskerState
}

export async function noteAsker(run: Run, call: OpenCall, { questions, state }: AskerNote): Promise<void> {
  const { trail, runtime } = run.asking
  const { audience, parent } = run.carrier.address(run, call)
  const note = {
    call: digestOf(call.id).slice(0, 16),
    state,
    ...(state === "waits" && isCallParent(parent) ? { wokenParent: parent } : {}),
  }
  const toEntry = (id: string): NewEntry =>
    askerEntry({ question: { id, tenant: audience.tenant }, ...note }, runtime.now())
  const entries = questions.map(toEntry)
  await Promise.all(entries.map((entry) => trail.append(entry)))
}
