// The page for a request that cannot be answered to its client. Types only; imports nothing of oidc-provider.

export interface RequestProblem {
  readonly title: string
  readonly words: string
  /** The client's own address for errors. The client is unverified, so the person decides whether to go there. */
  readonly next?: { readonly href: string; readonly host: string }
}

/**
 * Makes the HTML page that says why a request cannot be answered. It repeats nothing of the request, except where the
 * person may go.
 */
export type ProblemPage = (problem: RequestProblem) => Promise<string>
