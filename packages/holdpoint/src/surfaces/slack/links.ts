// Which person a Slack account belongs to. A link is made only by `linking.ts`, after the person was verified on both
// sides; here it is looked up, listed and ended.

import { ownerKey, toOwner } from "../../core/connection.ts"
import { isSamePerson, type Principal, type PrincipalId, toPrincipalId } from "../../core/principal.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Storage } from "../../ports/storage.ts"
import { accountOf, type SlackLink, slackLinkKind } from "./records.ts"
import type { SlackUser } from "./wire.ts"

/** Which person a Slack account belongs to. */
export interface SlackLinks {
  /** The person of a Slack account, with their current roles. Undefined when it is not linked, or they are unknown now. */
  personOf(account: SlackUser): Promise<Principal | undefined>
  /** The accounts of a person, in all workspaces. */
  of(person: PrincipalId): Promise<readonly SlackLink[]>
  /** Makes the account belong to this person alone, whomever it belonged to before. */
  link(account: SlackUser & Pick<SlackLink, "userName" | "teamName">, person: PrincipalId): Promise<void>
  /** False when the account is not linked, or belongs to another person than the given one. */
  unlink(account: SlackUser, person?: PrincipalId): Promise<boolean>
}

export interface LinksNeeds {
  readonly storage: Pick<Storage, "records">
  readonly runtime: Pick<Runtime, "now">
  /** The person as known now, with roles. Undefined for people who have not signed in for long, or left. */
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

  /** A record cannot move to another tenant, so it is removed there first. */
  async function replaceLink(existing: SlackLink, next: SlackLink): Promise<boolean> {
    if (existing.tenant === next.tenant) return records.replace({ ...next, version: existing.version + 1 })
    return (await records.remove(existing)) && records.insert(next)
  }
}
