// The secrets of a test run by kind, and the few places where each may be seen. What is not listed is nowhere.

/** Where a run leaves words behind. */
export type Channel =
  /** On the run's own output, or on that of the command. */
  | "printed"
  /** In an error, also in one that somebody caught. */
  | "error"
  /** In a report to the operator of the server. */
  | "report"
  /** In a response to a browser: headers and body, without the cookies that it sets. */
  | "page"
  /** In a response that leads a browser from one origin to another. */
  | "departure"
  /** In what an agent's run sends to its readers. */
  | "stream"
  /** In the files of a database. */
  | "database"

export const kinds = {
  access_token: [],
  refresh_token: [],
  id_token: [],
  client_secret: [],
  /** On its way from the provider to us. Never in the answer to a request that brought it. */
  code: ["departure"],
  /** For the provider to hand back, and to sign. */
  state: ["departure"],
  nonce: ["departure"],
  verifier: [],
  app_password: [],
  poll_token: [],
  /** Entered on a page: a key, a password. */
  entered: [],
  /** What a cookie of ours holds: of a session, of a flow, of a sign-in, of a claim. */
  cookie: [],
  /** The key of a program: shown once, by the command or on the account page. */
  program_key: ["printed", "page"],
  /** The bot tokens and the app-level token of an app in Slack. */
  slack_token: [],
  slack_signing_secret: [],
  /** The secret of a webhook: shown once, by the command or on the account page. */
  webhook_secret: ["printed", "page"],
  /** A key of the key ring. */
  key: [],
} as const satisfies Record<string, readonly Channel[]>

export type CanaryKind = keyof typeof kinds

export interface Canary {
  readonly kind: CanaryKind
  readonly value: string
}

/** Never with the value. */
export interface Finding {
  readonly kind: CanaryKind
  readonly channel: Channel
  readonly where: string
}

export const isAllowed = (kind: CanaryKind, channel: Channel): boolean =>
  (kinds[kind] as readonly Channel[]).includes(channel)
