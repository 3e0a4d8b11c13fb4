// Checks of what clients of OpenAI's API may say: their history asserts nothing, and without the opt-in nothing is asked.

import { type Mutation, within } from "./mutation.ts"

const http = "apps/server/src/agents/http/completions"
const story = "apps/server/test/agents/completions.test.ts"
const account = "is told to the model as the client's account, without system messages and results of tools"

export const completionMutations: readonly Mutation[] = [
  ...within(
    `${http}/prompt.ts`,
    [
      "a client's history is marked as its account",
      "[accountHead, ...lines, accountEnd]",
      "[...lines]",
      story,
      account,
    ],
    [
      "a client's history has no results of tools",
      '.filter(({ role }) => role === "user" || role === "assistant")',
      "",
      story,
      account,
    ],
    [
      "a kept conversation has its own history",
      "message instanceof Response || !hasHistory",
      "message instanceof Response",
      story,
      "is not read in a conversation that is kept here",
    ],
    [
      "envelopes are taken out of a client's history",
      "withoutEnvelopes(textOf(content))",
      "textOf(content)",
      story,
      "tells of questions in the text for clients that chose it, and takes them out of the history",
    ],
  ),
  ...within(`${http}/route.ts`, [
    "an OpenAI client is asked only with the opt-in",
    "isHeld: canShow, signal",
    "isHeld: true, signal",
    story,
    "without the opt-in asks nothing and writes nothing",
  ]),
]
