// Checks of how agents use people's answers: an approval is for one exact call, and edited arguments are validated.

import { type Mutation, within } from "./mutation.ts"

const agents = "apps/server/src/agents"
const approvals = "apps/server/test/agents/approvals.test.ts"
const mistakes = "apps/server/test/agents/model-mistakes.test.ts"

export const approvalMutations: readonly Mutation[] = [
  ...within(
    `${agents}/approval.ts`,
    [
      "approval: bound to the digest of the exact call",
      "JSON.stringify([id, tool, input])",
      "JSON.stringify([id !== input, tool])",
      approvals,
      "has a key that no other call has, also where the message shows the same",
    ],
    [
      "approval: a dismissed question has no words of the user",
      'if (error.outcome !== "declined") return denied(error.message)',
      "",
      approvals,
      "that is dismissed does not put words into the person's mouth",
    ],
  ),
  ...within(`${agents}/agent.ts`, [
    "run: a call that the model was told of is not made again",
    "if (earlierOutput !== undefined) {",
    "if (earlierOutput !== undefined && call.id === context.scope) {",
    "apps/server/test/agents/runs.test.ts",
    "does not make a failed call again when an answer lets the reply go on",
  ]),
  ...within(`${agents}/arguments.ts`, [
    "approval: edited arguments fit the tool's schema",
    "return problem === undefined ? { input } : { problem }",
    "return problem === undefined || problem !== undefined ? { input } : { problem }",
    approvals,
    "asks again, and calls nothing before they fit",
  ]),
  ...within(
    `${agents}/runs.ts`,
    [
      "approval: the trail names edited arguments",
      'message: names.join(", ")',
      'message: ""',
      approvals,
      "offers the arguments for editing, calls with the edited ones, and tells the model and the trail",
    ],
    [
      "stop: reaches the process that works on the reply",
      "stops.get(id)?.abort(stopReason)",
      "",
      "apps/server/test/agents/killed-runs.db.test.ts",
      "stop a reply at the other that is busy in",
    ],
  ),
  ...within(`${agents}/agent.ts`, [
    "approval: a refused call is not asked about again",
    "if (refusals?.has(call) === true) return refusedBefore",
    "",
    approvals,
    "that was refused is not asked for again in the same reply, and in the next one it is",
  ]),
  ...within(`${agents}/model-step.ts`, [
    "model: its arguments fit the tool's schema",
    "{ validate: (input) => fitting(inputSchema, input) }",
    "{ validate: (input) => (fitting.length > 9 ? fitting(inputSchema, input) : { success: true, value: input }) }",
    mistakes,
    "is told so, and nothing is run",
  ]),
  ...within(`${agents}/toolbox.ts`, [
    "model: what its provider wrote is not told to other models",
    "new Error(modelErrorWords(error), { cause: error })",
    "(modelErrorWords(error), error)",
    mistakes,
    "of an agent below that fails is told to the agent above in words, without the provider's own",
  ]),
]
