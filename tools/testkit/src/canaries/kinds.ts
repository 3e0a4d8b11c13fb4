// The kinds of secrets in a test run, each with the channels in which it may occur. It must not occur in any other.

/** The channels in which a test run writes text that is searched for secrets. */
export type Channel =
  /** The output of the test run, or of the command. */
  | "printed"
  /** The message of an error, even if the error was caught. */
  | "error"
  /** A report to the operator of the server. */
  | "report"
  /** A response to a browser: its headers and body, without Set-Cookie. */
  | "page"
  /** A response that redirects a browser to another origin. */
  | "departure"
  /** The event stream of an agent's run. */
  | "stream"
  /** The files of a database. */
  | "database"

export const kinds = {
  access_token: [],
  refresh_token: [],
  id_token: [],
  client_secret: [],
  /** An authorization code. It travels from the provider to us, and never in our response to the callback. */
  code: ["departure"],
  /** `state` and nonce, which the provider returns or signs. */
  state: ["departure"],
  nonce: ["departure"],
  verifier: [],
  app_password: [],
  poll_token: [],
  /** A key or password that a person entered on a page. */
  entered: [],
  /** The value of one of our cookies: for a session, a flow, a sign-in or a claim. */
  cookie: [],
  /** The key of a program: shown once, by the command or on the account page. */
  program_key: ["printed", "page"],
  /** A bot token or app-level token of a Slack app. */
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

/** A leak. Contains everything about the secret except its value. */
export interface Finding {
  readonly kind: CanaryKind
  readonly channel: Channel
  readonly where: string
}

export const isAllowed = (kind: CanaryKind, channel: Channel): boolean =>
  (kinds[kind] as readonly Channel[]).includes(channel)
