// An account as OCS describes it to its owner.

import { usedBy } from "./files/store.ts"
import type { Account, World } from "./world.ts"

const personal = ["phone", "address", "website", "twitter", "bluesky", "fediverse", "organisation", "role"]

export function userData(world: World, account: Account): Readonly<Record<string, unknown>> {
  const { id, displayName, email, firstLogin = 1794726184 } = account
  const toScoped = (name: string, value: unknown, scope: unknown) => ({ [name]: value, [`${name}Scope`]: scope })
  const texts = [...personal, "headline", "biography"].map((name) => toScoped(name, "", "v2-local"))
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
    ...toScoped("email", email === "" ? null : email, "v2-federated"),
    ...toScoped("additional_mail", [], []),
    ...toScoped("displayname", displayName, "v2-federated"),
    "display-name": displayName,
    ...Object.assign({}, ...texts),
    ...toScoped("profile_enabled", "1", "v2-local"),
    ...toScoped("pronouns", "", "v2-federated"),
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
  const usedBytes = usedBy(world, id)
  if (quota === undefined) return { free: -3, used: usedBytes, total: -3, relative: 0, quota: -3 }
  const freeBytes = Math.max(quota - usedBytes, 0)
  return {
    free: freeBytes,
    used: usedBytes,
    total: quota,
    relative: Math.round((usedBytes / quota) * 10_000) / 100,
    quota,
  }
}
