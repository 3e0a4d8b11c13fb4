// The page about a request whose error must not be sent to its client. Types only; imports nothing of oidc-provider.

export interface RequestProblem {
  readonly title: string
  readonly words: string
  /** The client's address for errors. The client is unverified, so the person decides whether to open the address. */
  readonly next?: { readonly href: string; readonly host: string }
}

/**
 * Renders the HTML page about a request that cannot be answered. Repeats nothing of the request, except the address in
 * `next`.
 */
export type ProblemPage = (problem: RequestProblem) => Promise<string>
