// The checks of agents that clients call over A2A, and the tests that must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

const callers = "packages/a2a/test/agents/callers.test.ts"
const tasks = "packages/a2a/test/agents/tasks.test.ts"
const sizeFirst = "test/across/hub/core/size-first.test.ts"
const linearTime = "test/linear-time.test.ts"
const answers = "packages/a2a/test/agents/answers.test.ts"

export const a2aMutations: readonly Mutation[] = [
  ...within("packages/a2a/src/agents/depth.ts", [
    "the depth of a request over A2A is limited",
    "if (isTooDeep(body)) throw",
    "if (isTooDeep(body, Infinity)) throw",
    "packages/a2a/test/agents/depth.test.ts",
    "is refused with invalid parameters over JSON-RPC",
  ]),
  ...within("packages/a2a/src/text-answer.ts", [
    "a text answer is read in linear time",
    `withoutEnd(withoutStart(text.trim().toLowerCase(), /["'“”‘’]/), /["'“”‘’.!]/)`,
    `text.trim().toLowerCase().replace(/^["'“”‘’]+|["'“”‘’.!]+$/g, "")`,
    linearTime,
    "take linear time for hostile texts inside other values",
  ]),
  ...within("packages/a2a/src/text-answer.ts", [
    "a text answer is refused by its size first",
    "if (hasMoreBytes(text, formLimits.bytes))",
    "if (text.length < 0)",
    sizeFirst,
    "is refused as an answer over A2A",
  ]),
  ...within("packages/accounts/src/vault/probe.ts", [
    "a refusal of a provider is read up to a limit",
    "await readTextWithin(refusal.clone(), refusalLimits)",
    "await refusal.clone().text()",
    "test/across/fetching/read-within.test.ts",
    "a refusal without end is not taken for that of a disabled account",
  ]),
  ...within("packages/a2a/src/client/questions.ts", [
    "the text of a remote agent is read in linear time",
    "withoutEnd(url, /[.,;:!?)\\]}]/)",
    'url.replace(/[.,;:!?)\\]}]+$/, "").concat(withoutEnd("", /a/))',
    linearTime,
    "take linear time for hostile texts inside other values",
  ]),
  ...within(
    "packages/a2a/src/agents/parts.ts",
    [
      "a task over A2A is found only by its person",
      " || !isSamePerson(task.person, visit.person)",
      "",
      callers,
      "finds no task of another person, whatever a message claims",
    ],
    [
      "a task over A2A is found only at its own agent",
      "task.agent !== visit.agent || ",
      "",
      tasks,
      "is not found under another agent or with an unknown id",
    ],
  ),
  ...within("packages/a2a/src/agents/callers.ts", [
    "a token for another resource does not count over A2A",
    "const resourceUrl = `${addresses.publicUrl}${a2aPath}`",
    "const resourceUrl = `${addresses.publicUrl}/run`",
    callers,
    "is refused with a token for another resource, a session, an API key, or a program's token",
  ]),
  ...within("packages/a2a/src/agents/mount.ts", [
    "a stream over A2A ends with the token of its reader",
    "if (!(await accessRight.isValid())) return",
    "",
    callers,
    "gets nothing more from a stream once its token has expired",
  ]),
  ...within(
    "packages/a2a/src/agents/answer.ts",
    [
      "an answer over A2A is about a question of its own task",
      'if (unknown !== undefined) throw new RequestMalformedError("This task has no question with this elicitationId.")',
      "",
      answers,
      "of one task is not answered through another",
    ],
    [
      "an answer over A2A that is sent again does not answer the next question",
      "const insertion = earlierMessage === undefined ? parts.messages.insert(record) : undefined",
      "const insertion: Promise<boolean> | undefined = undefined",
      answers,
      "is answered once when its message is sent again, even if the text also fits the next question",
    ],
  ),
  ...within("packages/a2a/src/agents/send.ts", [
    "a message over A2A that is sent again begins no second task",
    "if (earlierRun !== undefined) return start(parts, visit, { newTask, run: earlierRun })",
    "",
    tasks,
    "begins once when its message is sent again, even at the same time",
  ]),
  ...within("packages/a2a/src/agents/message.ts", [
    "an answer over A2A begins no task",
    "if (answers.length > 0 || isMalformed)",
    "if (isMalformed)",
    answers,
    "is not answered by metadata, by another kind of part, or by a message that begins a task",
  ]),
  ...within(
    "packages/a2a/src/text-answer.ts",
    [
      "an unclear text over A2A approves nothing",
      "const isYes = normalised === plain(acts.yes)",
      "const isYes = normalised.includes(plain(acts.yes))",
      answers,
      "is decided by the words of its buttons",
    ],
    [
      "a bare yes over A2A approves no act that has a name",
      "const isYes = normalised === plain(acts.yes)",
      'const isYes = [plain(acts.yes), "yes"].includes(normalised)',
      answers,
      "is not given by a bare yes, which may be meant for another question",
    ],
  ),
]
