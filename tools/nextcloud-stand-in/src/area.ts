// The request that an area of the stand-in receives, and the reply that it returns. An area is a function that answers
// its own requests, and returns undefined for the requests of other areas.

import type { AppToken, BrowserSession, World } from "./world.ts"

export interface Call {
  readonly method: string
  /** The path as sent, still encoded, below the server's own path, without /index.php: `/apps/notes/api/v1/notes`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: Uint8Array
  /** The signed-in user, by Basic, Bearer or a browser's session. */
  readonly user: User | undefined
  /** How the user signed in: Nextcloud's answers depend on it. */
  readonly by: "basic" | "bearer" | "session" | undefined
  /** The app password or OAuth token that was used, if any. */
  readonly token: AppToken | undefined
  /** Why the credentials were refused. On most paths of an API the guard then answers, and areas are not called. */
  readonly refused: Refusal | undefined
  /** The browser's session: every caller has one, signed in or not. */
  readonly session: BrowserSession
  readonly world: World
  /** The server's own address, with its path, without a trailing slash. */
  readonly url: string
  /** The address of its pages: `url`, with /index.php where pretty addresses are off. */
  readonly pages: string
}

/** Why credentials are refused: "unknown" is for a Bearer token, the others are for Basic. */
export type Refusal = "wrong" | "disabled" | "throttled" | "unknown"

export interface User {
  readonly id: string
  readonly displayName: string
  readonly email: string
  /** The quota in bytes; undefined is unlimited. */
  readonly quota?: number
  readonly groups: readonly string[]
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Answers a request. Returns undefined for requests that belong to other areas. */
export type Area = (call: Call) => Reply | undefined | Promise<Reply | undefined>
