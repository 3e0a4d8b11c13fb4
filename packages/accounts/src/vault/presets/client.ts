// Options of every preset: the program's own client at the provider.

import type { OAuthClient } from "@holdpoint/hub/internal"

/** The client that you registered at the provider. */
export interface ClientOptions {
  readonly clientId: string
  readonly clientSecret: string
  /** Needed when a program uses several clients of the same provider. */
  readonly id?: string
  readonly name?: string
}

interface PresetDefaults {
  readonly id: string
  readonly name: string
  readonly method: "basic" | "post"
}

export function toParts(
  { id, name, clientId, clientSecret }: ClientOptions,
  defaults: PresetDefaults,
): { readonly id: string; readonly name: string; readonly client: OAuthClient } {
  const client = { id: clientId, authentication: { method: defaults.method, secret: clientSecret } }
  return { id: id ?? defaults.id, name: name ?? defaults.name, client }
}
