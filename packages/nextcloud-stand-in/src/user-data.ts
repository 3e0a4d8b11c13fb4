// An account as OCS describes it to its owner.

import { usedBy } from "./files/store.ts"
import type { Account, World } from "./world.ts"

const personal = ["phone", "address", "website", "twitter", "bluesky", "fediverse", "organisation", "role"]

export function userData(world: World, account: Account): Readonly<Record<string, unknown>> {
  const { id, displayName, email, firstLogin = 1794726184 } = account
  const scoped = (name: string, value: unknown, scope: unknown) => ({ [name]: value, [`${name}Scope`]: scope })
  const texts = [...personal, "headline", "biography"].map((name) => scoped(name, "", "v2-local"))
  const lastSeen = Math.floor(world.now() / 1000)
  return {
    enabled: !world.switches.disabled.has(id),
    id,
    firstLoginTimestamp: firstLogin,
    lastLoginTimestamp: lastSeen,
    lastLogin: lastSeen * 1000,
    backend: account.loginName === id ? "Database" : "LDAP",
    subadmin: [],
    quota: quotaOf(world, account),
    manager: "",
    avatarScope: "v2-federated",
    ...scoped("email", email === "" ? null : email, "v2-federated"),
    ...scoped("additional_mail", [], []),
    ...scoped("displayname", displayName, "v2-federated"),
    "display-name": displayName,
    ...Object.assign({}, ...texts),
    ...scoped("profile_enabled", "1", "v2-local"),
    ...scoped("pronouns", "", "v2-federated"),
    groups: account.groups,
    language: "en",
    locale: "",
    timezone: "Europe/Berlin",
    notify_email: null,
    backendCapabilities: { setDisplayName: true, setPassword: true },
  }
}

/** The account's quota; -3 is unlimited. */
function quotaOf(world: World, { id, quota }: Account) {
  const used = usedBy(world, id)
  if (quota === undefined) return { free: -3, used, total: -3, relative: 0, quota: -3 }
  const free = Math.max(quota - used, 0)
  return { free, used, total: quota, relative: Math.round((used / quota) * 10_000) / 100, quota }
}
