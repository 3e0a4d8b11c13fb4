// The headers that carry an access token in a call.

import type { Provider } from "@holdpoint/hub/internal"
import type { SecretFields } from "../kind.ts"

export function toBearer(provider: Pick<Provider, "headers">, fields: SecretFields): Readonly<Record<string, string>> {
  return { ...provider.headers, authorization: `Bearer ${fields.access_token}` }
}
