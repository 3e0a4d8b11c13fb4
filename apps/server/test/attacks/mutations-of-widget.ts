// The checks of the widget's elements, and the tests that must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

const [questions, access] = ["questions", "access"].map(
  (name) => `apps/server/test/stories/widget/${name}.browser.test.ts`,
) as [string, string]

export const widgetMutations: readonly Mutation[] = [
  ...within("packages/widget/src/rich-text.ts", [
    "links of agents lead only to http and https",
    String.raw`\((https?:\/\/[^\s()]{1,2000})\)`,
    String.raw`\((\w+:[^\s()]{1,2000})\)`,
    "packages/widget/test/rich-text.test.ts",
    "has no link",
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
