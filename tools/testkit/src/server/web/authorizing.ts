// Programs that want to act in somebody's name, and one that does, as the pages show them.

import type { AuthorizeView, ProgramView } from "@holdpoint/server/internal"
import type { SignedIn } from "@holdpoint/server/parts"

const minute = 60_000

export function authorizingAt(now: number, who: SignedIn) {
  const document: AuthorizeView = {
    ...who,
    now,
    id: "d4f2",
    action: "/authorize/d4f2",
    client: { name: "Relay Chat", isChecked: false, host: "relay.example" },
    redirect: { host: "relay.example", isLocal: false },
    resource: { name: "Notes", host: "notes.example.com" },
    scopes: [
      { scope: "notes.read", words: "Read your notes" },
      { scope: "notes.write", words: "Change and delete your notes", isNew: true },
    ],
    expiresAt: now + 14 * minute,
  }
  const local: AuthorizeView = {
    ...document,
    client: { name: "Desk", isChecked: true },
    redirect: { host: "127.0.0.1:43117", isLocal: true },
  }
  const unknown: AuthorizeView = {
    ...document,
    client: { name: "A program with a name that is rather long for such a page", isChecked: false },
    redirect: { host: "a-host-with-a-rather-long-name-that-has-to-break-somewhere.relay.example:8443", isLocal: false },
  }
  const relay: ProgramView = {
    name: "Relay Chat",
    host: "relay.example",
    resource: "Notes",
    scopes: [{ scope: "notes.read", words: "Read your notes" }],
    since: now - 3 * 24 * 60 * minute,
    withdraw: "/account/programs/p1/withdraw",
  }
  return { document, local, unknown, programs: [relay] }
}
