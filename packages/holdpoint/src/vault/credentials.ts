// What an author is given of a connection's secrets: what can be presented, never what could be used to get more.

import { inspect } from "node:util"
import type { SecretFields } from "./kind.ts"
import type { OpenedConnection } from "./opened-connections.ts"

export interface AccountCredentials {
  /** As a call carries them. */
  readonly headers: Readonly<Record<string, string>>
  /** `access_token`; or `login_name`, `app_password` and `server`; or what was entered. */
  readonly fields: SecretFields
  readonly expiresAt?: number
}

export function toAccountCredentials({
  headers,
  fields,
  connection: { expiresAt },
}: OpenedConnection): AccountCredentials {
  const { refresh_token: _refresh, id_token: _id, ...presentable } = fields
  return unlogged({
    headers: unlogged(Object.fromEntries(headers)),
    fields: unlogged(presentable),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  })
}

/** Reads like any object; a log or a JSON text of it says nothing. */
function unlogged<T extends object>(secret: T): T {
  // Inherited: whoever goes through its own names, as every fetch does with headers, finds no more than there should be.
  return Object.assign(Object.create(silent), secret)
}

const say = (): string => "[secret]"
const silent = { toJSON: say, [inspect.custom]: say }
