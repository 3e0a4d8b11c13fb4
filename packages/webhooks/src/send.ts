// One attempt to send one event, signed according to Standard Webhooks.

import type { Judged } from "@holdpoint/fetching"
import { post } from "@holdpoint/fetching/internal"
import type { Fetch } from "@holdpoint/hub/internal"
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
