// Checks by which a process stops writing to a run after another process has claimed the run.

import { type Mutation, within } from "./mutation.ts"

const records = "apps/server/test/agents/records.test.ts"
const takenOver = "apps/server/test/agents/taken-over.test.ts"

export const runMutations: readonly Mutation[] = [
  ...within(
    "apps/server/src/agents/run-log.ts",
    [
      "a log is written by the process that has the run",
      "if (runtime.now() - oursAt >= trustMs) await checkOurs()",
      "",
      records,
      "ask a writer of a log that has rested whether it has the run",
    ],
    [
      "a log is not written behind the process that took over the run",
      "      await checkOurs()\n      next = await end()",
      "      next = await end()",
      records,
      "refuse a writer of a log whose run another process has taken over",
    ],
    [
      "what was written after a run was taken over is dropped",
      "return runVersion === newest",
      "return newest > 0",
      records,
      "go on behind what the process before wrote once more, and drop what it wrote after that",
    ],
  ),
  ...within("apps/server/src/agents/sealed-records.ts", [
    "sealed text that was altered is not read from what is kept",
    "return cached?.sealed === sealed ? cached.text : undefined",
    "return cached?.text",
    records,
    "is not opened where it was moved to, nor when it was altered",
  ]),
  ...within("packages/holdpoint/src/asking/call-state.ts", [
    "a result is not stored in the journal of a call that another process may have",
    "|| !isSure(state)) return false",
    ") return false",
    "packages/holdpoint/test/asking/calls.test.ts",
    "as long as no other request can have taken it",
  ]),
  ...within("apps/server/src/agents/runs.ts", [
    "a run that was taken over is not ended by the process that had it",
    "      await assertOurs()\n      asking.report(",
    "      asking.report(",
    takenOver,
    "neither writes to the stream nor ends its run",
  ]),
  ...within("apps/server/src/agents/runs.ts", [
    "a reply tells that a consent it waited for was given",
    "      await tellEnded(parts, { run, log, call })\n",
    "      void [tellEnded, log, call]\n",
    "apps/server/test/demo/agents.test.ts",
    "list the notes once the account is connected",
  ]),
]
