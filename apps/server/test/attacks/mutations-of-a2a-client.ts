// Checks of tasks for third-party A2A agents: limits on their cards and texts, whose credentials they get, and that
// each task is sent once and ended.

import { type Mutation, within } from "./mutation.ts"

const tests = "packages/holdpoint/test/surfaces/a2a/client"
const tasks = `${tests}/tasks.test.ts`
const questions = `${tests}/questions.test.ts`
const agents = "apps/server/test/agents/a2a-client.test.ts"

export const a2aClientMutations: readonly Mutation[] = [
  ...within(
    "surfaces/a2a/client/line.ts",
    [
      "a2a client: a card names interfaces of its own origin",
      "URL.parse(String(url))?.origin === origin",
      'URL.parse(String(url))?.origin !== ""',
      tasks,
      "is not given to an interface at another origin than that of the card",
    ],
    [
      "a2a client: a card is read without credentials where that is possible",
      "read(publicFetch).catch(",
      "read(fetch ?? publicFetch).catch(",
      agents,
      "is asked nothing before the person has connected, and gets their credentials then",
    ],
  ),
  ...within("surfaces/a2a/client/words.ts", [
    "a2a client: no control characters of agents for models",
    "cut(clean(text))",
    "cut(text)",
    tasks,
    "is an error with the agent's words as a quotation",
  ]),
  ...within(
    "surfaces/a2a/client/answer.ts",
    [
      "a2a client: the person sees which agent asks",
      "formWords(settings, question)), answerForm",
      "question), answerForm",
      questions,
      "shows what the agent wrote as a quotation, without control characters",
    ],
    [
      "a2a client: what cannot be shown to a person is declined",
      "if (!isUnaskable(error)) throw error",
      "throw error",
      questions,
      "is declined without asking the person, and the model is told",
    ],
  ),
  ...within("surfaces/a2a/client/questions.ts", [
    "a2a client: an address in a text is judged",
    ".filter((url) => checkUrl(url).ok)",
    "",
    questions,
    "takes no dangerous address from a text",
  ]),
  ...within("surfaces/a2a/client/parts.ts", [
    "a2a client: a reply is kept up to a limit",
    "return left >= 0",
    "return true",
    tasks,
    "whose reply is too large is kept without the parts that do not fit",
  ]),
  ...within(
    "surfaces/a2a/client/send.ts",
    [
      "a2a client: a task whose fate is unknown is not given again",
      "again ? await findTask(attempt, messageId) : undefined",
      "undefined",
      "apps/server/test/agents/a2a-client.db.test.ts",
      "is not given again when the process is killed",
    ],
    [
      "a2a client: an answer that has arrived is not sent again",
      'if (status?.kind === "seen" && (status.hasMessage || status.snapshot.mark !== mark)) return',
      'if (status?.kind === "gone") return',
      questions,
      "are answered once when the connection breaks",
    ],
  ),
  ...within(
    "surfaces/a2a/client/call.ts",
    [
      "a2a client: the person's stop reaches the agent",
      'stopped.addEventListener("abort", stop, { once: true })\n',
      "",
      tasks,
      "is cancelled at the agent when the person stops the run",
    ],
    [
      "a2a client: rounds are bounded",
      "round <= mostRounds",
      "round > 0",
      questions,
      "end with the task when the agent asks without end",
    ],
  ),
  ...within("surfaces/a2a/client/authorize.ts", [
    "a2a client: a question does not outlive its agent",
    "await endQuestions(attempt, ids, first)",
    "",
    questions,
    "ends with its question when the agent vanishes",
  ]),
  ...within("surfaces/a2a/client/look.ts", [
    "a2a client: an agent that is out of reach is given up",
    "now - reachedAt > limits.unreachedMs",
    "now < 0",
    tasks,
    "ends when the agent vanishes, with what is known",
  ]),
  ...within(
    "apps/server/src/agents/a2a-client/a2a-tools.ts",
    [
      "a2a client: each person has their own credentials",
      'credentialScope === "user" ? personKey(run.person) : run.tenant',
      "run.tenant",
      agents,
      "gets the credentials of the person for whom it works, and of no other person",
    ],
    [
      "a2a client: a run that is stopped while it waits leaves no task",
      "await peerOf(name, agent, run).cancel(ask, task)",
      "return",
      agents,
      "is told that its task is cancelled when the person stops the reply while it waits for them",
    ],
  ),
]
