// Checks of questions from other MCP servers, and of calls that wait for such questions.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const foreignCheck = "packages/agents/test/schema/foreign-check.test.ts"
const hostile = "packages/agents/test/hostile/hostile.test.ts"
const rounds = "packages/mcp/test/client/rounds.test.ts"
const floods = "packages/mcp/test/client/floods.test.ts"
const pushed = "packages/mcp/test/client/pushed.test.ts"
const rooms = "packages/agents/test/agents-mcp-rooms.test.ts"
const onBehalf = "packages/calls/test/on-behalf.test.ts"

export const mcpClientMutations: readonly Mutation[] = [
  ...within("packages/agents/src/schema/without-patterns.ts", [
    "foreign schemas: patterns are not run",
    '      keyword !== "pattern" &&\n',
    "",
    foreignCheck,
    "are checked in no time when a pattern would take forever",
  ]),
  ...within(
    "packages/agents/src/schema/foreign-check.ts",
    [
      "foreign schemas: a check has a deadline",
      "  }, deadlineMs)",
      "  }, deadlineMs * 100)",
      foreignCheck,
      "are not checked by a schema that takes too long or too much memory, and others still are",
    ],
    [
      "foreign schemas: the failure of a thread that is ended does not end the process",
      'worker.on("error", () => {})',
      "",
      foreignCheck,
      "end no process when their thread runs out of memory just as it is ended",
    ],
  ),
  ...within(
    "packages/mcp/src/client/gate.ts",
    [
      "mcp client: the depth of a message is limited",
      "if (isTooDeep(message)) return words.levels",
      "",
      hostile,
      "that nests a result deeply is refused in words",
    ],
    [
      "mcp client: the parts of a result are limited",
      "> messageLimits.parts) return words.parts",
      "> Infinity) return words.parts",
      hostile,
      "that sends too many parts is refused in words",
    ],
    [
      "mcp client: the tools of a list are limited",
      "list.tools > messageLimits.tools",
      "list.tools > Infinity",
      hostile,
      "that lists tools without end offers no tool",
    ],
    [
      "mcp client: the body of a response is limited",
      "readText(response, messageLimits.bytes)",
      "readText(response, Infinity)",
      hostile,
      "that sends far too much is read up to a limit, and the model reads that the tool ran",
    ],
  ),
  ...within("packages/mcp/src/client/event-limit.ts", [
    "mcp client: the events of a stream are limited",
    "if (bytes.size <= mostBytes) return",
    "if (bytes.size >= 0) return",
    hostile,
    "that sends far too much is read up to a limit, and the model reads that the tool ran",
  ]),
  ...within("packages/mcp/src/client/follow-rounds.ts", [
    "floods: questions in rounds are bounded",
    "if (questions > limits.questions)",
    "if (questions > limits.questions * 99)",
    floods,
    "of 200 in one round",
  ]),
  ...within("packages/mcp/src/client/pushed.ts", [
    "floods: pushed questions are bounded",
    "if (questions.length >= limits.questions)",
    "if (questions.length >= limits.questions * 99)",
    floods,
    "of a server that pushes question after question ends its call at the twentieth",
  ]),
  ...within("packages/calls/src/on-behalf.ts", [
    "floods: a question that had no place is not asked later",
    "if (isUnaskable(error) && isTooMany(error)) await keepProblem(error.message)",
    "",
    floods,
    "of 20 in a round has five places",
  ]),
  ...within(
    "packages/hub/src/hub/places.ts",
    [
      "floods: an asker leaves places for others",
      "if (taken >= places && !",
      "if (taken < 0 && !",
      floods,
      "of one program leaves places for the urgent question of another",
    ],
    [
      "floods: a relayed program has few places",
      "Math.max(1, Math.floor(pendingPerPerson / 4))",
      "pendingPerPerson",
      floods,
      "of 20 in a round has five places",
    ],
  ),
  ...within(
    "packages/agents/src/mcp/peers.ts",
    [
      "mcp client: an open question holds up only its own person",
      "JSON.stringify([name, personKey(person)])",
      "JSON.stringify([name, person.tenant])",
      "packages/agents/test/shared-servers.test.ts",
      "the open question of one person does not hold up the calls of another at a shared server",
    ],
    [
      "mcp client: connections are bounded",
      "if (peers.size < maxPeers) return",
      "if (peers.size < maxPeers * 9) return",
      "packages/agents/test/shared-servers.test.ts",
      "are at most 200: the one that was unused for longest makes room",
    ],
  ),
  ...within("packages/mcp/src/client/follow-rounds.ts", [
    "mcp client: a foreign server cannot name our questions",
    "peer.isInProcess ? joinedQuestionIn(params) : undefined",
    "joinedQuestionIn(params)",
    rounds,
    "ignores an id of our hub that a foreign server names, and asks a new question",
  ]),
  ...within(
    "packages/calls/src/on-behalf.ts",
    [
      "mcp client: forms that ask for secrets are declined",
      '  "secret_in_form",\n',
      "",
      rounds,
      "declines a form that asks for",
    ],
    ["mcp client: dangerous addresses are declined", '  "unsafe_url",\n', "", rounds, "declines a link to"],
  ),
  ...within(
    "packages/calls/src/foreign-words.ts",
    [
      "mcp client: the person sees who asks",
      "nameOf(program)} asks: $",
      '"It"} asks: $',
      pushed,
      "is asked in the server's name, and the same call continues, over several suspensions",
    ],
    [
      "mcp client: a warning for look-alike hosts",
      'flags.includes("punycode")',
      "false",
      pushed,
      "is made again when the person says that they have finished",
    ],
    [
      "mcp client: control characters from servers are removed",
      '.replace(/[^\\P{C}\\n\\t]/gu, "")',
      "",
      rounds,
      "removes control characters from a server's texts, and shortens long ones",
    ],
  ),
  ...within(
    "packages/mcp/src/client/pushed.ts",
    [
      "mcp client: one call at a time",
      "if (current !== undefined) return\n    current = queue.shift()",
      "current = queue.shift()",
      pushed,
      "comes from one call at a time, even when one run makes two calls",
    ],
    [
      "mcp client: the time stops while a person answers",
      "      stopwatch?.pause()\n",
      "",
      pushed,
      "has no time limit of the call",
    ],
  ),
  ...within("packages/mcp/src/client/call.ts", [
    "mcp client: links are visited a bounded number of times",
    "const mostRetries = 3",
    "const mostRetries = 99",
    pushed,
    "is made again at most three times",
  ]),
  ...within("packages/mcp/src/client/send.ts", [
    "mcp client: a call that must not be repeated is not repeated",
    "peer.isInProcess || annotations?.readOnlyHint === true || annotations?.idempotentHint === true",
    "true",
    "packages/mcp/test/client/killed.db.test.ts",
    "that was killed inside of a request",
  ]),
  ...within("packages/mcp/src/server/result.ts", [
    "mcp: ids of questions are sent only to their waiting opener",
    "connection.parent === undefined ? {} : ",
    "",
    "packages/mcp/test/client/joined.test.ts",
    "has its id sent only on a connection whose opener waits for it",
  ]),
  ...within("packages/calls/src/late-no.ts", [
    "joined questions: effects belong to the call that asked",
    "isJoined !== true && ",
    "",
    onBehalf,
    "has no effects of the joined calls in its trail",
  ]),
  ...within("packages/calls/src/on-behalf.ts", [
    "joined questions: a form that the client cannot show leads to its page",
    "{ form: elicitation.requestedSchema }",
    "{}",
    rooms,
    "asks for several choices, on the page where the client cannot show them",
  ]),
  ...within("packages/mcp/src/client/follow-rounds.ts", [
    "joined questions: a link waits as long as the call that asked",
    'until: until === "accepted" || until === "held" ? until : undefined',
    "until: undefined",
    rooms,
    "sends the person to a page",
  ]),
  ...within("packages/mcp/src/server/push.ts", [
    "joined questions: a call that is given up cancels its forms",
    "question.isJoined === true && signal.aborted",
    "false",
    rooms,
    "asks no more when the call is given up",
  ]),
  ...within("packages/calls/src/wake.ts", [
    "joined questions: every waiting call is woken",
    "for (const parent of wokenParents(await readTrail(trail, question))) {",
    "for (const parent of [] as string[]) {",
    onBehalf,
    "resumes every call that joined it",
  ]),
]
