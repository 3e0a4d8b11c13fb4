// Programs that use the published packages. tarball.test.ts runs them in a folder where the packages are installed.

export const asking = `
import { createHub, createMemoryStorage, form, inbox, isHoldpointError, yesNo } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { openSqlite } from "@holdpoint/hub/sqlite"
import * as terminal from "@holdpoint/terminal"
import { createTestClock } from "@holdpoint/testing"

const ada = { tenant: "t", issuer: "https://id.example.com", subject: "ada" }
for (const storage of [createMemoryStorage(), await openSqlite("questions.db")]) {
  const runtime = createTestClock()
  const hub = createHub({ storage, outlets: [inbox()], runtime })
  const asked = await hub.ask({
    message: "Go on?",
    form: form({ sure: yesNo({ title: "Sure?" }) }),
    audience: ada,
    requester: { id: "tarball" },
  })
  const waiting = hub.wait(asked)
  await hub.answer(asked.id, { by: ada, action: "accept", content: { sure: true } })
  console.log(JSON.stringify(await waiting))
  await hub.close()
  await storage.close()
}
console.log(typeof openPostgres, Object.keys(terminal).length > 0, isHoldpointError(new Error("no")))
`

export const withoutPostgres = `
import { createHub, form, inbox, yesNo } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { openSqlite } from "@holdpoint/hub/sqlite"

const ada = { tenant: "t", issuer: "https://id.example.com", subject: "ada" }
const storage = await openSqlite("questions.db")
const hub = createHub({ storage, outlets: [inbox()] })
const asked = await hub.ask({
  message: "Go on?",
  form: form({ sure: yesNo({ title: "Sure?" }) }),
  audience: ada,
  requester: { id: "tarball" },
})
await hub.answer(asked.id, { by: ada, action: "accept", content: { sure: true } })
console.log(JSON.stringify(await hub.wait(asked)))
await hub.close()
await storage.close()
await openPostgres("postgres://localhost").catch(({ code, message }) => console.log(code + ": " + message))
`

export const typed = `
import type { Draft, Elicitation, Hub, Outcome, Outlet, Principal, Storage } from "@holdpoint/hub"
import { createHub, createMemoryStorage, form, inbox, text, yesNo } from "@holdpoint/hub"
import { type Asking, type Carrier, createAsking } from "@holdpoint/calls"
import { openPostgres } from "@holdpoint/hub/postgres"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import * as terminal from "@holdpoint/terminal"
import { createTestClock, type TestClock } from "@holdpoint/testing"
import { checkUrlMode, type UrlModeReport } from "@holdpoint/url-mode-conformance"
import { createCommand, type CheckCommand } from "@holdpoint/url-mode-conformance/command"

const hub: Hub = createHub({ storage: createMemoryStorage(), outlets: [inbox()] })
const by: Principal = { tenant: "t", issuer: "https://id.example.com", subject: "ada" }
const asked = await hub.ask({
  message: "Go on?",
  form: form({ sure: yesNo({ title: "Sure?" }), name: text({ title: "Name" }) }),
  audience: by,
  requester: { id: "tarball" },
})
const outcome = await hub.wait(asked)
if (outcome.status === "completed" && outcome.content !== undefined) {
  const sure: boolean = outcome.content.sure
  const name: string = outcome.content.name
  // @ts-expect-error the answer has no such field
  outcome.content.other
  console.log(sure, name)
}
const opened: Promise<Storage>[] = [openSqlite("a"), openPostgres("postgres://localhost")]
const clock: TestClock = createTestClock()
const asking: Asking = createAsking({ hub, storage: createMemoryStorage(), sealer: createSealer(withNewKey()) })
const report: Promise<UrlModeReport> = checkUrlMode({ url: "http://127.0.0.1:3000/mcp", fetch })
const command: CheckCommand = createCommand("check")
export { command, report }
export type Used = [Draft, Elicitation, Outcome, Outlet, Carrier<Principal>, typeof terminal]
export { asking, clock, opened }
`

/** A stand-in that stores files and answers boards from recordings. */
export const standingIn = `
import { createStandIn } from "@holdpoint/nextcloud-stand-in"
const { fetch } = createStandIn()
const authorization = "Basic " + btoa("alice:alice-Pass-2026")
const ask = async (method, path) =>
  (await fetch(new Request("http://localhost" + path, { method, headers: { authorization } }))).status
console.log(await ask("PROPFIND", "/remote.php/dav/files/alice/"), await ask("GET", "/apps/deck/api/v1.0/boards"))
`
