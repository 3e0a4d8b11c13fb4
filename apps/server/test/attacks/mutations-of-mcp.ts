// Checks of the data that MCP clients send: states, sessions, answers, a late No.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const tests = "packages/holdpoint/test/surfaces/mcp"
const parts = `${tests}/parts`
const behaviour = `${tests}/behaviour`

const facts = '(["principal", "client", "method", "digest"] as const)'

const ofStates: readonly Mutation[] = [
  ...within(
    "surfaces/mcp/state.ts",
    [
      "mcp: the state's person",
      facts,
      '(["client", "method", "digest"] as const)',
      `${parts}/state.test.ts`,
      "is refused for another principal",
    ],
    [
      "mcp: the state's client",
      facts,
      '(["principal", "method", "digest"] as const)',
      `${behaviour}/replay.test.ts`,
      "opens for no other person, client or tool",
    ],
    [
      "mcp: the state's method",
      facts,
      '(["principal", "client", "digest"] as const)',
      `${parts}/state.test.ts`,
      "is refused for another method",
    ],
    [
      "mcp: the state's arguments",
      facts,
      '(["principal", "client", "method"] as const)',
      `${behaviour}/replay.test.ts`,
      "is refused when its arguments were changed",
    ],
    [
      "mcp: the state's time",
      " || now >= state.expiresAt",
      "",
      `${parts}/state.test.ts`,
      "opens for whom and what it was sealed, until its time is over",
    ],
    [
      "mcp: the state's size",
      " || text.length > mostCharacters",
      "",
      `${parts}/state.test.ts`,
      "is refused without being opened when it is longer than any issued one",
    ],
    [
      "mcp: a session is not a state",
      'const sessionPurpose = "mcp session"',
      'const sessionPurpose = "mcp state"',
      `${parts}/kept-apart.test.ts`,
      "is not accepted as a state, and the other way round",
    ],
    [
      "mcp: the session's owner",
      "owner !== principal || ",
      "",
      `${behaviour}/sessions.test.ts`,
      "of somebody else, altered, or over does not exist",
    ],
  ),
  ...within(
    "surfaces/mcp/sessions.ts",
    [
      "mcp: the session's owner, remembered",
      "cached.principal === owner && ",
      "",
      `${parts}/kept-apart.test.ts`,
      "a session that its owner has just used is still refused to others",
    ],
    [
      "mcp: a session that was ended",
      "?.isEnded === true ? undefined : session",
      " === null ? undefined : session",
      `${behaviour}/sessions.test.ts`,
      "that was ended is unknown at every process",
    ],
  ),
  ...within(
    "asking/calls.ts",
    [
      "mcp: a state is used once",
      " || record.round !== round",
      "",
      `${behaviour}/replay.test.ts`,
      "is good for one answered request; after the result it gives the same result",
    ],
    [
      "mcp: the call's owner",
      "record.owner === keyOf(caller) && ",
      "",
      "packages/holdpoint/test/asking/calls.test.ts",
      "is refused for another caller, an unknown call, another round or an ended call",
    ],
    [
      "mcp: one request has a call",
      "if (!isOurs) return undefined",
      "",
      "packages/holdpoint/test/asking/calls.test.ts",
      "is taken by exactly one of the requests that bring it at the same time",
    ],
  ),
]

const lateNo = `${behaviour}/late-no.test.ts`

const ofLateNoes: readonly Mutation[] = [
  ...within("surfaces/mcp/rounds.ts", [
    "late no: what the client brings after a yes elsewhere",
    'if (asked.reply !== undefined && settled.status === "completed") await applyReply(run, round, asked.reply)',
    "",
    lateNo,
    "in the client's own prompt, and nothing is done",
  ]),
  ...within("asking/once.ts", [
    "late no: looked for right before the effect",
    "const refused = await refusedBefore(run, call, namedEffect)",
    "const refused = undefined",
    lateNo,
    "from the client before the effect, and nothing is done",
  ]),
  ...within(
    "asking/late-no.ts",
    [
      "late no: a handler is told while it works",
      "if (isLateNo(entry)) checkAnswers(({ elicitation }) => elicitation === entry.id)",
      "",
      `${behaviour}/late-no-signal.test.ts`,
      "aborts its signal with the refusal, which becomes the result",
    ],
    [
      "late no: a handler is told of what came before",
      "checkAnswers(() => true)",
      "",
      `${behaviour}/late-no-signal.test.ts`,
      "is found when it came before the signal was looked at, at another process",
    ],
    [
      "late no: an answer counts for scopes inside its own",
      "scope.startsWith(scopeOf(key))",
      "scope === scopeOf(key)",
      "packages/holdpoint/test/asking/late-no-scopes.test.ts",
      "stops what relies on it",
    ],
  ),
  ...within("asking/connection.ts", [
    "late no: an account that is there",
    " && !(await isRefused(run, key))",
    "",
    lateNo,
    "in the client's own prompt, and nothing is done",
  ]),
  ...within("hub/steps.ts", [
    "late no: as the answer to a confirmation",
    'return current.mode === "form" && isNo(current.requestedSchema, event.content)',
    "return false",
    lateNo,
    "takes the No to a confirmation that a client sends as an answer for a No",
  ]),
  ...within("hub/effects.ts", [
    "late no: told what had begun",
    "const isBefore = no === -1 || index < no",
    "const isBefore = false",
    lateNo,
    "is told that the effect had begun, and then that it was done, and when",
  ]),
  ...within("http/visit.ts", [
    "late no: on the page of a link",
    'const isLateNo = standing === "over" && fields.get("do") === "no"',
    "const isLateNo = false",
    "apps/server/test/pages/after-the-answer.test.ts",
    "counts on the page of a link, too",
  ]),
  ...within("surfaces/mcp/push.ts", [
    "late no: the page tells that the asker is gone",
    'await noteAsker(run, call, { questions: [elicitation.id], state: "gone" })',
    "",
    "apps/server/test/pages/after-the-answer.test.ts",
    "the page of a link says when the program that asked is gone",
  ]),
  ...within("surfaces/mcp/result.ts", [
    "late no: the page tells that the asker comes again",
    '{ ...namesOf(newQuestions.filter((one) => !isOwnPage(one))), state: "again" }',
    '{ questions: [], state: "again" }',
    "apps/server/test/pages/after-the-answer.test.ts",
    "says that the program gets the answer when it asks again, and then what it did",
  ]),
]

const ofAnswers: readonly Mutation[] = [
  ...within("surfaces/mcp/rounds.ts", [
    "links: an expired one is asked anew",
    'return status === "expired"',
    "return false",
    `${behaviour}/own-page.test.ts`,
    "gets a new link from the first call after its link has expired",
  ]),
  ...within("asking/prompting.ts", [
    "links: waited for no longer than one hold",
    "else release ??= holds.begin(() => resolve(notYet))",
    "",
    `${behaviour}/held.test.ts`,
    "that agrees hears within one hold that it is not done",
  ]),
  ...within("surfaces/mcp/settings.ts", [
    "mcp: an author without pages says so",
    "...((options.addresses as unknown) === undefined ? [noPages] : []),",
    "",
    `${tests}/behaviour/setup.test.ts`,
    "says that clients which cannot be asked have no page to answer on, unless that is meant",
  ]),
  ...within("asking/question.ts", [
    "confirm: what was asked as a box",
    "digest: checkbox.digest,",
    "",
    `${behaviour}/confirm.test.ts`,
    "goes on with what was ticked, on 2026-07-28",
  ]),
  ...within("core/confirmation.ts", [
    "confirm: nothing is chosen beforehand",
    '{ title: "Your answer" }',
    '{ title: "Your answer", default: "yes" }',
    `${behaviour}/confirm.test.ts`,
    "is asked for one of two acts by name, with nothing chosen for the person",
  ]),
  ...within("surfaces/mcp/result.ts", [
    "mcp: a page of ours is done after the person's yes",
    "return !ours.some((page) => addresses?.to(page, link.elicitation) === link.url)",
    "return true",
    `${behaviour}/own-page.test.ts`,
    "is not believed for a page of ours, on which the person has to say yes first",
  ]),
  ...within("hub/steps.ts", [
    "mcp: a link that clients accept is done after that",
    "return isGiven(await readTrail(trail, id)) ? step",
    "return isGiven(await readTrail(trail, id)) || true ? step",
    `${behaviour}/own-page.test.ts`,
    "a link that a client can accept is not done before it was accepted",
  ]),
  ...within("surfaces/mcp/body.ts", [
    "mcp: depth of a body",
    'isTooDeep(value) ? { ok: false, why: "too_deep" } :',
    "",
    `${tests}/behaviour/odd-input.test.ts`,
    "is refused with words that name the limit",
  ]),
  ...within("surfaces/mcp/stdio.ts", [
    "mcp: depth of a message",
    "if (isTooDeep(message)) return refuseDeep(surface, wire, message)",
    "",
    `${tests}/behaviour/odd-input.test.ts`,
    "a message that is nested very deep is refused with words",
  ]),
  ...within(
    "surfaces/mcp/push.ts",
    [
      "mcp: the prompt of this session",
      " || requestName.mark !== markOf(connection, requestName)) return true",
      ") return true",
      `${behaviour}/asking.test.ts`,
      "is not answered by another session of the same person, nor by somebody else",
    ],
    [
      "mcp: no prompt without a session",
      "connection.session === undefined || requestName.mark",
      "requestName.mark",
      `${tests}/behaviour/forged-ids.test.ts`,
      "is not computed by another program of the same person that has no session",
    ],
    [
      "mcp: the prompt of this question",
      'digestOf(["prompt", session, elicitation, ',
      'digestOf(["prompt", session, ',
      `${tests}/behaviour/forged-ids.test.ts`,
      "cannot be made into one for a question that this client was not asked",
    ],
  ),
  ...within("asking/prompting.ts", [
    "mcp: no means no for the call",
    'if (earlier?.kind === "answered") return earlier.outcome',
    'if (earlier?.kind === "answered" && earlier.outcome.status === "completed") return earlier.outcome',
    `${behaviour}/declined.test.ts`,
    "that was declined is not put again when the handler goes on with something else",
  ]),
  ...within("asking/prompting.ts", [
    "mcp: three answers that do not fit",
    "export const mostAttempts = 3",
    "export const mostAttempts = 300",
    `${behaviour}/asking.test.ts`,
    "is asked again with the problem named, and a third time ends it, on 2026-07-28",
  ]),
  ...within("asking/prompting.ts", [
    "mcp: accepted is not done",
    "const { until } = question.options",
    'const { until = "accepted" } = question.options',
    `${tests}/links.test.ts`,
    "is not trusted before the server has seen that it is completed",
  ]),
  ...within("surfaces/mcp/channel.ts", [
    "mcp: declared modes",
    "if (client.form && needs.fits) {",
    "if (needs.fits) {",
    `${parts}/channel.test.ts`,
    "never is in a mode that the client did not declare",
  ]),
  ...within("asking/journal.ts", [
    "mcp: one key, one question",
    "if (entry !== undefined && entry.digest !== digest)",
    "if (false)",
    `${behaviour}/replay.test.ts`,
    "fails loudly when it asks something else under the same key",
  ]),
  ...within("asking/once.ts", [
    "mcp: an interrupted effect",
    'if (earlier?.kind === "started" && !repeatable) throw outcomeUnknown(key)',
    "",
    `${behaviour}/once.test.ts`,
    "is not repeated when its process ended in the middle, and says so",
  ]),
  ...within("surfaces/mcp/client.ts", [
    "mcp: a bare declaration",
    "const url = isObject(declared.url)",
    "const url = isObject(declared.url) || Object.keys(declared).length === 0",
    `${parts}/client.test.ts`,
    "a bare {} is forms only",
  ]),
  ...within("surfaces/mcp/wire.ts", [
    "mcp: an empty box",
    "acknowledged === false",
    "acknowledged === null",
    `${tests}/links.test.ts`,
    "counts as declined when the box is left empty",
  ]),
  ...within("surfaces/mcp/track.ts", [
    "mcp: only the person who was asked tracks",
    ' || !canAnswer(elicitation, principalOf(connection, ""))',
    "",
    `${tests}/links.test.ts`,
    "refuses an unknown id and the id of another person in the same way",
  ]),
  ...within("surfaces/mcp/stream.ts", [
    "mcp: completions to who was given the link",
    "if (!(await sessions.removeLink(session, elicitation))) return",
    "await sessions.removeLink(session, elicitation)",
    `${behaviour}/sessions.test.ts`,
    "is told to the session that was given it, wherever it listens, and to no other",
  ]),
]

export const mcpMutations: readonly Mutation[] = [...ofStates, ...ofLateNoes, ...ofAnswers]
