// Checks of what the inbox and the account page say: what a person said, what follows, and what no page may show.

import { type Mutation, within } from "./mutation.ts"

const history = "apps/server/test/pages/history.test.ts"

export const inboxMutations: readonly Mutation[] = [
  ...within("core/transition.ts", [
    "history: the yes or no outlives the content",
    "return { content, ...(said === undefined ? {} : { said }) }",
    "return { content, ...(said === undefined ? {} : {}) }",
    history,
    "still does when the content of the answer was forgotten",
  ]),
  ...within("http/history.ts", [
    "history: another person's answer is theirs",
    'answeredBy !== undefined && isSamePerson(answeredBy, person) ? "You"',
    'answeredBy !== undefined && person !== undefined ? "You"',
    history,
    "does not claim for a person what another one said",
  ]),
  ...within("surfaces/web/said.ts", [
    "history: no session id",
    'if (surface === "mcp") return',
    'if (via === "mcp") return',
    history,
    "names the act that was chosen, its question, and where",
  ]),
]
