// Stores which person each Slack account belongs to. Only `linking.ts` calls `link`, after the person was verified both
// in Slack and on our page.

import type { Runtime, Storage } from "@holdpoint/hub"
import { isSamePerson, type Principal, type PrincipalId } from "@holdpoint/hub"
import { ownerKey, toOwner, toPrincipalId } from "@holdpoint/hub/internal"
import { accountOf, type SlackLink, slackLinkKind } from "./records.ts"
import type { SlackUser } from "./wire.ts"

/** The links between Slack accounts and people. */
export interface SlackLinks {
  /**
   * Finds the person of a Slack account, with their current roles. Undefined when the account is not linked, or the
   * person is no longer known.
   */
  personOf(account: SlackUser): Promise<Principal | undefined>
  /** The accounts of a person, in all workspaces. */
  of(person: PrincipalId): Promise<readonly SlackLink[]>
  /** Links the account to this person only, and replaces an earlier link to another person. */
  link(account: SlackUser & Pick<SlackLink, "userName" | "teamName">, person: PrincipalId): Promise<void>
  /**
   * Removes the link of an account. False when the account is not linked, or is linked to a different person than
   * `person`.
   */
  unlink(account: SlackUser, person?: PrincipalId): Promise<boolean>
}

export interface LinksNeeds {
  readonly storage: Pick<Storage, "records">
  readonly runtime: Pick<Runtime, "now">
  /**
   * Returns the person with their current roles. Undefined for people who have not signed in for a long time, or have
   * left.
   */
  readonly personNow: (person: PrincipalId) => Promise<Principal | undefined>
}

const mostLinks = 100

export function createLinks({ storage, runtime, personNow }: LinksNeeds): SlackLinks {
  const records = storage.records(slackLinkKind)
  return {
    async personOf(account) {
      const link = await records.get(accountOf(account))
      return link === undefined ? undefined : personNow(link.principal)
    },
    of: (person) => records.list({ tenant: person.tenant, owner: ownerKey(toOwner(person)), limit: mostLinks }),
    async link({ team, user, userName, teamName }, person) {
      const id = accountOf({ team, user })
      const principal = toPrincipalId(person)
      for (;;) {
        const existing = await records.get(id)
        const next: SlackLink = {
          ...{ id, tenant: principal.tenant, version: 1, team, user, userName, teamName, principal },
          linkedAt: runtime.now(),
        }
        if (existing === undefined ? await records.insert(next) : await replaceLink(existing, next)) return
      }
    },
    async unlink(account, person) {
      const existing = await records.get(accountOf(account))
      if (existing === undefined || (person !== undefined && !isSamePerson(existing.principal, person))) return false
      return records.remove(existing)
    },
  }

  /** Replaces a link. A record cannot change its tenant, so a link of another tenant is removed first. */
  async function replaceLink(existing: SlackLink, next: SlackLink): Promise<boolean> {
    if (existing.tenant === next.tenant) return records.replace({ ...next, version: existing.version + 1 })
    return (await records.remove(existing)) && records.insert(next)
  }
}
