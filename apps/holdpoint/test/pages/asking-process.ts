// A program that asks one question on the database of the server, and waits. Tests kill it.

import { createHub, form, yesNo } from "@holdpoint/hub"
import { openSqlite } from "@holdpoint/hub/sqlite"

const [path = "", audience = "{}"] = process.argv.slice(2)
const storage = await openSqlite(path)
// The pages of the server list it.
const inbox = { name: "inbox", deliver: async () => ({ state: "listed" }) as const, withdraw: async () => {} }
const hub = createHub({ storage, outlets: [inbox] })
const asked = await hub.ask({
  ...{ form: form({ sure: yesNo({ title: "Sure?" }) }), message: "Delete the note?" },
  ...{ audience: JSON.parse(audience), requester: { id: "script", name: "Clean-up script" } },
})
console.log(asked.id)
const outcome = await hub.wait(asked)
console.log(outcome.status)
await hub.close()
await storage.close()
