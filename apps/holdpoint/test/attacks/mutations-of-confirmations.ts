// Checks of yes-or-no questions: each answer is a button that names its act, Enter alone never says yes, and what the
// person approves is shown to them.

import { type Mutation, within } from "./mutation.ts"

const page = "apps/holdpoint/test/pages/yes-or-no.test.ts"
const mailTests = "apps/nextcloud/test/tools/mail-sending.test.ts"

export const confirmationMutations: readonly Mutation[] = [
  ...within("packages/server/src/web/acts-form.ts", [
    "Enter presses no button of a yes-or-no question in the inbox",
    '<button type="submit" disabled hidden></button>',
    "",
    "apps/holdpoint/test/stories/yes-or-no.browser.test.ts",
    "sends nothing in a browser without scripts",
  ]),
  ...within("packages/terminal/src/prompt.ts", [
    "Enter alone answers nothing at the terminal",
    "[neutral, ...options]",
    "[...options]",
    "packages/terminal/test/terminal-acts.test.ts",
    "does not take just Enter as consent to open a link",
  ]),
  ...within("apps/holdpoint/src/demo/panel/cards.ts", [
    "Enter presses no button of a yes-or-no question in the panel",
    "onsubmit: (event) => event.preventDefault()",
    "onsubmit: (event) => (event.preventDefault(), agree())",
    "apps/holdpoint/test/stories/panel-page.browser.test.ts",
    "is not approved by Enter, neither on arrival nor in a field",
  ]),
  ...within("packages/hub/src/core/confirmation.ts", [
    "a confirmation without words is named after its act",
    'words.yes ?? namedActs?.yes ?? "Yes"',
    'words.yes ?? "Yes"',
    "packages/mcp/test/server/behaviour/confirm.test.ts",
    "gets its labels from the act in its message",
  ]),
  ...within(
    "packages/server/src/http/answers.ts",
    [
      "the reason of a No is passed on",
      '{ action: "decline", reason: { code: "person_declined", message } }',
      '{ action: "decline" }',
      page,
      "is declined with the reason that the person gave",
    ],
    [
      "the button for no is a no",
      'if (button === "no") return',
      'if (button === "never") return',
      page,
      "needs no other field for a No",
    ],
  ),
  ...within("apps/nextcloud/src/tools/mail/outgoing.ts", [
    "sending mail: an address is short enough to be shown whole",
    "address.length > maxAddressLength ||",
    "",
    mailTests,
    "is not asked for an address too long to be shown, and nothing is sent",
  ]),
  ...within("apps/nextcloud/src/preview.ts", [
    "sending mail: text after the last line shown is counted",
    "const end = hasMoreLines ?",
    "const end = preview.length === 0 ?",
    mailTests,
    "counts every character that it does not show of a text of many short lines",
  ]),
  ...within("apps/nextcloud/src/consent/texts.ts", [
    "a long line of a confirmation keeps its end, such as with whom a file is shared",
    '…${characters.slice(-endLength).join("")}',
    "…",
    "apps/nextcloud/test/texts.test.ts",
    "says with whom something is shared, however long its path is",
  ]),
  ...within("apps/nextcloud/src/tools/sharing/sharing.ts", [
    "a hidden download is not allowed without asking",
    "const isChanged = [hide_download === false, ",
    "const isChanged = [",
    "apps/nextcloud/test/tools/sharing.test.ts",
    "asks before it allows a download that was hidden, and not before it hides one",
  ]),
]
