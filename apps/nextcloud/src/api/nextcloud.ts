// One person's Nextcloud, as the tools use it: requests below its address with errors understood, and what is known of
// the server and the account.

import type { Capabilities } from "./capabilities.ts"

export interface Nextcloud {
  /** With its path, without a slash at the end. */
  readonly url: string
  /** Throws a NextcloudError for what is not accepted. App APIs are at /apps/…, which goes through /index.php. */
  send(request: NcRequest): Promise<NcAnswer>
  /** Who this is in addresses of WebDAV: the id, which need not be the name one signs in with. */
  userId(): Promise<string>
  capabilities(): Promise<Capabilities>
  /** The user's own time zone, as an IANA name. Undefined: the server does not know it, or does not say. */
  timeZone(): Promise<string | undefined>
  /** The apps in this person's menu: also of those that tell nothing of themselves. */
  apps(): Promise<ReadonlySet<string>>
  /** A page of the web interface, for people: as the server itself writes it, once it has answered. */
  link(path: string): string
}

export interface NcRequest {
  readonly method?: string
  /** Encoded, below the server's address: `/apps/notes/api/v1/notes`, `/ocs/v2.php/…`, `/remote.php/dav/…`. */
  readonly path: string
  readonly query?: Readonly<Record<string, Query>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Sent as JSON, in place of `body`. */
  readonly json?: unknown
  /** What is being done, for the error: “reading the note 5”. */
  readonly doing: string
  /** Statuses besides 2xx that are no error for the caller, who looks at `status`. */
  readonly accept?: readonly number[]
  /** Whether it may be sent again when nobody knows if it was done. Unless said: for reading methods. */
  readonly repeatable?: boolean
  readonly signal?: AbortSignal
  /** Of the answer: more is an error. 16 MiB unless said. */
  readonly maxBytes?: number
}

export type Query = string | number | boolean | undefined | readonly string[]

export interface NcAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  text(): string
  /** Throws a NextcloudError when it is none: a page of errors, for example. */
  json(): unknown
}
