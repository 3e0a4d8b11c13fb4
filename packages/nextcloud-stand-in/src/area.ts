// What an area of the stand-in gets to see of a request, and what it answers. Every area is a function: it answers what
// is its own and leaves the rest to others.

import type { AppToken, BrowserSession, World } from "./world.ts"

export interface Call {
  readonly method: string
  /** As it was sent, still encoded, below the server's own path, without /index.php: `/apps/notes/api/v1/notes`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: Uint8Array
  /** Who is signed in, by Basic, Bearer or a browser's session. */
  readonly user: User | undefined
  /** How: what Nextcloud lets in depends on it. */
  readonly by: "basic" | "bearer" | "session" | undefined
  /** The app password or OAuth token that was used, if it was one. */
  readonly token: AppToken | undefined
  /** Why what was presented did not count. Areas are not asked then: the server has answered already. */
  readonly refused: Refusal | undefined
  /** The browser that asks: every caller has a session, signed in or not. */
  readonly session: BrowserSession
  readonly world: World
  /** The server's own address, with its path, without a slash at the end. */
  readonly url: string
  /** Where its pages are: `url`, with /index.php where there are no pretty addresses. */
  readonly pages: string
}

/** Of a login by Basic, or "unknown" for a Bearer token that is none. */
export type Refusal = "wrong" | "disabled" | "throttled" | "unknown"

export interface User {
  readonly id: string
  readonly displayName: string
  readonly email: string
  /** In bytes; undefined is unlimited. */
  readonly quota?: number
  readonly groups: readonly string[]
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Undefined: this is not one of mine. */
export type Area = (call: Call) => Reply | undefined | Promise<Reply | undefined>
