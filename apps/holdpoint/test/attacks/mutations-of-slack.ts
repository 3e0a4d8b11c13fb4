// Checks of requests from Slack: their sender, the linked account, and who may answer.

import { type Mutation, within } from "./mutation.ts"

const receiving = "packages/slack/test/receiving.test.ts"
const answering = "packages/slack/test/answering.test.ts"
const deliveries = "packages/slack/test/deliveries.test.ts"
const extremes = "packages/slack/test/extremes.test.ts"
const linking = "apps/holdpoint/test/slack/linking.test.ts"

const refused = "are refused: unsigned, forged, altered, stale, and foreign"
const forwarded = "that mallory forwards to alice does not let mallory answer for alice"
const once = "works once, and changes nothing when it is only opened"

export const slackMutations: readonly Mutation[] = [
  ...within("packages/slack/src/wire.ts", [
    "slack: an account is a team and a user",
    'if (home !== team) return "foreign"',
    "",
    "packages/slack/test/accounts.test.ts",
    "of a foreign team's user with the same id answers nothing",
  ]),
  ...within("packages/slack/src/wire.ts", [
    "slack: a message of another team is not its person's",
    "if (homes.some((home) => home !== undefined && home !== null && home !== team)) return undefined",
    "",
    "packages/slack/test/accounts.test.ts",
    "is foreign reaches no listener",
  ]),
  ...within("packages/slack/src/answer.ts", [
    "slack: an unknown callback is not an answer",
    "if (submission.callback !== callbacks.answer && submission.callback !== callbacks.decline) return undefined",
    "",
    "packages/slack/test/accounts.test.ts",
    "with the unknown callback",
  ]),
  ...within(
    "packages/slack/src/signature.ts",
    [
      "slack: the signature is compared",
      "return isSameText(signature, expected) ? undefined",
      "return signature !== expected.slice(0, 0) ? undefined",
      receiving,
      refused,
    ],
    [
      "slack: an old signature is refused",
      "Math.abs(now - Number(timestamp) * 1_000) > freshMs",
      "now - Number(timestamp) * 1_000 > freshMs * 10",
      receiving,
      refused,
    ],
    [
      "slack: a signature from the future is refused",
      "Math.abs(now - Number(timestamp) * 1_000) > freshMs",
      "now - Number(timestamp) * 1_000 > freshMs",
      receiving,
      refused,
    ],
  ),
  ...within(
    "packages/slack/src/receiver.ts",
    [
      "slack: another app is refused",
      "(appId === undefined || app === appId)",
      "(app !== undefined)",
      receiving,
      refused,
    ],
    [
      "slack: another workspace is refused",
      "(await workspaces.find(team)) !== undefined",
      "(await workspaces.all()).length > 0",
      receiving,
      refused,
    ],
    [
      "slack: an interaction counts once",
      'if (!(await isFirst(interaction, JSON.stringify(body)))) return { kind: "repeated" }',
      "await isFirst(interaction, JSON.stringify(body))",
      deliveries,
      "that is pressed twice at the same time is answered once, and a repeated request does nothing",
    ],
    [
      "slack: the acknowledgement does not wait",
      "runtime.after(acknowledgeMs, ",
      "runtime.after(acknowledgeMs * 100, ",
      deliveries,
      "is acknowledged in time, however long the answer takes",
    ],
  ),
  ...within(
    "packages/slack/src/events.ts",
    [
      "slack: an event is handled once",
      "if (!(await records.insert(record))) return false",
      "await records.insert(record)",
      receiving,
      "are handled once, however often and wherever Slack sends them",
    ],
    [
      "slack: a stored message is sealed",
      "const record = due.leased({ ...base,",
      "const record = due.leased({ ...base, ...{ seen: message.text },",
      receiving,
      "are kept sealed, and only until they are handled",
    ],
  ),
  ...within(
    "packages/slack/src/answer.ts",
    [
      "slack: a No after the end reaches the hub",
      'isNo ? toNo(target.question, "") : undefined',
      "undefined",
      answering,
      "sends a No after a Yes to the hub, and says that the program already had the answer",
    ],
    [
      "slack: only the addressee opens the modal",
      "if (!canAnswer(question, person)) return words.notYours",
      "if (!canAnswer(question, person) && person === undefined) return words.notYours",
      answering,
      "refuses the presses of other people, and tells only them",
    ],
  ),
  ...within("packages/slack/src/text.ts", [
    "slack: mrkdwn is escaped",
    '.replace(/</g, "&lt;")',
    "",
    extremes,
    "mentions no person, links nowhere and formats nothing",
  ]),
  ...within("packages/slack/src/text.ts", [
    "slack: no address of an asker that Slack makes a link of",
    '"–" : toUnlinked(text), most)',
    '"–" : text, most)',
    "packages/slack/test/extremes.test.ts",
    "has no address that Slack could make a link of, whatever its dot",
  ]),
  ...within(
    "packages/slack/src/map.ts",
    [
      "slack: a link leads through our page",
      "new URL(url).origin === new URL(page).origin && url",
      "url",
      answering,
      "names its host, leads through our page, and can be declined",
    ],
    [
      "slack: a link is named by the host behind our page",
      "new URL(visitedAddress(question, addresses) ?? question.url)",
      "new URL(question.url)",
      answering,
      "names the host behind our page, for a link that a program asked over HTTP or MCP",
    ],
  ),
  ...within(
    "packages/slack/src/linking.ts",
    [
      "slack linking: the same e-mail address, or a code",
      "if (isSameAddress(slackPerson?.email, request.email)) {",
      "if (slackPerson !== undefined) {",
      linking,
      forwarded,
    ],
    [
      "slack linking: the code is compared",
      "if (!isHashOf(readCode(codeIn(values)), codeHash)) {",
      "if (readCode(codeIn(values)) === codeHash) {",
      linking,
      forwarded,
    ],
    [
      "slack linking: a code has five attempts",
      "request.misses < mostMisses\n",
      "request.misses < mostMisses * 100\n",
      linking,
      forwarded,
    ],
    [
      "slack linking: a link works once",
      "if (!(await requests.remove(request))) return false",
      "await requests.remove(request)",
      linking,
      once,
    ],
    [
      "slack linking: a claimed link belongs to one person",
      "return request !== undefined && isClaimable ? toAccount(request) : undefined",
      "return request !== undefined || isClaimable ? request && toAccount(request) : undefined",
      linking,
      "that another person finds does not link the Slack account to them",
    ],
    [
      "slack linking: the token is stored as a hash",
      "...{ id: hashOf(token), tenant: by.team",
      "...{ id: hashOf(token), ...{ token }, tenant: by.team",
      linking,
      "is stored only as a hash, and cannot be guessed",
    ],
  ),
  ...within("packages/slack/src/pages.ts", [
    "slack linking: the token is not in the return address",
    "await site.gate.enter(visit.request, `slack:${inCookie}`)\n    if (guest instanceof Response)",
    "await site.gate.enter(visit.request, `slack:${token}`)\n    if (guest instanceof Response)",
    linking,
    "is stored only as a hash, and cannot be guessed",
  ]),
  ...within("packages/slack/src/links.ts", [
    "slack: people are looked up at every press",
    "return link === undefined ? undefined : personNow(link.principal)",
    "return link?.principal",
    linking,
    "of a person who is not known any more leads to no person",
  ]),
  ...within("packages/slack/src/limits.ts", [
    "slack: calls wait as long as Slack says",
    "if (now() < limit.until) throw",
    "if (now() < 0) throw",
    deliveries,
    "reach their people once each, and end, as fast as Slack allows",
  ]),
  ...within("packages/slack/src/links.ts", [
    "slack: a person unlinks their own account",
    "(person !== undefined && !isSamePerson(existing.principal, person))",
    "(person === undefined && existing.version < 0)",
    linking,
    "can be unlinked on the account page only by its person, and then answers nothing in Slack",
  ]),
  ...within("packages/slack/src/invitations.ts", [
    "slack: an invitation does not contain the question",
    "linkWords.invited(cut(askerOf(question), 100))",
    "linkWords.invited(cut(askerOf(question), 100)) + question.message",
    linking,
    "is invited by their e-mail address, links in two clicks, and is asked there",
  ]),
  ...within("packages/slack/src/outlet.ts", [
    "slack: an invitation does not contain the ended question",
    "if (linkedPerson === undefined) return false",
    "if (linkedPerson === undefined) return true",
    deliveries,
    "never shows the question, even if Slack fails when the question ends",
  ]),
]
