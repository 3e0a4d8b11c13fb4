// What every preset is given: who the program is at the provider.

import type { OAuthClient } from "../../core/provider.ts"

export interface ClientOptions {
  readonly clientId: string
  readonly clientSecret: string
  /** When one program knows several clients of the same provider. */
  readonly id?: string
  readonly name?: string
}

interface Usual {
  readonly id: string
  readonly name: string
  readonly method: "basic" | "post"
}

export function toParts(
  { id, name, clientId, clientSecret }: ClientOptions,
  usual: Usual,
): { readonly id: string; readonly name: string; readonly client: OAuthClient } {
  const client = { id: clientId, authentication: { method: usual.method, secret: clientSecret } }
  return { id: id ?? usual.id, name: name ?? usual.name, client }
}
