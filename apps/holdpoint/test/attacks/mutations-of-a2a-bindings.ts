// The checks of the bindings and notifications of A2A: their recipients, content and addresses. With the tests that
// must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

const rest = "packages/a2a/test/agents/rest.test.ts"
const legacy = "packages/a2a/test/agents/legacy-rpc.test.ts"
const push = "packages/a2a/test/agents/push.test.ts"

export const a2aBindingMutations: readonly Mutation[] = [
  ...within("packages/a2a/src/agents/rest/refusal.ts", [
    "a2a: internal failures are hidden over HTTP+JSON",
    "if (error instanceof A2AError) return",
    "if (error instanceof Error) return",
    rest,
    "reports an internal failure, and hides its cause from the client",
  ]),
  ...within("packages/a2a/src/agents/legacy/rpc-binding.ts", [
    "a2a: internal failures are hidden from clients of 0.3",
    "if (error instanceof A2AError) return error",
    "if (error instanceof Error) return error",
    legacy,
    "reports a failure in a stream, and hides its cause from the client",
  ]),
  ...within(
    "packages/a2a/src/agents/push/config.ts",
    [
      "a2a: notifications go to public addresses",
      "if (problem !== undefined)",
      "if (problem === null)",
      push,
      "is refused for the address",
    ],
    [
      "a2a: a token is one header",
      String.raw`check("token", token, /^[\x21-\x7e]{0,2000}$/)`,
      "",
      push,
      "is refused with invalid values",
    ],
    [
      "a2a: credentials are shown to no client",
      `{ scheme, credentials: "" }`,
      "{ scheme, credentials }",
      push,
      "seals the address, the token and the credentials, and never returns the last two",
    ],
  ),
  ...within("packages/a2a/src/agents/push/push.ts", [
    "a2a: the target of notifications is sealed",
    "sealed.seal(newConfig, { ...target })",
    "({ ...sealed.seal(newConfig, { ...target }), ...{ target } })",
    push,
    "seals the address, the token and the credentials, and never returns the last two",
  ]),
  ...within(
    "packages/a2a/src/agents/card-key.ts",
    [
      "a2a: cards are not signed with a shared secret",
      "if (!algorithms.includes(algorithm)) throw",
      "if (algorithm === undefined) throw",
      "packages/a2a/test/agents/card-key.test.ts",
      "is refused for a shared secret, with an error that does not contain the file's content",
    ],
    [
      "a2a: cards are signed",
      "return (card) => sign({ ...card, signatures: [] })",
      "return async (card) => (await sign({ ...card, signatures: [] }), card)",
      "packages/a2a/test/agents/card-key.test.ts",
      "has a signature that the SDK verifies",
    ],
  ),
  ...within("packages/a2a/src/agents/push/delivery.ts", [
    "a2a: one process looks at a task",
    "if (isHeld(current, now) || current.dueAt > now) return undefined",
    "",
    push,
    "are checked once a minute by one process, and after a second when a later change is known",
  ]),
  ...within("packages/a2a/src/agents/push/delivery.ts", [
    "a2a: every process looks for changes that none was told of",
    "dueAt: config.heard > number ? now : now + restMs",
    "dueAt: config.heard > number ? now : now + 1e12",
    push,
    "are sent by the next process when the first one is gone, even for a change that no process noticed",
  ]),
]
