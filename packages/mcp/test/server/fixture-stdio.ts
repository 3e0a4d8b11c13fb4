// The asking server over stdio, in its own process on the given storage. Tests start it.

import { readKeyFile } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { alice } from "@holdpoint/testkit/fixtures"
import type { Settings } from "@holdpoint/testkit/mcp/server/world"
import { serve } from "@holdpoint/testkit/mcp/server/world"

const [database = "", keyFile = "", subject = "", settings = "{}"] = process.argv.slice(2)

const storage = await openSqlite(database)
const serving = serve(storage, readKeyFile(keyFile), {
  callers: { local: { ...alice, subject } },
  // Between two cells the person's process ends the connection, and the next call must not overtake that news.
  vaultTimes: { trustMs: 0 },
  ...(JSON.parse(settings) as Settings),
})
serving.mcp.stdio()

process.stdin.on("end", async () => {
  await serving.close()
  await storage.close()
})
