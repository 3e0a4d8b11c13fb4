// Providers whose credentials people enter on the page: a key, or a user name and password.

import type { ApiCall, ApiKeyProvider, BasicProvider } from "@holdpoint/hub/internal"
import { defineProvider } from "./define.ts"

interface EnteredOptions {
  readonly id: string
  readonly name: string
  /** A call that succeeds with valid credentials and fails with invalid ones. */
  readonly test: ApiCall | string
  /** The paths in that call's response to the account's id and name. */
  readonly account?: { readonly id: string; readonly name?: readonly string[] }
  /** Origins that calls may go to; by default the origin of the test call. */
  readonly api?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** Tells people where to find what they have to enter. */
  readonly help?: { readonly words: string; readonly url?: string }
}

/** What `apiKey` needs to know. */
export interface ApiKeyOptions extends EnteredOptions {
  /** The header for the key; by default `Authorization: Bearer …`. */
  readonly header?: { readonly name: string; readonly prefix?: string }
}

/** Accounts at any service with API keys. */
export function apiKey({
  header = { name: "Authorization", prefix: "Bearer " },
  ...options
}: ApiKeyOptions): ApiKeyProvider {
  return defineProvider({ kind: "api_key", header, ...toParts(options) })
}

/** Accounts at any service with user name and password. */
export function basic(options: EnteredOptions): BasicProvider {
  return defineProvider({ kind: "basic", ...toParts(options) })
}

function toParts({ id, name, test, account, api, headers, help }: EnteredOptions) {
  const call: ApiCall = typeof test === "string" ? { method: "GET", url: test } : test
  const identity =
    account === undefined ? unidentified : { from: "call" as const, call, id: account.id, name: account.name ?? [] }
  return {
    id,
    name,
    api: api ?? [URL.parse(call.url)?.origin ?? call.url],
    test: call,
    identity,
    ...(headers === undefined ? {} : { headers }),
    ...(help === undefined ? {} : { help }),
  }
}

const unidentified = { from: "nothing" } as const
