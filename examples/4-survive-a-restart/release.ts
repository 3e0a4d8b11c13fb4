// A program that may be killed at any moment. The key makes its question the same one in every run: the person is not asked
// twice, and a run finds an answer that was given while no run was active.

import { join } from "node:path"
import { createHub, form, yesNo } from "@holdpoint/hub"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { createTerminalOutlet } from "@holdpoint/terminal"
import { me } from "./me.ts"

const folder = process.argv[2] ?? "."
const storage = await openSqlite(join(folder, "questions.sqlite"))
const howToAnswer = () => "wait for the other process"
const hub = createHub({ storage, outlets: (hub) => [createTerminalOutlet({ as: me, hub, howToAnswer })] })

const asked = await hub.ask({
  key: "release 4.2.0",
  message: "Release version 4.2.0?",
  audience: me,
  requester: { id: "release-script", name: "Release script" },
  form: form({ sure: yesNo({ title: "Release it" }) }),
  lifetimeMs: 600_000,
})
console.log(`question ${asked.id}`)

const outcome = await hub.wait(asked)
console.log(`outcome ${JSON.stringify(outcome)}`)

await hub.close()
await storage.close()
