// Checks of e-mail: its content, the effect of its links, and who can unsubscribe.

import { type Mutation, within } from "./mutation.ts"

const map = "packages/email/test/map.test.ts"
const smtp = "packages/email/test/smtp.test.ts"
const ladder = "test/across/hub/deliveries/ladder.test.ts"
const reach = "apps/holdpoint/test/pages/reach.test.ts"

const injection = "keeps line breaks of a name or message out of the headers"
const oneClick = "one click stops mails of that kind to that person, without signing in"

export const emailMutations: readonly Mutation[] = [
  ...within("packages/email/src/pages.ts", [
    "email: opening the link stops nothing",
    '{ method: "GET", path: emailPaths.unsubscribe, route: showUnsubscribe }',
    '{ method: "GET", path: emailPaths.unsubscribe, route: unsubscribe }',
    reach,
    "opening the links of a mail changes nothing, for its person and for strangers",
  ]),
  ...within(
    "packages/email/src/unsubscribe.ts",
    [
      "email: an unsubscribe token has its own purpose and seal",
      "const text = tokens.open(purpose, token)",
      'const text = tokens.open(purpose, token) ?? "acme x bob approval"',
      reach,
      "an altered or invalid unsubscribe token stops no mails",
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
    "packages/email/src/outlet.ts",
    [
      "email: an e-mail address is a single address",
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
      "marks an address as dead after a bounce to its random return address, and after no other mail",
    ],
  ),
  ...within("packages/email/src/plain.ts", [
    "email: no line break in a header",
    'text.replace(/\\s+/g, " ").trim().replace(unsafe, "\\ufffd")',
    "text",
    map,
    injection,
  ]),
  ...within(
    "packages/hub/src/core/unlinked.ts",
    [
      "email: no link of the asker",
      "[dot, at, schemeEnd]",
      "[dot, at]",
      map,
      "has no link that the asker wrote, in text or HTML",
    ],
    [
      "email: no link by a character that browsers map to a dot",
      "[.\\u2024\\u3002\\ufe52\\uff0e\\uff61]",
      "[.]",
      map,
      "has no address with another character for its dot, its at or its scheme",
    ],
  ),
  ...within("packages/email/src/html.ts", [
    "email: text is escaped",
    "return text.replace(/[&<>\"'`]/g, (character) => `&#${character.charCodeAt(0)};`)",
    "return text",
    map,
    "has no link that the asker wrote, in text or HTML",
  ]),
  ...within("packages/email/src/map.ts", [
    "email: a mail does not say what was answered",
    'declined: "was answered",',
    'declined: "was declined",',
    map,
    "never contains the answer, not even when it reports the end",
  ]),
  ...within("packages/email/src/send.ts", [
    "email: errors do not repeat the server's text",
    "throw new Error(failureWords(command, status))",
    "throw new Error(response)",
    smtp,
    "fails for a retry when the password is wrong, instead of treating the mail as refused",
  ]),
  ...within(
    "packages/hub/src/hub/deliveries/advance-delivery.ts",
    [
      "email: turning an outlet off ends no question",
      "return skip(needs, leased, time.neverReason)",
      "return giveUp(needs, leased, time.neverReason)",
      ladder,
      "keeps a question open when its only outlet is turned off",
    ],
    [
      "reminders: a later one replaces those that quiet hours held back",
      "if (isOvertaken(delivery, question))",
      "if (question.reminders === -1)",
      ladder,
      "let only one reminder through when they end",
    ],
  ),
  ...within("packages/hub/src/hub/deliveries/later-message.ts", [
    "reminders: none before the first message or right after it",
    'if (firstDelivery.state === "owed") return',
    'if (firstDelivery.state === "withdrawing") return',
    ladder,
    "reminds only through outlets that sent a first message before",
  ]),
]
