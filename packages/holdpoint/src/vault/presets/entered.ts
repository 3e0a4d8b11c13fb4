// Credentials that people enter on our page: a key, or a name and a password.

import type { ApiCall, ApiKeyProvider, BasicProvider } from "../../core/provider.ts"
import { defineProvider } from "./define.ts"

interface EnteredOptions {
  readonly id: string
  readonly name: string
  /** A call that works with good credentials and fails with bad ones. */
  readonly test: ApiCall | string
  /** Where the answer to that call tells whose account it is. */
  readonly account?: { readonly id: string; readonly name?: readonly string[] }
  /** Where calls may go; the origin of the test unless told otherwise. */
  readonly api?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** Where people find what they have to enter. */
  readonly help?: { readonly words: string; readonly url?: string }
}

export interface ApiKeyOptions extends EnteredOptions {
  /** `Authorization: Bearer …` unless told otherwise. */
  readonly header?: { readonly name: string; readonly prefix?: string }
}

export function apiKey({
  header = { name: "Authorization", prefix: "Bearer " },
  ...options
}: ApiKeyOptions): ApiKeyProvider {
  return defineProvider({ kind: "api_key", header, ...toParts(options) })
}

export function basic(options: EnteredOptions): BasicProvider {
  return defineProvider({ kind: "basic", ...toParts(options) })
}

function toParts({ id, name, test, account, api, headers, help }: EnteredOptions) {
  const call: ApiCall = typeof test === "string" ? { method: "GET", url: test } : test
  const identity =
    account === undefined ? nobody : { from: "call" as const, call, id: account.id, name: account.name ?? [] }
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

const nobody = { from: "nothing" } as const
