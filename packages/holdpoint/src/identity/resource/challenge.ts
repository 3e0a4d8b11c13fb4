// What a caller is told who is not let in (RFC 6750 §3, RFC 9728 §5.1). The words are ours, and fit into a header.

export interface Challenges {
  /** Nobody has said who they are. */
  unauthenticated(): Response
  refused(message: string): Response
  malformed(message: string): Response
  /** MCP, authorization (SEP-2350): all that the operation needs in one challenge. */
  insufficient(scopes: readonly string[]): Response
  unavailable(): Response
}

/** Of an authorization server that gave no answer, before anybody asks again. */
const retrySeconds = 5

export function createChallenges(metadataUrl: string, requires: readonly string[]): Challenges {
  const answer = (status: number, error: string | undefined, message: string, scopes: readonly string[] = requires) => {
    const parameters = [
      ...(error === undefined ? [] : [`error="${error}"`, `error_description="${message}"`]),
      `resource_metadata="${metadataUrl}"`,
      ...(scopes.length === 0 ? [] : [`scope="${scopes.join(" ")}"`]),
    ]
    const headers = { ...notKept, "www-authenticate": `Bearer ${parameters.join(", ")}` }
    return Response.json({ error: error ?? "unauthorized", error_description: message }, { status, headers })
  }
  return {
    // RFC 6750 §3.1: no error code for those who did not know.
    unauthenticated: () => answer(401, undefined, "Sign in at the authorization server, and send its access token."),
    refused: (message) => answer(401, "invalid_token", message),
    malformed: (message) => answer(400, "invalid_request", message),
    insufficient: (scopes) => answer(403, "insufficient_scope", "The token does not cover this. Ask for more.", scopes),
    unavailable: () =>
      Response.json(
        {
          error: "temporarily_unavailable",
          error_description:
            "The authorization server cannot be asked about the token just now, which is neither accepted nor refused. " +
            "Try again with the same token.",
        },
        { status: 503, headers: { ...notKept, "retry-after": String(retrySeconds) } },
      ),
  }
}

const notKept = { "cache-control": "no-store" }
