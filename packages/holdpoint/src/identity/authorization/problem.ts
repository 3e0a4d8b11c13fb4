// What a person is shown when a request cannot be answered to its client. Types alone, and none of oidc-provider.

export interface RequestProblem {
  readonly title: string
  readonly words: string
  /** Where the program wants to be told of it. Nobody has checked who it is: the person decides whether they go there. */
  readonly next?: { readonly href: string; readonly host: string }
}

/** As HTML. What it shows is ours: nothing of the request is repeated, but for where the person may go. */
export type ProblemPage = (problem: RequestProblem) => Promise<string>
