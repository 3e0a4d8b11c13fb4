// Completion tokens: a service that holds one can complete or fail one question. Nothing is stored; the token is the
// sealed id of the question.

import type { Tokens } from "../ports/sealer.ts"

const purpose = "completion"

/** Returns a token with which a service can complete or fail this one question, and do nothing else. */
export function toCompletionToken(tokens: Tokens, id: string): string {
  return tokens.seal(purpose, id)
}

/** Returns the id of the question, or undefined when the token is not a completion token. */
export function fromCompletionToken(tokens: Tokens, token: string): string | undefined {
  return tokens.open(purpose, token)
}
