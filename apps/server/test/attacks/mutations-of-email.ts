// Checks of e-mail: its content, the effect of its links, and who can unsubscribe.

import { type Mutation, within } from "./mutation.ts"

const map = "packages/holdpoint/test/surfaces/email/map.test.ts"
const smtp = "packages/holdpoint/test/surfaces/email/smtp.test.ts"
const ladder = "packages/holdpoint/test/deliveries/ladder.test.ts"
const reach = "apps/server/test/pages/reach.test.ts"

const injection = "keeps line breaks of a name or message out of the headers"
const oneClick = "one click stops mails of that kind to that person, without signing in"

export const emailMutations: readonly Mutation[] = [
  ...within("http/routes.ts", [
    "email: opening the link stops nothing",
    '{ method: "GET", path: paths.unsubscribe, route: showUnsubscribe }',
    '{ method: "GET", path: paths.unsubscribe, route: unsubscribe }',
    reach,
    "the links of a mail do nothing by being opened, by anyone",
  ]),
  ...within(
    "surfaces/email/unsubscribe.ts",
    [
      "email: an unsubscribe token has its own purpose and seal",
      "const opened = tokens.open(purpose, token)",
      'const opened = tokens.open(purpose, token) ?? "acme x bob approval"',
      reach,
      "a token that was altered, or made for something else, stops nothing",
    ],
    [
      "email: an unsubscribe token is of one kind",
      "return { person: { tenant, issuer, subject }, kind }",
      'return { person: { tenant, issuer, subject }, kind: kind === "" ? kind : "" }',
      reach,
      oneClick,
    ],
  ),
  ...within(
    "surfaces/email/outlet.ts",
    [
      "email: an address is one address",
      'if (!isAddress(address)) return { state: "unable", why: "the e-mail address is not usable" }',
      "",
      map,
      injection,
    ],
    [
      "email: a bounce has a random return address",
      'const id = randomBytes(12).toString("hex")',
      'const id = "0123456789abcdef01234567"',
      smtp,
      "learns from a bounce to its random return address, and from no other mail",
    ],
  ),
  ...within(
    "surfaces/email/plain.ts",
    [
      "email: no line break in a header",
      'text.replace(/\\s+/g, " ").trim().replace(unsafe, "\\ufffd")',
      "text",
      map,
      injection,
    ],
    [
      "email: no link of the asker",
      '.replaceAll("://", `:${joiner}//`)',
      "",
      map,
      "has no link that the asker wrote, in either form",
    ],
  ),
  ...within("surfaces/email/html.ts", [
    "email: text is escaped",
    "return text.replace(/[&<>\"'`]/g, (character) => `&#${character.charCodeAt(0)};`)",
    "return text",
    map,
    "has no link that the asker wrote, in either form",
  ]),
  ...within("surfaces/email/map.ts", [
    "email: not which answer it was",
    'declined: "was answered",',
    'declined: "was declined",',
    map,
    "never says what was answered, not even when it says that it is over",
  ]),
  ...within("surfaces/email/send.ts", [
    "email: errors do not repeat the server's words",
    "throw new Error(failureWords(command, status))",
    "throw new Error(response)",
    smtp,
    "tells a wrong password from a mail that is refused: it is tried again",
  ]),
  ...within(
    "hub/deliveries/advance-delivery.ts",
    [
      "email: turning a place off ends no question",
      "await skip(needs, leased, { question, why: time.never })",
      "await giveUp(needs, leased, { question, why: time.never })",
      ladder,
      "keeps an open question open whose only place was turned off",
    ],
    [
      "reminders: a later one takes the place of those that quiet hours held back",
      "if (isOvertaken(leased, question)) await",
      "if (question.reminders === -1) await",
      ladder,
      "let one reminder through when they end",
    ],
  ),
  ...within("hub/deliveries/later-message.ts", [
    "reminders: not before and not just after the first message",
    'if (first.state === "owed") return',
    'if (first.state === "withdrawing") return',
    ladder,
    "reminds only where the first message was before",
  ]),
]
