// Checks by which a process stops writing to a run after another process has claimed the run.

import { type Mutation, within } from "./mutation.ts"

const records = "packages/agents/test/records.test.ts"
const takenOver = "packages/agents/test/taken-over.test.ts"
const hiccups = "test/failing-writes/kinds.test.ts"
const failing = "packages/calls/test/store-failures.test.ts"
const lost = "packages/agents/test/lost-runs.test.ts"

/** What a failure of the storage must not do. */
const ofStoreFailures: readonly Mutation[] = [
  ...within("packages/calls/src/run.ts", [
    "run: a failure of the storage is not the result of a step",
    "if (!isStoreFailure(error)) throw error\n    run.hasEnded = true",
    "throw error\n    run.hasEnded = true",
    failing,
    "a handler that catches everything never sees the failed write",
  ]),
  ...within(
    "packages/calls/src/run-call.ts",
    [
      "run: a call whose storage failed runs again",
      "if (!isStoreFailure(error)) throw error\n    const call",
      "if (isStoreFailure(error)) throw error\n    const call",
      failing,
      "a handler that catches everything never sees the failed write",
    ],
    [
      "run: the end of a call is stored later when the storage fails",
      "if (isStoreFailure(error)) call.leave(close)",
      "",
      failing,
      "a call whose end cannot be stored returns its result, and is ended later",
    ],
  ),
  ...within("packages/calls/src/call-state.ts", [
    "run: a process recognises its own write of a call",
    "holder !== undefined && storedCall.writer === holder",
    "holder === undefined",
    "test/failing-writes/kinds.test.ts",
    "the end of the call",
  ]),
  ...within(
    "packages/agents/src/runs.ts",
    [
      "run: a failure of the storage is not told as a failure of the model",
      "if (isHoldpointError(error) && error.isOfStorage) throw error\n      await assertOurs()",
      "await assertOurs()",
      hiccups,
      "the end of the run",
    ],
    [
      "run: a run that no call continues is ended",
      "if (stops.has(run.id) || (await worker.has(run.id))) continue",
      "continue",
      lost,
      "is ended, and its reply says that nothing continues it",
    ],
  ),
  ...within("packages/agents/src/run-log.ts", [
    "run: chunks whose write failed are written with the next ones",
    "if (unwritten.length > 0) await writePart(unwritten)",
    "unwritten = []",
    hiccups,
    "the words of the model",
  ]),
  ...within("packages/agents/src/agent.ts", [
    "run: a late No does not stop the noting of what was done",
    'await resultOf(ask, "shown", noteEnd)',
    'await ask.once("shown", noteEnd, { repeatable: true })',
    "packages/agents/test/late-no.test.ts",
    "never hides what was done",
  ]),
  ...within("packages/agents/src/http/problem.ts", [
    "run: a failure of the storage is 503 and not 500",
    "if (isHoldpointError(error) && error.isOfStorage)",
    "if (false)",
    lost,
    "is refused as 503 by the run API and over A2A",
  ]),
  ...within("packages/a2a/src/agents/answer.ts", [
    "a2a: a No that is sent again is given to the hub again",
    "earlierMessage !== undefined && targetQuestions.length === 0",
    "earlierMessage !== undefined",
    "packages/a2a/test/agents/answers.test.ts",
    "records a late No that is sent again because the storage failed the first time",
  ]),
  ...within("packages/mcp/src/server/result.ts", [
    "mcp: a client is told to call again only when the call was left",
    "const isLeft = (await request.incoming.call?.isLeft()) ?? true",
    "const isLeft = true",
    "packages/mcp/test/server/behaviour/closing-storage.test.ts",
    "says that the outcome is unknown when the call could not be left for another process",
  ]),
  ...within("packages/mcp/src/server/request.ts", [
    "mcp: a request that a run sends again is the same call",
    "?? connection.call ??",
    "??",
    "packages/mcp/test/client/repeated.test.ts",
    "joins the question that the first request had asked before its call was stored",
  ]),
  ...within("packages/calls/src/run-call.ts", [
    "run: a reply that ends withdraws what a dead process has asked",
    "const listed = isCallParent(parent)",
    "const listed = parent.length === 0",
    lost,
    "ends with the questions that a process left behind which died before it noted them",
  ]),
  ...within("packages/agents/src/runs.ts", [
    "run: a reply that has ended leaves no question open",
    'if (run === undefined) return "left"',
    "if (run === undefined) return void (await call.finish())",
    lost,
    "has its open question withdrawn, because an answer would do nothing",
  ]),
]

export const runMutations: readonly Mutation[] = [
  ...within("packages/calls/src/calls.ts", [
    "a step that ended two processes is given up",
    "interrupted.times + 1 : 1",
    "interrupted.times : 1",
    "packages/agents/test/killed-runs.db.test.ts",
    "twice inside one step gives that step up in words, and is not repeated by a third",
  ]),
  ...ofStoreFailures,
  ...within(
    "packages/agents/src/run-log.ts",
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
  ...within("packages/agents/src/sealed-records.ts", [
    "altered sealed text is not read from storage",
    "return cached?.sealed === sealed ? cached.text : undefined",
    "return cached?.text",
    records,
    "cannot be opened after it was moved or altered",
  ]),
  ...within("packages/calls/src/call-state.ts", [
    "a result is not stored in the journal of a call that another process may have",
    "|| !isLeaseCertain(state)) return false",
    ") return false",
    "packages/calls/test/calls.test.ts",
    "while no other request can have taken it",
  ]),
  ...within("packages/agents/src/runs.ts", [
    "a run that was taken over is not ended by the process that had it",
    "      await assertOurs()\n      asking.report(",
    "      asking.report(",
    takenOver,
    "neither writes to the stream nor ends the run",
  ]),
  ...within("packages/agents/src/runs.ts", [
    "a reply shows that a consent it waited for was given",
    "      await tellEnded(parts, { run, log, call })\n",
    "      void [tellEnded, log, call]\n",
    "apps/holdpoint/test/demo/agents.test.ts",
    "list the notes in the same reply once the account is connected",
  ]),
]
