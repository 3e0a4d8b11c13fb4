// The release program as a process of its own, so that it can be killed: program.ts DATABASE RECORD SUBJECT.

import { createHub } from "holdpoint"
import { createProcessIo } from "../io.ts"
import { createOutput } from "../output.ts"
import { release, tellIfFound } from "./release.ts"
import { openTried } from "./storage.ts"

const [database = "", record = "", subject = ""] = process.argv.slice(2)
// Whoever started it is gone: nobody reads on.
process.stdin.on("end", () => process.exit(1)).resume()

const io = createProcessIo()
const out = createOutput(io)
const { now } = io.runtime
const storage = await openTried(database)
const hub = createHub({
  storage,
  outlets: [
    {
      name: "play",
      async deliver(question) {
        tellIfFound(out, question, now())
        return { state: "listed" }
      },
      withdraw: async () => {},
    },
  ],
})
await release({ hub, out, me: { tenant: "local", issuer: "local", subject }, record, now })
await hub.close()
await storage.close()
process.stdin.destroy()
