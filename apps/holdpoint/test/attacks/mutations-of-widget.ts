// The checks of the widget's elements, and the tests that must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

const [questions, access] = ["questions", "access"].map(
  (name) => `apps/holdpoint/test/stories/widget/${name}.browser.test.ts`,
) as [string, string]

export const widgetMutations: readonly Mutation[] = [
  ...within(
    "packages/widget/src/rich-text.ts",
    [
      "links of agents lead only to https, and http on this machine",
      "else if (url !== undefined && isOpenable(url))",
      "else if (url !== undefined)",
      "packages/widget/test/rich-text.test.ts",
      "has no link",
    ],
    [
      "a label that looks like an address is replaced by the link's address",
      "label === url || looksLikeAddress(label)",
      "label === url",
      "packages/widget/test/rich-text.test.ts",
      "shows where its link leads",
    ],
    [
      "a link shows its host beside its label",
      ", host: displayHost(url) }",
      " }",
      "packages/widget/test/rich-text.test.ts",
      "shows where its link leads",
    ],
  ),
  ...within("packages/widget/src/popup.ts", [
    "the widget opens https, http on this machine and its own origin only",
    "isOpenable(address) ||",
    "URL.canParse(address) ||",
    access,
    "which the page has set as its address",
  ]),
  ...within("packages/widget/src/question-card.ts", [
    "the words of a question are text",
    'part: "card-title" }, headline)',
    'part: "card-title" }, h("a", { href: "https://evil.example/" }, headline))',
    access,
    "shows the words of its asker as text, without links",
  ]),
  ...within("apps/holdpoint/src/demo/panel/dom.ts", [
    "the words of a question in the panel have links to our own pages only",
    "URL.parse(address)?.origin === location.origin)",
    "URL.canParse(address))",
    "apps/holdpoint/test/stories/panel-moments.browser.test.ts",
    "has no links in the words of a question",
  ]),
  ...within("packages/widget/src/confirm-body.ts", [
    "Enter in a field of an approval does not press Yes",
    "onEnter: () => {} }",
    "onEnter: () => void accept() }",
    access,
    "is not answered by Enter in a text field beside its two buttons",
  ]),
  ...within("packages/widget/src/connection.ts", [
    "questions expire by the server's clock",
    "now: () => Date.now() + clockOffsetMs",
    "now: () => Date.now() + clockOffsetMs * 0",
    questions,
    "follows the server's clock",
  ]),
  ...within("packages/widget/src/chat.ts", [
    "a question leaves the focus to a person who is writing",
    'return !(active instanceof HTMLTextAreaElement && active.value !== "")',
    "return active instanceof Element",
    questions,
    "leaves the focus to a person who is writing",
  ]),
]
