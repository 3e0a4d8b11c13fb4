// Checks of texts: secrets in forms and addresses, untrusted text on a terminal, passwords in a command's output.

import { type Mutation, within } from "./mutation.ts"

const ruleTests = "packages/hub/test/secrets/rule.test.ts"
const addressTests = "packages/hub/test/secrets/address.test.ts"
const everyAddress = "refuses every address of the table"
const terminalTests = "packages/terminal/test/terminal.test.ts"
const safetyTests = "apps/holdpoint/test/safety.test.ts"

export const wordMutations: readonly Mutation[] = [
  ...within(
    "packages/hub/src/secrets/words.ts",
    ["no password in a form", "*password *passwd", "*passwd", ruleTests, "refuses a field called"],
    ["no token in a form", "=id-token *token", "=id-token", ruleTests, "refuses the held-out"],
    ["no code in a form", "verification-code ", "", ruleTests, "refuses the held-out"],
    ["no card in a form", "card-details cvv cvv-2", "card-details", ruleTests, "refuses a field called"],
  ),
  ...within(
    "packages/hub/src/secrets/reader.ts",
    [
      "disguised words are recognised",
      "[toWords(bare), toWords(unmask(bare))]",
      "[toWords(bare)]",
      ruleTests,
      "refuses a field called",
    ],
    [
      "words that are written apart are recognised",
      'words.slice(from, from + width).join("")',
      'words.slice(from, from + width).join(" ")',
      ruleTests,
      "refuses a field called",
    ],
    ["compounds are recognised", "(width === 1 && isCompound(joined))", "false", ruleTests, "refuses a field called"],
    [
      "a secret that is only mentioned passes",
      "if (match === undefined || isMention(words, match)) continue",
      "if (match === undefined) continue",
      ruleTests,
      "allows the description:",
    ],
    ["a request needs no label", "verbs.find(words) !== undefined ||", "", ruleTests, "refuses the message:"],
  ),
  ...within(
    "packages/hub/src/secrets/rule.ts",
    [
      "titles are read",
      '["title", reader.label(field.title ?? "")],',
      "",
      ruleTests,
      "reads the title when the name says nothing",
    ],
    [
      "descriptions are read",
      '["description", reader.prose(field.description ?? "", false)],',
      "",
      ruleTests,
      "refuses the description:",
    ],
    [
      "messages are read",
      "const secret = reader.prose(message, true)",
      "const secret = undefined",
      ruleTests,
      "refuses the message:",
    ],
  ),
  ...within(
    "packages/hub/src/secrets/address.ts",
    [
      "no e-mail address in a link",
      "if (texts.some((text) => email.test(text))) {",
      "if (false) {",
      addressTests,
      everyAddress,
    ],
    [
      "no credential in a parameter",
      'if (value !== "" && isCredential(name, value, isSecret)) {',
      "if (false) {",
      addressTests,
      everyAddress,
    ],
    [
      "nothing in a fragment",
      "return [...url.searchParams, ...fragment]",
      "return [...url.searchParams]",
      addressTests,
      everyAddress,
    ],
    [
      "no credential in an address inside the address",
      "if (nested) yield*",
      "if (false) yield*",
      addressTests,
      everyAddress,
    ],
    [
      "no credential in a path",
      'if (segments.some((segment, index) => isOpaque(segment) && isSecret(segments[index - 1] ?? ""))) {',
      "if (false) {",
      addressTests,
      everyAddress,
    ],
  ),
  ...within(
    "packages/hub/src/core/url.ts",
    ["hosts in disguise", "if (isDisguised(writtenHost, url.hostname)) {", "if (false) {", addressTests, everyAddress],
    ["no user name in a link", 'if (authority.includes("@"))', "if (false)", addressTests, everyAddress],
    ["no backslash in a link", 'if (value.includes("\\\\"))', "if (false)", addressTests, everyAddress],
  ),
  ...within("packages/hub/src/core/text.ts", [
    "no control characters in a question",
    "if (!isShowable(text))",
    "if (false)",
    "packages/hub/test/core/question.test.ts",
    "with an escape sequence in the message",
  ]),
  ...within("packages/terminal/src/plain.ts", [
    "no control characters on a terminal",
    '    .replace(unsafe, "\\ufffd")\n',
    "",
    terminalTests,
    "lets no control character and no change of reading direction through",
  ]),
  ...within("packages/terminal/src/words.ts", [
    "the host is shown",
    '    [\n      { style: "faint", text: "  It leads to " },\n      { style: "accent", text: host },\n    ],\n',
    "",
    terminalTests,
    "shows a link with its host and asks before it counts as agreed",
  ]),
  ...within(
    "apps/holdpoint/src/output.ts",
    [
      "no control characters in a command's output",
      'if (typeof part === "string") return plain(part)',
      'if (typeof part === "string") return part',
      safetyTests,
      "reaches no stream of any command with control characters",
    ],
    [
      "no control characters in a command's JSON",
      "plainJson(value, indent)",
      "JSON.stringify(value, undefined, indent)",
      safetyTests,
      "that was stored reaches no stream with its marks or control characters",
    ],
  ),
  ...within(
    "apps/holdpoint/src/redact.ts",
    [
      "the password in an address is hidden",
      ".replace(/(?<![a-z0-9+.-])([a-z0-9+.-]+:\\/\\/[^\\s/:@]*):[^\\s/]*@/gi,",
      ".replace(/(?!)/gi,",
      safetyTests,
      "do not appear when",
    ],
    [
      "the password in a parameter is hidden",
      ".replace(/([?&\\s]password=)[^&\\s]+/gi,",
      ".replace(/(?!)/gi,",
      safetyTests,
      "do not appear when",
    ],
    [
      "a decoded password is hidden",
      ".flatMap((secret) => [secret, decode(secret)])",
      "",
      safetyTests,
      "are redacted in any text, encoded or decoded",
    ],
  ),
]
