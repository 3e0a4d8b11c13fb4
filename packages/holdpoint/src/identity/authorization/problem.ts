// The page for a request that cannot be answered to its client. Types only; imports nothing of oidc-provider.

export interface RequestProblem {
  readonly title: string
  readonly words: string
  /** The client's own address for errors. The client is unverified, so the person decides whether to go there. */
  readonly next?: { readonly href: string; readonly host: string }
}

/** Returns HTML. The page repeats nothing of the request except the address to continue at. */
export type ProblemPage = (problem: RequestProblem) => Promise<string>
