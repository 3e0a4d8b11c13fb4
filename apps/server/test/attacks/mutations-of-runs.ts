// Checks by which a process stops writing to a run after another process has claimed the run.

import { type Mutation, within } from "./mutation.ts"

const records = "apps/server/test/agents/records.test.ts"
const takenOver = "apps/server/test/agents/taken-over.test.ts"

export const runMutations: readonly Mutation[] = [
  ...within("packages/holdpoint/src/asking/calls.ts", [
    "a step that ended two processes is given up",
    "interrupted.times + 1 : 1",
    "interrupted.times : 1",
    "apps/server/test/agents/killed-runs.db.test.ts",
    "twice inside one step gives that step up in words, and is not repeated by a third",
  ]),
  ...within(
    "apps/server/src/agents/run-log.ts",
    [
      "only the process that has the run writes its log",
      "if (runtime.now() - oursAt >= trustMs) await checkOurs()",
      "",
      records,
      "check that a writer still has the run when it writes after a pause",
    ],
    [
      "a log is not written after another process took over the run",
      "      await checkOurs()\n      next = await end()",
      "      next = await end()",
      records,
      "refuse a writer of a log whose run another process has taken over",
    ],
    [
      "entries of the previous process are dropped after a run was taken over",
      "return runVersion === newest",
      "return newest > 0",
      records,
      "continue after a late chunk of the previous process, and drop that chunk",
    ],
  ),
  ...within("apps/server/src/agents/sealed-records.ts", [
    "altered sealed text is not read from storage",
    "return cached?.sealed === sealed ? cached.text : undefined",
    "return cached?.text",
    records,
    "cannot be opened after it was moved or altered",
  ]),
  ...within("packages/holdpoint/src/asking/call-state.ts", [
    "a result is not stored in the journal of a call that another process may have",
    "|| !isLeaseCertain(state)) return false",
    ") return false",
    "packages/holdpoint/test/asking/calls.test.ts",
    "while no other request can have taken it",
  ]),
  ...within("apps/server/src/agents/runs.ts", [
    "a run that was taken over is not ended by the process that had it",
    "      await assertOurs()\n      asking.report(",
    "      asking.report(",
    takenOver,
    "neither writes to the stream nor ends the run",
  ]),
  ...within("apps/server/src/agents/runs.ts", [
    "a reply shows that a consent it waited for was given",
    "      await tellEnded(parts, { run, log, call })\n",
    "      void [tellEnded, log, call]\n",
    "apps/server/test/demo/agents.test.ts",
    "list the notes in the same reply once the account is connected",
  ]),
]
