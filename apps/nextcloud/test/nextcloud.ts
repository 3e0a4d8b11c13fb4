// One person's Nextcloud for tests, over any function that answers requests. Records every request.

import { createNextcloud } from "../src/api/client.ts"
import type { Nextcloud } from "../src/api/nextcloud.ts"

export interface SentRequest {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly headers: Headers
  readonly body: string
}

export interface Connected {
  readonly nextcloud: Nextcloud
  /** The requests, without those for cached facts: the user, the capabilities and the apps. */
  readonly requests: readonly SentRequest[]
  forget(): void
}

export type Answering = (request: Request) => Promise<Response>

export interface ConnectOptions {
  readonly user?: string
  readonly url?: string
}

/** Connects as a user of the stand-in. Retries do not wait. */
export function connect(
  answer: Answering,
  { user = "alice", url = "http://cloud.test" }: ConnectOptions = {},
): Connected {
  const requests: SentRequest[] = []
  const authorization = `Basic ${Buffer.from(`${user}:${user}-Pass-2026`).toString("base64")}`
  const nextcloud = createNextcloud({
    url,
    // Only the tests of short addresses read whether the server has them.
    facts: { hasShortAddresses: false },
    wait: async () => {},
    async fetch(address, init) {
      const request = new Request(address, { ...init, headers: { ...(init.headers as object), authorization } })
      const path = address.slice(new URL(url).origin.length)
      const body = await request.clone().text()
      if (!isDiscovery(request.method, path))
        requests.push({ method: request.method, path, headers: request.headers, body })
      return answer(request)
    },
  })
  return { nextcloud, requests, forget: () => void requests.splice(0) }
}

const isDiscovery = (method: string, path: string): boolean =>
  (method === "PROPFIND" && path.endsWith("/remote.php/dav/")) || path.includes("/ocs/v2.php/cloud/capabilities")

const principal =
  '<d:multistatus xmlns:d="DAV:"><d:response><d:href>/</d:href><d:propstat><d:prop><d:current-user-principal><d:href>/remote.php/dav/principals/users/alice/</d:href></d:current-user-principal></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>'

/** Answers the request for the current user, and every other request with `answer`. */
export const always =
  (answer: () => Response): Answering =>
  async ({ method, url }) =>
    isDiscovery(method, new URL(url).pathname)
      ? new Response(principal, { status: 207, headers: { "content-type": "application/xml" } })
      : answer()

/** A proxy in front of the server sends a web page instead of data. */
export const webPage: Answering = always(
  () => new Response("<!doctype html><p>Sign in", { headers: { "content-type": "text/html; charset=UTF-8" } }),
)
