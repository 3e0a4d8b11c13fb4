// Checks of agents behind other protocols: the history that an OpenAI client sends is not trusted, agents ask only
// after the opt-in, and MCP clients authenticate their person.

import { type Mutation, within } from "./mutation.ts"

const story = "packages/agents/test/completions.test.ts"
const mcpStory = "packages/agents/test/agents-mcp.test.ts"
const account = "reaches the model as the client's account, without system messages and tool results"

export const completionMutations: readonly Mutation[] = [
  ...within(
    "packages/agents/src/http/completions/prompt.ts",
    [
      "a client's history is marked as its account",
      "[accountHead, ...lines, accountEnd]",
      "[...lines]",
      story,
      account,
    ],
    [
      "a client's history has no tool results",
      '.filter(({ role }) => role === "user" || role === "assistant")',
      "",
      story,
      account,
    ],
    [
      "a stored conversation has its own history",
      "message instanceof Response || !hasHistory",
      "message instanceof Response",
      story,
      "is ignored in a conversation that the server keeps",
    ],
    [
      "question envelopes are removed from a client's history",
      "withoutEnvelopes(textOf(content))",
      "textOf(content)",
      story,
      "puts questions into the text for clients that chose it, and removes them from the history",
    ],
  ),
  ...within("packages/agents/src/http/completions/whole.ts", [
    "a question in the text has the nonce of its response",
    "toEnvelope(part.event, nonce)",
    "toEnvelope(part.event, undefined)",
    story,
    "marks each question in the text with a nonce that the model cannot write",
  ]),
  ...within("packages/agents/src/http/completions/route.ts", [
    "an OpenAI client is asked only with the opt-in",
    "isHeld: canShow, signal",
    "isHeld: true, signal",
    story,
    "without the opt-in asks nothing and stores nothing",
  ]),
  ...within(
    "packages/agents/src/agents-mcp.ts",
    [
      "agents as tools know who calls",
      "...site, callers, name",
      '...site, callers: "anonymous", name',
      mcpStory,
      "refuses calls without a token, and says where to get one for it",
    ],
    [
      "an agent as a tool gives one reply at a time",
      'if (!("run" in record)) return "under way"',
      'if (!("run" in record)) return undefined',
      mcpStory,
      "refuses a call in a conversation whose last reply waits, and changes nothing",
    ],
  ),
]
