// The responses for callers that are refused (RFC 6750 §3, RFC 9728 §5.1). The messages are ours and valid in a header.

export interface Challenges {
  /** The request carries no token. */
  unauthenticated(): Response
  refused(message: string): Response
  malformed(message: string): Response
  /** MCP authorization (SEP-2350): one challenge names every scope that the operation needs. */
  insufficient(scopes: readonly string[]): Response
  unavailable(): Response
}

/** Retry-After when the authorization server does not respond. */
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
    // RFC 6750 §3.1: no error code when the request had no authentication.
    unauthenticated: () => answer(401, undefined, "Sign in at the authorization server, and send its access token."),
    refused: (message) => answer(401, "invalid_token", message),
    malformed: (message) => answer(400, "invalid_request", message),
    insufficient: (scopes) => answer(403, "insufficient_scope", "The token does not cover this. Ask for more.", scopes),
    unavailable: () =>
      Response.json(
        {
          error: "temporarily_unavailable",
          error_description:
            "The authorization server cannot be asked about the token at the moment, so the token is neither accepted nor refused. " +
            "Try again with the same token.",
        },
        { status: 503, headers: { ...notKept, "retry-after": String(retrySeconds) } },
      ),
  }
}

const notKept = { "cache-control": "no-store" }
