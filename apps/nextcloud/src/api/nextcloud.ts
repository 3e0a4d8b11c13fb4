// The interface of one person's Nextcloud for the tools: requests relative to its address with errors interpreted, and
// facts about the server and the account.

import type { Capabilities } from "./capabilities.ts"

export interface Nextcloud {
  /** The base address, with its path and without a trailing slash. */
  readonly url: string
  /**
   * Sends a request. Throws a NextcloudError for statuses that are not accepted. App APIs are at /apps/…, which is sent
   * through /index.php.
   */
  send(request: NcRequest): Promise<NcAnswer>
  /** The user id that WebDAV paths contain. It may differ from the login name. */
  userId(): Promise<string>
  capabilities(): Promise<Capabilities>
  /** The user's time zone as an IANA name. Undefined when the server does not know or does not report it. */
  timeZone(): Promise<string | undefined>
  /** The apps in this person's menu, including those that report no capabilities. */
  apps(): Promise<ReadonlySet<string>>
  /**
   * The address of a page of the web interface. It contains /index.php unless the server is known to work without it.
   */
  link(path: string): string
}

export interface NcRequest {
  readonly method?: string
  /** The encoded path below the server's address: `/apps/notes/api/v1/notes`, `/ocs/v2.php/…`, `/remote.php/dav/…`. */
  readonly path: string
  readonly query?: Readonly<Record<string, Query>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Sent as JSON instead of `body`. */
  readonly json?: unknown
  /** The operation, for error messages: “reading the note 5”. */
  readonly activity: string
  /** Statuses besides 2xx that do not throw: the caller checks `status`. */
  readonly accept?: readonly number[]
  /** Whether the request may be retried when its outcome is unknown. Default: true for methods that only read. */
  readonly repeatable?: boolean
  readonly signal?: AbortSignal
  /** The largest accepted response body; a larger one is an error. Default: 16 MiB. */
  readonly maxBytes?: number
}

export type Query = string | number | boolean | undefined | readonly string[]

export interface NcAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  text(): string
  /** Parses the body. Throws a NextcloudError when it is not JSON, for example an error page. */
  json(): unknown
}
