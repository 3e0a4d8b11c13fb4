// Checks of how agents use people's answers: an approval is for one exact call, and edited arguments are validated.

import { type Mutation, within } from "./mutation.ts"

const shownApprovals = "packages/agents/test/shown-approvals.test.ts"
const shortened = "test/across/surfaces/shortened.test.ts"
const approvals = "packages/agents/test/approvals.test.ts"
const unnamed = "packages/agents/test/unnamed-tools.test.ts"
const names = "packages/agents/test/tool-names.test.ts"
const mistakes = "packages/agents/test/model-mistakes.test.ts"

export const approvalMutations: readonly Mutation[] = [
  ...within("packages/calls/src/question.ts", [
    "approval: of one turn only",
    "digestOf([call.id, call.generation, key])",
    "digestOf([key])",
    "test/across/agents/confusions.test.ts",
    "of an earlier turn does not let the same call run in a later turn",
  ]),
  ...within("packages/hub/src/core/transition.ts", [
    "detail: a Yes counts only from a place that showed it",
    "event.hasSeenDetail !== true && !isNo",
    "event.hasSeenDetail === false && isNo",
    shortened,
    "takes a Yes only from a place that showed its detail, and a No from any",
  ]),
  ...within("packages/hub/src/core/stream-event.ts", [
    "detail: a stream has the link to the page",
    'if (elicitation.detail !== undefined) return { mode: "url", url: elicitation.detail.page }',
    "",
    shownApprovals,
    "is a link to its page in the stream",
  ]),
  ...within("packages/mcp/src/server/carrier.ts", [
    "detail: an MCP client is led to the page",
    "const isShownWhole = options.detail === undefined",
    "const isShownWhole = true",
    shortened,
    "leads the MCP client",
  ]),
  ...within("packages/slack/src/modal.ts", [
    "detail: Slack has no Yes for what it does not show",
    "detail === undefined && pieces(message, mostPieces).isWhole",
    '(detail === undefined || message !== "") && pieces(message, mostPieces).parts.length > 0',
    shortened,
    "in Slack",
  ]),
  ...within("packages/server/src/web/inbox.ts", [
    "detail: the list of questions has no Yes",
    "elicitation.detail === undefined\n      ?",
    'elicitation.id !== ""\n      ?',
    shownApprovals,
    "is in the inbox without a Yes",
  ]),
  ...within("apps/holdpoint/src/acp/map.ts", [
    "detail: an editor is given the link",
    'if (question.detail !== undefined) return "link"',
    "",
    shownApprovals,
    "is a link in the chat of an editor",
  ]),
  ...within("packages/agents/src/carrier.ts", [
    "detail: stock clients get no request that the message shortens",
    "isApproval && elicitation.detail === undefined &&",
    "isApproval &&",
    shownApprovals,
    "is a link to its page in the stream",
  ]),
  ...within(
    "packages/agents/src/shown-arguments.ts",
    [
      "approval: invisible characters are escapes",
      "escapeInvisible(JSON.stringify(input ?? {}, null, 2))",
      "JSON.stringify(input ?? {}, null, 2)",
      shownApprovals,
      "are shown as escapes in the approval",
    ],
    [
      "approval: values are shortened in the middle",
      "${start}${leftOut(text.length - head - tail)}${end}",
      "${start}${leftOut(text.length - head)}${end.slice(text.length)}",
      shownApprovals,
      "have the name, the beginning",
    ],
  ),
  ...within(
    "packages/agents/src/approval.ts",
    [
      "approval: bound to the digest of the exact call",
      "JSON.stringify([id, tool, input])",
      "JSON.stringify([id !== input, tool])",
      approvals,
      "has a unique key, even when another call shows the same message",
    ],
    [
      "approval: a dismissed question has no reason from the user",
      'if (error.outcome !== "declined") return toDenied(error.message)',
      "",
      approvals,
      "that is dismissed tells the model only that the person dismissed it",
    ],
  ),
  ...within("packages/agents/src/agent.ts", [
    "approval: a tool of a server is found by its origin",
    "if (origin === undefined) return",
    "if (origin === undefined || tools.length > 0) return",
    names,
    "goes to the tool that was asked about, even when another tool has its name by then",
  ]),
  ...within("packages/agents/src/agent.ts", [
    "run: a call whose result the model has is not repeated",
    "if (earlierOutput !== undefined) {",
    "if (earlierOutput !== undefined && call.id === context.scope) {",
    "packages/agents/test/runs.test.ts",
    "does not repeat a failed call when an answer continues the reply",
  ]),
  ...within("packages/agents/src/arguments.ts", [
    "approval: edited arguments match the tool's schema",
    "return problem === undefined ? { input } : { problem }",
    "return problem === undefined || problem !== undefined ? { input } : { problem }",
    approvals,
    "asks again, and calls nothing before they fit",
  ]),
  ...within(
    "packages/agents/src/runs.ts",
    [
      "approval: the trail records edited arguments",
      'message: names.join(", ")',
      'message: ""',
      approvals,
      "offers the arguments for editing, calls with the edited ones, and tells the model and the trail",
    ],
    [
      "stop: reaches the process that works on the reply",
      "stops.get(id)?.abort(stopReason)",
      "",
      "packages/agents/test/killed-runs.db.test.ts",
      "stop a reply of the other process that is busy in",
    ],
  ),
  ...within("packages/agents/src/agent.ts", [
    "approval: a refused call is not asked about again",
    "if (refusals?.has(call) === true) return refusedBefore",
    "",
    approvals,
    "that was refused is not requested again in the same reply, but is in the next one",
  ]),
  ...within("packages/agents/src/model-step.ts", [
    "model: its arguments match the tool's schema",
    "{ validate: (input) => toFittingInput(tool, input) }",
    "{ validate: (input) => (toFittingInput.length > 9 ? toFittingInput(tool, input) : { success: true, value: input }) }",
    mistakes,
    "gets an error, and nothing runs",
  ]),
  ...within(
    "packages/agents/src/toolbox.ts",
    [
      "tools: no two have the same name",
      "names.find((one) => !usedNames.has(one))",
      "names.find((one, at) => at > 0 || !usedNames.has(one))",
      names,
      "has a name of its own, even when its server's name and its own are the name of another",
    ],
    [
      "policies: apply under the name of the tool with its server",
      "prefixedName(tool), toName(prefixedName(tool)), name]",
      "name]",
      names,
      "with a server's name applies, even while no other tool has the name",
    ],
  ),
  ...within(
    "packages/agents/src/policies.ts",
    [
      "policies: the strictest counts",
      "strictness(policy) > strictness(strictest)",
      "strictness(policy) < strictness(strictest)",
      names,
      "that is stricter wins",
    ],
    [
      "policies: a name is not looked up in the prototype",
      "Object.hasOwn(policies, name)",
      "name in policies",
      names,
      "for all tools applies to a tool with the name of a method of every object",
    ],
    [
      "policies: a foreign tool that no policy names is asked about",
      '(tool.foreign === undefined ? "always" : "ask")',
      '"always"',
      unnamed,
      "that no policy names is asked about",
    ],
    [
      "policies: a name that looks like another has its policy",
      "seenNames.has(seenForm(name)) ? [policy]",
      "names.includes(name) ? [policy]",
      unnamed,
      "is asked about like “remove”",
    ],
    [
      "policies: a name that only looks like another does not have its permission",
      "...(exact.length > 0 ? exact : [fallback]), ...similar",
      "...(exact.length > 0 ? exact : similar.length > 0 ? [] : [fallback]), ...similar",
      unnamed,
      "that looks like a tool that runs without asking is asked about",
    ],
    [
      "policies: two tools that look equal are asked about",
      "|| hasTwin(tool, others)",
      '|| (tool.name === "" && hasTwin(tool, others))',
      unnamed,
      "that looks like another tool of its server is asked about",
    ],
    [
      "policies: a changed list is asked about",
      "!tool.foreign.isAccepted || hasTwin",
      "hasTwin",
      unnamed,
      "is asked about after a restart, although all tools run",
    ],
  ),
  ...within("packages/agents/src/accepted-tools.ts", [
    "policies: a digest covers descriptions and schemas",
    "JSON.stringify([...tools].sort(byName), withSortedMembers)",
    "JSON.stringify(tools.map(({ name }) => name).sort())",
    unnamed,
    "is asked about after a restart, although all tools run",
  ]),
  ...within("packages/agents/src/section.ts", [
    "policies: a name that no tool has is refused at the start",
    "  checkPolicyNames({ path, agent, add })\n",
    "",
    unnamed,
    "are checked at the start: a name that no tool has is refused, with the nearest one",
  ]),
  ...within("packages/agents/src/toolbox.ts", [
    "model: its provider's error text does not reach other models",
    "new Error(modelErrorWords(error), { cause: error })",
    "(modelErrorWords(error), error)",
    mistakes,
    "of a sub-agent that fails gives the calling agent a plain error, without the provider's message",
  ]),
]
