// The default accounts of the stand-in.

import type { User } from "./area.ts"

export interface Account extends User {
  /** The name for signing in. With LDAP it differs from the id. */
  readonly loginName: string
  readonly password: string
  /** The time of the first login, in seconds since 1970. */
  readonly firstLogin?: number
}

/** An account whose id is its login name, with the password `alice-Pass-2026` for alice. */
export function person(id: string, overrides: Partial<Account> = {}): Account {
  const name = id.charAt(0).toUpperCase() + id.slice(1)
  return {
    id,
    loginName: id,
    password: `${id}-Pass-2026`,
    displayName: `${name} Example`,
    email: `${id}@example.org`,
    groups: [],
    ...overrides,
  }
}

const mebibyte = 1_048_576

export const people: readonly Account[] = [
  person("alice"),
  person("bob"),
  person("carol", { quota: mebibyte }),
  { ...person("dora"), id: "ldap-7f3a" },
  person("admin", { displayName: "admin", email: "", groups: ["admin"] }),
]
