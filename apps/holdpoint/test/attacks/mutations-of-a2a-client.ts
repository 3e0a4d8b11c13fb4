// Checks of tasks for third-party A2A agents: limits on their cards and texts, whose credentials they get, and that
// each task is sent once and ended.

import { type Mutation, within } from "./mutation.ts"

const tasks = "packages/a2a/test/client/tasks.test.ts"
const questions = "packages/a2a/test/client/questions.test.ts"
const hostile = "packages/a2a/test/client/hostile/hostile.test.ts"
const agents = "test/across/a2a/agents/client/a2a-client.test.ts"

export const a2aClientMutations: readonly Mutation[] = [
  ...within(
    "packages/a2a/src/client/connection.ts",
    [
      "a2a client: a card names interfaces of its own origin",
      "URL.parse(String(url))?.origin === origin",
      'URL.parse(String(url))?.origin !== ""',
      tasks,
      "is not sent to an interface whose origin differs from the card's",
    ],
    [
      "a2a client: a card is read without credentials where that is possible",
      "read(publicFetch).catch(",
      "read(fetch ?? publicFetch).catch(",
      agents,
      "gets no task until the person has connected, and then gets their credentials",
    ],
  ),
  ...within(
    "packages/a2a/src/client/gate.ts",
    [
      "a2a client: the size of a response is limited",
      "readText(response, mostBytes)",
      "readText(response, Infinity)",
      hostile,
      "send-huge ends in time, in little memory and in few words",
    ],
    [
      "a2a client: the shape of a response is limited",
      "if (problem !== undefined) throw excessError(problem)",
      "",
      hostile,
      "send-values ends in time, in little memory and in few words",
    ],
    [
      "a2a client: a response has to be complete in time",
      "      timeoutMs,\n    )",
      "      timeoutMs * 100,\n    )",
      hostile,
      "send-slow ends in time, in little memory and in few words",
    ],
  ),
  ...within(
    "packages/a2a/src/client/event-gate.ts",
    [
      "a2a client: the size of a stream is limited",
      "if (received > mostBytes) throw",
      "if (received < 0) throw",
      hostile,
      "stream-comment ends in time, in little memory and in few words",
    ],
    [
      "a2a client: the shape of an event is limited",
      "if (error !== undefined) throw error",
      "",
      hostile,
      "stream-deep ends in time, in little memory and in few words",
    ],
  ),
  ...within(
    "packages/a2a/src/client/snapshot.ts",
    [
      "a2a client: a message that asks is limited",
      "length > agentLimits.questionCharacters",
      "length > Infinity",
      hostile,
      "asks-long ends in time, in little memory and in few words",
    ],
    [
      "a2a client: an id is limited",
      "id.length > agentLimits.idCharacters",
      "id.length > Infinity",
      hostile,
      "send-id ends in time, in little memory and in few words",
    ],
  ),
  ...within("packages/a2a/src/client/words.ts", [
    "a2a client: models get no control characters from agents",
    "truncate(clean(text))",
    "truncate(text)",
    tasks,
    "is an error that quotes the agent",
  ]),
  ...within(
    "packages/a2a/src/client/answer.ts",
    [
      "a2a client: the person sees which agent asks",
      "formWords(settings, question)), answerForm",
      "question), answerForm",
      questions,
      "quotes the agent's text, without control characters",
    ],
    [
      "a2a client: what cannot be shown to a person is declined",
      "if (!isUnaskable(error)) throw error",
      "throw error",
      questions,
      "is declined without asking the person, and the result says so",
    ],
  ),
  ...within("packages/a2a/src/client/questions.ts", [
    "a2a client: an address in a text is judged",
    ".filter((url) => checkUrl(url).ok)",
    "",
    questions,
    "ignores dangerous addresses in a text, and asks the person to confirm when it is done",
  ]),
  ...within(
    "packages/a2a/src/client/parts.ts",
    [
      "a2a client: a reply is kept up to a limit",
      "return remaining >= 0",
      "return true",
      tasks,
      "drops the parts that do not fit when its reply is too large",
    ],
    [
      "a2a client: the parts of a reply are limited",
      "parts.length > agentLimits.parts",
      "parts.length > Infinity",
      hostile,
      "send-parts ends in time, in little memory and in few words",
    ],
  ),
  ...within(
    "packages/a2a/src/client/send.ts",
    [
      "a2a client: a task with an unknown outcome is not sent again",
      "isRepeat ? await findTask(attempt, messageId) : undefined",
      "undefined",
      "packages/a2a/test/agents/client/a2a-client.db.test.ts",
      "is not sent twice, and is reported as unknown, when the process dies",
    ],
    [
      "a2a client: an answer that has arrived is not sent again",
      'if (status?.kind === "seen" && (status.hasMessage || status.snapshot.mark !== mark)) return',
      'if (status?.kind === "gone") return',
      questions,
      "are answered again after a broken connection only if the agent has not received the answer",
    ],
  ),
  ...within(
    "packages/a2a/src/client/call.ts",
    [
      "a2a client: the person's stop reaches the agent",
      'stopped.addEventListener("abort", cancel, { once: true })\n',
      "",
      tasks,
      "is cancelled at the agent when the person stops the run",
    ],
    [
      "a2a client: the questions of a task are bounded",
      "if (questions > agentLimits.questions) break",
      "",
      questions,
      "are no more than forty in one task",
    ],
    [
      "a2a client: the notes of a task are bounded",
      "if (notes.length < agentLimits.notes) notes.push",
      "notes.push",
      hostile,
      "asks-on ends in time, in little memory and in few words",
    ],
    [
      "a2a client: rounds are bounded",
      "round <= mostRounds",
      "round > 0",
      questions,
      "are no longer answered when the agent keeps asking, and the task is cancelled",
    ],
  ),
  ...within("packages/a2a/src/client/authorize.ts", [
    "a2a client: a question does not outlive its agent",
    "await endQuestions(attempt, ids, firstResult)",
    "",
    questions,
    "fails together with its question when the agent is no longer reachable",
  ]),
  ...within(
    "packages/a2a/src/client/poll.ts",
    [
      "a2a client: the client gives up on an unreachable agent",
      "now - reachedAt > limits.unreachedMs",
      "now < 0",
      tasks,
      "ends with an explanation when the agent is no longer reachable",
    ],
    [
      "a2a client: a stream does not set the pace of polls",
      "if (falseAlarms > 0) await pause(runtime, pauseMs, signal)",
      "",
      hostile,
      "is not polled faster because its stream says that something changed",
    ],
  ),
  ...within(
    "packages/a2a/src/agents/client/a2a-tools.ts",
    [
      "a2a client: each person has their own credentials",
      'credentialScope === "user" ? personKey(run.person) : run.tenant',
      "run.tenant",
      agents,
      "gets only the credentials of the person it works for",
    ],
    [
      "a2a client: a run that is stopped while it waits leaves no task",
      "await peerOf(name, agent, run).cancel(ask, task)",
      "return",
      agents,
      "has its task cancelled when the person stops the reply while it waits for them",
    ],
  ),
]
