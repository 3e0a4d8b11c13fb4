// People's own preferences: one small text per name.

import { createHash } from "node:crypto"
import type { PrincipalId, Runtime, Storage } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import { ownerKey, toOwner, toPrincipalId } from "@holdpoint/hub/internal"
import type { Preference } from "./records.ts"
import { preferenceKind } from "./records.ts"

export interface Choices {
  get(principal: PrincipalId, name: string): Promise<string | undefined>
  /** Sets a preference. The last write wins. */
  set(principal: PrincipalId, name: string, value: string): Promise<void>
  /** Removes a preference, so that the default applies. */
  clear(principal: PrincipalId, name: string): Promise<void>
  /** All of the person's preferences, by name. */
  all(principal: PrincipalId): Promise<ReadonlyMap<string, string>>
}

/** Stores the preferences of people, by name. */
export function createChoices(storage: Pick<Storage, "records">, runtime: Pick<Runtime, "now">): Choices {
  const preferences = storage.records(preferenceKind)
  return {
    get: async (principal, name) => (await preferences.get(idOf(principal, name)))?.value,
    async set(principal, name, value) {
      if (name.length > mostText || value.length > mostText)
        throw new HoldpointError("invalid_config", `A choice has at most ${mostText} characters.`)
      for (let attempt = 0; attempt < mostTries; attempt++) {
        const id = idOf(principal, name)
        const stored = await preferences.get(id)
        const preference: Preference = {
          ...{ id, tenant: principal.tenant, principal: toPrincipalId(principal), name, value },
          ...{ version: (stored?.version ?? 0) + 1, setAt: runtime.now() },
        }
        if (stored?.value === value) return
        if (await (stored === undefined ? preferences.insert(preference) : preferences.replace(preference))) return
      }
      throw new HoldpointError(
        "store_unavailable",
        "The choice could not be saved, because it keeps being changed at the same time. Try again.",
      )
    },
    async clear(principal, name) {
      for (let attempt = 0; attempt < mostTries; attempt++) {
        const stored = await preferences.get(idOf(principal, name))
        if (stored === undefined || (await preferences.remove(stored))) return
      }
    },
    async all(principal) {
      const owner = ownerKey(toOwner(principal))
      const stored = await preferences.list({ tenant: principal.tenant, owner, limit: mostChoices })
      return new Map(stored.map(({ name, value }) => [name, value]))
    },
  }
}

const mostText = 200
const mostTries = 5
const mostChoices = 1_000

/** The record id of a preference: a hash, so that different people and names always have different ids. */
function idOf({ tenant, issuer, subject }: PrincipalId, name: string): string {
  return createHash("sha256")
    .update(JSON.stringify([tenant, issuer, subject, name]))
    .digest("base64url")
}
