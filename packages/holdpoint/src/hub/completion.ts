// Who may say that a question is done without being a program of ours: whoever was given its token. Nothing is stored;
// the token is the question's id, sealed.

import type { Tokens } from "../ports/sealer.ts"

const purpose = "completion"

/** A token with which a service can complete or fail this one question, and nothing else. */
export function toCompletionToken(tokens: Tokens, id: string): string {
  return tokens.seal(purpose, id)
}

/** The question's id. Undefined when it is not such a token. */
export function fromCompletionToken(tokens: Tokens, token: string): string | undefined {
  return tokens.open(purpose, token)
}
