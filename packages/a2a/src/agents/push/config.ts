// Validates the push configurations of clients, and builds the version that clients can read later. It never contains
// the token and the credentials.

import type { TaskPushNotificationConfig } from "@a2a-js/sdk"
import { RequestMalformedError } from "@a2a-js/sdk/errors"

/** The sealed values of a configuration. */
export interface PushTarget {
  readonly url: string
  readonly token: string
  readonly scheme: string
  readonly credentials: string
}

/** Reads and validates the target. `problemOf` returns why an address is not allowed. */
export function readTarget(
  { url, token, authentication }: TaskPushNotificationConfig,
  problemOf: (url: string) => string | undefined,
): PushTarget {
  const problem = problemOf(url)
  if (problem !== undefined)
    throw new RequestMalformedError(
      `Notifications are not sent to this address: ${problem}. The operator can allow the host with webhooks.alsoAllow.`,
    )
  const { scheme = "", credentials = "" } = authentication ?? {}
  check("token", token, /^[\x21-\x7e]{0,2000}$/)
  check("authentication.scheme", scheme, /^[\w!#$%&'*+.^`|~-]{0,100}$/)
  check("authentication.credentials", credentials, /^[\x20-\x7e]{0,4000}$/)
  if (scheme === "" && credentials !== "") throw new RequestMalformedError("“authentication.scheme” is missing.")
  return { url: new URL(url).href, token, scheme, credentials }
}

/** Restores the target from its unsealed values. */
export function toTarget(values: Readonly<Record<string, unknown>>): PushTarget {
  const read = (name: string): string => (typeof values[name] === "string" ? values[name] : "")
  return { url: read("url"), token: read("token"), scheme: read("scheme"), credentials: read("credentials") }
}

/** The id that the client chose. Undefined without one. */
export function readConfigId(id: string): string | undefined {
  check("id", id, /^[\x21-\x7e]{0,200}$/)
  return id === "" ? undefined : id
}

/** Validates a value that becomes a header or a part of an id. The error omits the value, which may be a secret. */
function check(name: string, value: string, form: RegExp): void {
  if (!form.test(value)) throw new RequestMalformedError(`“${name}” is too long or has invalid characters.`)
}

export function toShown(
  { task, config }: { readonly task: string; readonly config: string },
  { url, scheme }: PushTarget,
): TaskPushNotificationConfig {
  const authentication = scheme === "" ? undefined : { scheme, credentials: "" }
  return { tenant: "", id: config, taskId: task, url, token: "", authentication }
}

/** The headers by which the receiver authenticates a notification. */
export function headersOf({ token, scheme, credentials }: PushTarget): Readonly<Record<string, string>> {
  return {
    ...(token === "" ? {} : { "x-a2a-notification-token": token }),
    ...(scheme === "" ? {} : { authorization: credentials === "" ? scheme : `${scheme} ${credentials}` }),
  }
}
