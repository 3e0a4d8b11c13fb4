// The checks of the chat on other sites' pages, and the tests that must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

const story = "test/chat-on-your-page.browser.test.ts"

export const otherSiteMutations: readonly Mutation[] = [
  ...within("packages/widget/src/connection.ts", [
    "an expired token is replaced",
    "if (response.status !== 401 || tokens === undefined) return response",
    "if (response.status > 0) return response",
    story,
    "gets another one when it ran out while a question waited",
  ]),
  ...within(
    "packages/widget/src/tokens.ts",
    [
      "a token is kept until it is refused",
      "if (cachedToken !== undefined) return cachedToken",
      "if (cachedToken === null) return cachedToken",
      story,
      "keeps its token",
    ],
    [
      "a person who signed out at the site is asked to sign in",
      "if (status === 401) throw",
      "if (status === 0) throw",
      story,
      "asks a person who has signed out at the site to sign in there",
    ],
  ),
]
