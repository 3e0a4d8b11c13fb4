// One attempt to send one event, signed according to Standard Webhooks.

import type { Fetch } from "@holdpoint/hub/internal"
import { type Judged, post } from "../../fetching/post.ts"
import { type Signed, toHeaders } from "./sign.ts"

export interface Attempt extends Signed {
  readonly url: string
  readonly secrets: readonly string[]
  readonly signal: AbortSignal
}

export async function send(fetch: Fetch, { url, secrets, signal, ...signed }: Attempt): Promise<Judged> {
  const { body, at } = signed
  return post(fetch, { url, headers: await toHeaders(secrets, signed), body, at, signal })
}
