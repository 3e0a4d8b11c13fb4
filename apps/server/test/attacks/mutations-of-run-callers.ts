// The checks of who calls the run API, and the tests that must notice when one is taken away.

import { type Mutation, within } from "./mutation.ts"

const http = "apps/server/src/agents/http"
const callers = "apps/server/test/agents/callers.test.ts"
const accounts = "apps/server/test/agents/accounts.test.ts"

export const runCallerMutations: readonly Mutation[] = [
  ...within(
    `${http}/origins.ts`,
    [
      "the run API is reached under its own name",
      "if (!isHere(host))",
      "if (false)",
      "run-callers",
      "so that a page cannot reach this machine by rebinding its name",
    ],
    [
      "only listed pages call the run API",
      "origin === own.origin || foreign.has(origin)",
      "true",
      "run-callers",
      ", which is refused",
    ],
    [
      "requests of other sites without an origin are refused by the run API",
      'origin === null && crossSite.has(headers.get("sec-fetch-site") ?? "")',
      "false",
      "run-callers",
      ", which is refused",
    ],
    [
      "only listed origins are allowed by CORS",
      "if (!isForeignPage(request)) return response",
      'if (request.headers.get("origin") === null) return response',
      callers,
      "is shown to pages of listed origins only",
    ],
    [
      "pages send no API key",
      "asked.filter((name) => sentHeaders.test(name))",
      "asked",
      callers,
      "allows the headers of this API, and neither cookies nor API keys",
    ],
    [
      "pages of other origins know the server's clock",
      '"date, www-authenticate',
      '"www-authenticate',
      callers,
      "lets pages of listed origins read the server's clock",
    ],
  ),
  ...within(
    `${http}/callers.ts`,
    [
      "only pages of this origin use a session in the run API",
      '"begin" in identity && origins.isOwnPage(request)',
      '"begin" in identity',
      "run-callers",
      "is not used by a page of a listed origin",
    ],
    [
      "a listed page is not the person at this machine",
      '"principal" in identity && !origins.isForeignPage(request)',
      '"principal" in identity',
      "run-callers",
      "does not take a page of a listed origin for the person at this machine",
    ],
    [
      "tokens are issued for the run API",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
      "const resource = `${addresses.publicUrl}${runPath}`",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
      "const resource = `${addresses.publicUrl}/mcp`",
      "run-callers",
      "for another resource is refused",
    ],
    [
      "an unknown API key is refused, whatever else is sent",
      "if (text !== null) return",
      "if (text === undefined) return",
      "run-callers",
      "is refused, also beside a person's session",
    ],
  ),
  ...within(`${http}/api-keys.ts`, [
    "an API key is compared",
    "known.length === digest.length && timingSafeEqual(known, digest)",
    "known.length === digest.length",
    "run-callers",
    "is refused, also beside a person's session",
  ]),
  ...within(
    `${http}/person-tokens.ts`,
    [
      "a person's token has a purpose",
      "tokens.open(purpose, token",
      'tokens.open("completion", token',
      "run-callers",
      "is refused when it was sealed for another purpose",
    ],
    [
      "a person's token expires",
      "|| expiresAt <= now()",
      "",
      "run-callers",
      "ends when it expires, and never lasts longer than a quarter of an hour",
    ],
    [
      "a person's token ends with its API key",
      "apiKeys.find((one) => stateOf(one) === state)",
      "apiKeys.find((one) => stateOf(one) === state) ?? apiKeys[0]",
      "run-callers",
      "ends with its API key: when that is gone, replaced, or acts for other people",
    ],
  ),
  ...within(`${http}/token.ts`, [
    "only programs that act for people get their tokens",
    "if (isPerson || key?.actsFor === undefined)",
    "if (key?.actsFor === undefined)",
    "run-callers",
    "opens neither the MCP server nor the inbox, and makes no further token",
  ]),
  ...within(
    `${http}/body.ts`,
    [
      "a token for one conversation is for no other",
      "isName && (conversation === undefined || conversation === value)",
      "isName",
      "run-callers",
      "for one conversation is refused in every other one",
    ],
    [
      "no foreign file is fetched for a model",
      'part.type === "file" && !part.url.startsWith("data:")',
      'part.type === "file" && part.url === ""',
      "run-callers",
      "is refused, and nothing is fetched",
    ],
  ),
  ...within(
    `${http}/answer.ts`,
    [
      "an API key answers nothing",
      "if (!isPerson) return { response: noPerson(), isChanged: false }",
      "",
      "run-callers",
      "answers no question, neither in its own conversation nor in a person's",
    ],
    [
      "a question is answered in its own conversation",
      "|| !(await isToldIn(parts, conversation, elicitation.id))",
      "",
      "run-callers",
      "under the id of another conversation is refused and changes nothing",
    ],
    [
      "a program's token is not a key to the inbox",
      "caller.key === undefined || isAskedIn(parts, caller, question)",
      "true",
      "run-callers",
      "does not show what other programs ask the person",
    ],
    [
      "questions to a role stay in the inbox",
      "{ ...caller, principal: { tenant, issuer, subject } }",
      "caller",
      "run-callers",
      "with a role sees and answers the question to that role in the inbox only",
    ],
  ),
  ...within("apps/server/src/agents/conversations.ts", [
    "each person has their own conversations",
    "digest([tenant, issuer, subject, name])",
    'digest([tenant, issuer, subject === "" ? "" : "anyone", name])',
    "run-callers",
    "neither reads, resumes, stops, repeats nor answers a conversation by its id",
  ]),
  ...within("apps/server/src/agents/callers-section.ts", [
    "a digest of nothing is not an API key",
    "sha256.toLowerCase() === digestOfNothing",
    "sha256 === undefined",
    "run-callers",
    "is refused at the start when it is a digest of nothing or acts for programs",
  ]),
  ...within("apps/server/src/agents/mcp/accounts.ts", [
    "an API key has no accounts",
    'if (credentialScope === "user" && !run.isPerson) return',
    'if (credentialScope === "user" && run.person === undefined) return',
    "apps/server/test/agents/mcp-tools.test.ts",
    "fails at once for a program without a person, which gets no account of others",
  ]),
  ...within("apps/server/src/agents/mcp/accounts.ts", [
    "an account that dies during a call of an agent is asked for again",
    "if (!isConnectionLost(error)) throw error",
    "throw error",
    accounts,
    "is asked for again, and the same call is made",
  ]),
  ...within("packages/holdpoint/src/asking/journal.ts", [
    "an effect that threw counts as not done",
    'isOptional === true || kind === "failed"',
    "isOptional === true",
    accounts,
    "is not asked for a second time when the person declines",
  ]),
  ...within("packages/holdpoint/src/surfaces/mcp-client/follow-pushed.ts", [
    "a call that a 2025 server refused for its account is made again",
    "if (isConnectionLost(error)) await unprepare(attempt, name, number)",
    "",
    accounts,
    "is asked for again by a server of the 2025 revision too",
  ]),
  ...within(`${http}/chat.ts`, [
    "a reply is replaced only when another one begins",
    "return begin(parts, talk, { agent, message, replaced: last.id })",
    "await conversations.change(last.id, (old) => ({ ...old, isReplaced: true }))\n  return begin(parts, talk, { agent, message })",
    callers,
    "keeps the reply that another one cannot replace, because too many are under way",
  ]),
  ...within("apps/server/src/agents/run-limit.ts", [
    "a person has a bounded number of replies under way",
    "if (countOf(key) >= most) return undefined",
    "",
    callers,
    "may have a number of replies under way at once, and is told when there are more",
  ]),
]
