// The demo content: a little of everything for alice and bob.

import { seedCalendar } from "./calendar/seed.ts"
import { seedContacts } from "./contacts/seed.ts"
import { seedFiles } from "./files/seed.ts"
import { receiveMail } from "./mail/store.ts"
import { seedNotes } from "./notes/seed.ts"
import { notify } from "./notifications.ts"
import type { World } from "./world.ts"

export function seed(world: World): void {
  seedFiles(world)
  seedNotes(world)
  seedCalendar(world)
  seedContacts(world)
  if (!world.users.has("alice")) return
  const body = "Hello Alice,\n\nthe plan is at https://example.org/plan. Can we talk on Friday?\n\nBob"
  receiveMail(world, "alice", { from: "bob@example.org", subject: "The plan for the release", body })
  const subject = "Bob Example asked for the release checklist"
  notify(world, "alice", { app: "notes", subject, link: "/index.php/apps/notes/", object: ["note", "1"] })
}
