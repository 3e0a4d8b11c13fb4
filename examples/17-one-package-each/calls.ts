// A job that asks before it acts. While it waits nothing runs; the answer runs it again, and no effect happens twice.
import { createAsking } from "@holdpoint/calls"
import { createHub } from "@holdpoint/hub"
import { createSealer, openKeyFile } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { person } from "@holdpoint/testing"
import { runJobs } from "./jobs.ts"

const [storage, keys] = [await openSqlite("jobs.db"), openKeyFile("jobs.keys", { mayCreate: true, warn: console.warn })]
const ada = person().accepts({ confirmed: "yes" })
const hub = createHub({ storage, outlets: (hub) => [ada.outlet(hub)] })
const jobs = runJobs(createAsking({ hub, storage, sealer: createSealer(keys) }), ada.principal, async (ask) => {
  if (await ask.confirm("sure", "Delete the old backups?")) await ask.once("deleted", () => console.log("Deleted."))
})
await jobs.start({ id: "backups-2026-11", caller: ada.principal, input: {} })
