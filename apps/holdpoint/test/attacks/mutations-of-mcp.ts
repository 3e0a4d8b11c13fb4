// Checks of the data that MCP clients send: states, sessions, answers, a late No.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const facts = '(["principal", "client", "method", "digest"] as const)'

const ofStates: readonly Mutation[] = [
  ...within(
    "packages/mcp/src/server/state.ts",
    [
      "mcp: a state is for one person",
      facts,
      '(["client", "method", "digest"] as const)',
      "packages/mcp/test/server/parts/state.test.ts",
      "is refused for another principal",
    ],
    [
      "mcp: a state is for one client",
      facts,
      '(["principal", "method", "digest"] as const)',
      "packages/mcp/test/server/behaviour/replay.test.ts",
      "is valid for no other person, client, method or tool, and stays valid for its own",
    ],
    [
      "mcp: a state is for one method",
      facts,
      '(["principal", "client", "digest"] as const)',
      "packages/mcp/test/server/parts/state.test.ts",
      "is refused for another method",
    ],
    [
      "mcp: a state is for the same arguments",
      facts,
      '(["principal", "client", "method"] as const)',
      "packages/mcp/test/server/behaviour/replay.test.ts",
      "is refused when its arguments have changed, and continues when only their order has changed",
    ],
    [
      "mcp: a state expires",
      " || now >= state.expiresAt",
      "",
      "packages/mcp/test/server/parts/state.test.ts",
      "opens for the caller and the call that it was sealed for, until it expires",
    ],
    [
      "mcp: the size of a state is limited",
      " || text.length > mostCharacters",
      "",
      "packages/mcp/test/server/parts/state.test.ts",
      "is refused without being opened when it is longer than any issued one",
    ],
    [
      "mcp: a session is not a state",
      'const sessionPurpose = "mcp session"',
      'const sessionPurpose = "mcp state"',
      "packages/mcp/test/server/parts/kept-apart.test.ts",
      "is not accepted as a state, and the other way round",
    ],
    [
      "mcp: a session is for its owner",
      "owner !== principal || ",
      "",
      "packages/mcp/test/server/behaviour/sessions.test.ts",
      "of another person, altered or unknown does not exist",
    ],
  ),
  ...within(
    "packages/mcp/src/server/sessions.ts",
    [
      "mcp: a cached session is for its owner",
      "cached.principal === owner && ",
      "",
      "packages/mcp/test/server/parts/kept-apart.test.ts",
      "a session that its owner has just used is still refused to others",
    ],
    [
      "mcp: an ended session is unknown",
      "?.isEnded === true ? undefined : session",
      " === null ? undefined : session",
      "packages/mcp/test/server/behaviour/sessions.test.ts",
      "that was ended is unknown at every process",
    ],
  ),
  ...within(
    "packages/calls/src/calls.ts",
    [
      "mcp: a state is used once",
      " || record.round !== round",
      "",
      "packages/mcp/test/server/behaviour/replay.test.ts",
      "is valid for one answered request; after the result it returns the same result",
    ],
    [
      "mcp: a call is for its owner",
      "record.owner === personDigestOf(caller) && ",
      "",
      "packages/calls/test/calls.test.ts",
      "is refused for another caller, an unknown call, another round or an ended call",
    ],
    [
      "mcp: one request at a time has a call",
      "return isTaken ? (early",
      "return isTaken || early ? (early",
      "packages/calls/test/calls.test.ts",
      "is claimed by exactly one of several concurrent requests",
    ],
  ),
]

const lateNo = "packages/mcp/test/server/behaviour/late-no.test.ts"

const ofLateNoes: readonly Mutation[] = [
  ...within("packages/mcp/src/server/rounds.ts", [
    "late no: a client's No after a Yes in another place",
    'if (askedEntry.reply !== undefined && settled.status === "completed") await applyReply(run, round, askedEntry.reply)',
    "",
    lateNo,
    "in the client's own prompt, and nothing is done",
  ]),
  ...within("packages/calls/src/once.ts", [
    "late no: it is checked right before the effect",
    "const refusal = await findRefusal(run, call, namedEffect)",
    "const refusal = undefined",
    lateNo,
    "from the client before the effect, and nothing is done",
  ]),
  ...within(
    "packages/calls/src/late-no.ts",
    [
      "late no: a running handler is aborted",
      "if (isLateNo(entry)) checkAnswers(({ elicitation }) => elicitation === entry.id)",
      "",
      "packages/mcp/test/server/behaviour/late-no-signal.test.ts",
      "aborts its signal with the refusal, which becomes the result",
    ],
    [
      "late no: an earlier No reaches the handler",
      "checkAnswers(() => true)",
      "",
      "packages/mcp/test/server/behaviour/late-no-signal.test.ts",
      "is noticed when it came before the signal was read, in another process",
    ],
    [
      "late no: an answer counts for scopes inside its own",
      "scope.startsWith(scopeOf(key))",
      "scope === scopeOf(key)",
      "packages/calls/test/late-no-scopes.test.ts",
      "stops only what relies on it",
    ],
  ),
  ...within("packages/calls/src/connection.ts", [
    "late no: an account that is connected already",
    " && !(await isRefused(run, key))",
    "",
    lateNo,
    "in the client's own prompt, and nothing is done",
  ]),
  ...within("packages/hub/src/hub/steps.ts", [
    "late no: as the answer to a confirmation",
    'return current.mode === "form" && isNo(current.requestedSchema, event.content)',
    "return false",
    lateNo,
    "treats the answer No to a confirmation as a No",
  ]),
  ...within("packages/hub/src/hub/effects.ts", [
    "late no: the answer says what had begun",
    "const isBeforeNo = noIndex === -1 || index < noIndex",
    "const isBeforeNo = false",
    lateNo,
    "learns that the effect had begun, and later that it was done and when",
  ]),
  ...within("packages/server/src/http/visit.ts", [
    "late no: on the page of a link",
    'const isLateNo = state === "over" && fields.get("do") === "no"',
    "const isLateNo = false",
    "apps/holdpoint/test/pages/after-the-answer.test.ts",
    "also works on the page of a link",
  ]),
  ...within("packages/mcp/src/server/push.ts", [
    "late no: the page says that the asker is gone",
    'await noteAsker(run, call, { questions: [elicitation.id], state: "gone" })',
    "",
    "apps/holdpoint/test/pages/after-the-answer.test.ts",
    "the page of a link says when the program that asked is gone",
  ]),
  ...within("packages/mcp/src/server/result.ts", [
    "late no: the page says that the asker will ask again",
    '{ ...namesOf(newQuestions.filter((one) => !isOwnPage(one))), state: "again" }',
    '{ questions: [], state: "again" }',
    "apps/holdpoint/test/pages/after-the-answer.test.ts",
    "says that the program gets the answer when it asks again, and then what it did",
  ]),
]

const ofAnswers: readonly Mutation[] = [
  ...within("packages/mcp/src/server/rounds.ts", [
    "links: an expired link is replaced",
    'return status === "expired"',
    "return false",
    "packages/mcp/test/server/behaviour/own-page.test.ts",
    "gets a new link from the first call after its link has expired",
  ]),
  ...within("packages/calls/src/prompting.ts", [
    "links: a call waits no longer than one hold",
    "else release ??= holds.begin(() => resolve(notYetOutcome))",
    "",
    "packages/mcp/test/server/behaviour/held.test.ts",
    "that accepts learns in one hold that the link is not done",
  ]),
  ...within("packages/mcp/src/server/settings.ts", [
    "mcp: an author without pages says so",
    "...((options.addresses as unknown) === undefined ? [noPages] : []),",
    "",
    "packages/mcp/test/server/behaviour/setup.test.ts",
    "requires addresses of pages, or an explicit none, for clients that cannot be asked",
  ]),
  ...within("packages/hub/src/core/confirmation.ts", [
    "confirm: no answer is preselected",
    '{ title: "Your answer" }',
    '{ title: "Your answer", default: "yes" }',
    "packages/mcp/test/server/behaviour/confirm.test.ts",
    "is asked for one of two named acts, with neither preselected",
  ]),
  ...within("packages/mcp/src/server/result.ts", [
    "mcp: a page of ours is done after the person's yes",
    "return !ownPages.some((page) => addresses?.to(page, link.elicitation) === link.url)",
    "return true",
    "packages/mcp/test/server/behaviour/own-page.test.ts",
    "needs the person to accept before a page of ours can be completed",
  ]),
  ...within("packages/hub/src/hub/steps.ts", [
    "mcp: a link that clients accept is done after that",
    "return isHandedOut(await readTrail(trail, id)) ? step",
    "return isHandedOut(await readTrail(trail, id)) || true ? step",
    "packages/mcp/test/server/behaviour/own-page.test.ts",
    "a link that a client can accept cannot be completed before it is accepted",
  ]),
  ...within("packages/mcp/src/server/body.ts", [
    "mcp: the depth of a body is limited",
    'isTooDeep(value) ? { ok: false, reason: "too_deep" } :',
    "",
    "packages/mcp/test/server/behaviour/odd-input.test.ts",
    "is refused with an error that names the limit, at",
  ]),
  ...within("packages/mcp/src/server/stdio.ts", [
    "mcp: the depth of a message is limited",
    "if (isTooDeep(message)) return refuseDeep(surface, wire, message)",
    "",
    "packages/mcp/test/server/behaviour/odd-input.test.ts",
    "a deeply nested message gets an error that names the limit, at",
  ]),
  ...within(
    "packages/mcp/src/server/push.ts",
    [
      "mcp: a prompt is answered in its own session",
      " || requestName.mark !== markOf(connection, requestName)) return true",
      ") return true",
      "packages/mcp/test/server/behaviour/asking.test.ts",
      "cannot be answered by another session of the same person, or by another person",
    ],
    [
      "mcp: no prompt without a session",
      "connection.session === undefined || requestName.mark",
      "requestName.mark",
      "packages/mcp/test/server/behaviour/forged-ids.test.ts",
      "is not computed by another program of the same person that has no session",
    ],
    [
      "mcp: a prompt is for one question",
      'digestOf(["prompt", session, elicitation, ',
      'digestOf(["prompt", session, ',
      "packages/mcp/test/server/behaviour/forged-ids.test.ts",
      "cannot be made into one for a question that this client was not asked",
    ],
  ),
  ...within("packages/calls/src/prompting.ts", [
    "mcp: no means no for the call",
    'if (earlierEntry?.kind === "answered") return earlierEntry.outcome',
    'if (earlierEntry?.kind === "answered" && earlierEntry.outcome.status === "completed") return earlierEntry.outcome',
    "packages/mcp/test/server/behaviour/declined.test.ts",
    "that was declined is not asked again when the handler asks something else",
  ]),
  ...within("packages/calls/src/prompting.ts", [
    "mcp: three invalid answers end a question",
    "export const mostAttempts = 3",
    "export const mostAttempts = 300",
    "packages/mcp/test/server/behaviour/asking.test.ts",
    "repeats the question with the problem named, and the third one ends the call, on 2026-07-28",
  ]),
  ...within("packages/calls/src/prompting.ts", [
    "mcp: accepted is not done",
    "const { until } = question.options",
    'const { until = "accepted" } = question.options',
    "packages/mcp/test/server/links.test.ts",
    "is not trusted before the server has seen that it is completed",
  ]),
  ...within("packages/mcp/src/server/channel.ts", [
    "mcp: only declared modes are used",
    "if (client.form && needs.fitsClient) {",
    "if (needs.fitsClient) {",
    "packages/mcp/test/server/parts/channel.test.ts",
    "never uses a mode that the client did not declare",
  ]),
  ...within("packages/calls/src/journal.ts", [
    "mcp: one key, one question",
    "if (entry !== undefined && entry.digest !== digest)",
    "if (false)",
    "packages/mcp/test/server/behaviour/replay.test.ts",
    "fails loudly when it asks something else under the same key",
  ]),
  ...within("packages/calls/src/once.ts", [
    "mcp: an interrupted effect is not repeated",
    'if (earlierEntry?.kind === "started" && !repeatable) throw outcomeUnknownError(key)',
    "",
    "packages/mcp/test/server/behaviour/once.test.ts",
    "is not repeated when its process ended in the middle, and says so",
  ]),
  ...within("packages/mcp/src/server/client.ts", [
    "mcp: an empty capability means forms only",
    "const url = isObject(declared.url)",
    "const url = isObject(declared.url) || Object.keys(declared).length === 0",
    "packages/mcp/test/server/parts/client.test.ts",
    "a bare {} is forms only",
  ]),
  ...within("packages/mcp/src/server/wire.ts", [
    "mcp: an empty checkbox is a refusal",
    "acknowledged === false",
    "acknowledged === null",
    "packages/mcp/test/server/links.test.ts",
    "counts as declined when the box is left empty",
  ]),
  ...within("packages/mcp/src/server/track.ts", [
    "mcp: only the person who was asked tracks",
    ' || !canAnswer(elicitation, principalOf(connection, ""))',
    "",
    "packages/mcp/test/server/links.test.ts",
    "refuses an unknown id and the id of another person in the same way",
  ]),
  ...within("packages/mcp/src/server/stream.ts", [
    "mcp: completions go only to the session with the link",
    "if (!(await sessions.removeLink(session, elicitation))) return",
    "await sessions.removeLink(session, elicitation)",
    "packages/mcp/test/server/behaviour/sessions.test.ts",
    "is sent to the session that received the link, wherever it listens, and to no other",
  ]),
]

export const mcpMutations: readonly Mutation[] = [...ofStates, ...ofLateNoes, ...ofAnswers]
