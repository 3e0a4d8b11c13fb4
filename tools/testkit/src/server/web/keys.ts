// Programs with keys, as the account page shows them to an administrator, and a key that was just made.

import type { AskingProgramsView } from "@holdpoint/server/internal"

const day = 24 * 3_600_000

export function keysAt(now: number) {
  const asking: AskingProgramsView = {
    programs: [
      {
        ...{
          name: "Release robot",
          shownKey: "hp_4f2a91c07be3d615_…",
          audience: "people with the role release manager",
        },
        ...{ madeBy: "bob", since: now - 3 * day, lastUsedAt: now - 60_000, remove: "/account/keys/k1/remove" },
      },
      {
        ...{ name: "Backup script", shownKey: "hp_90be3d6154f2a91c_…", audience: "you", since: now - day },
        remove: "/account/keys/k2/remove",
      },
    ],
    action: "/account/keys",
    isAdmin: true,
  }
  const key = `hp_90be3d6154f2a91c_${"x7Qa-".repeat(9).slice(0, 43)}`
  const justMade: AskingProgramsView = { ...asking, isAdmin: false, newKey: { name: "Backup script", key } }
  return { asking, justMade }
}
