// Follows docs/five-minutes.md as its reader would: starts every program, answers its question, and checks the result.

import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createHub, createMemoryStorage, form, inbox, text } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { openBrowser } from "../5-connect-an-account/browser.ts"
import { freePort } from "../free-port.ts"
import { asTerminal, post, start } from "./programs.ts"
import { answer, openQuestions } from "./web/own-pages.ts"
import { approver, people } from "./web/people.ts"

const home = mkdtempSync(join(tmpdir(), "holdpoint-five-minutes-"))
const stories = {
  "plain Node": askInTerminal,
  Express: () => serveShop("web/express.ts"),
  Hono: () => serveShop("web/hono.ts"),
  "Next.js": () => serveShop("routes.ts"),
  "an MCP server with thirty tools": callTool,
  "your own users": signIn,
  "your own pages": answerOnOwnPages,
}
await Promise.all(Object.entries(stories).map(([title, play]) => play().then(() => console.log(`✔ ${title}`))))
rmSync(home, { recursive: true, force: true })

async function askInTerminal(): Promise<void> {
  const script = start("node/ask.ts", { cwd: home, args: ["--import", asTerminal] })
  await script.says(/Production/)
  script.types("\u001b[B\r")
  await script.says(/Send/)
  script.types("\r")
  await script.says(/Releasing to production\./)
  assert.equal(await script.ended, 0)
}

async function serveShop(program: string): Promise<void> {
  const port = await freePort()
  const shop = start(program, { port, cwd: mkdtempSync(join(home, "shop-")) })
  const refunded = post(`http://127.0.0.1:${port}/refunds/1001`)
  const browser = openBrowser()
  const page = await browser.open(await shop.says(/http:\S+\/inbox\/\S+/))
  assert.equal(page.heading, "Shop asks")
  await browser.submit(page, { "field.decision": "refund", do: "accept" })
  assert.equal(await refunded, "Order 1001 is refunded.\n")
  shop.end()
  await shop.ended
}

async function callTool(): Promise<void> {
  const client = start("mcp/try.ts", { cwd: join(import.meta.dirname, "mcp") })
  await client.says(/The server has 30 tools\./)
  await client.says(/Refund order 1001\? \(yes, no\)/)
  client.types("yes\n")
  await client.says(/Order 1001 is refunded\./)
  assert.equal(await client.ended, 0)
}

async function signIn(): Promise<void> {
  const publicUrl = "https://shop.example.com"
  const holdpoint = await createHoldpoint({ storage: createMemoryStorage(), keys: withNewKey(), publicUrl, people })
  const { headers } = await holdpoint.fetch(new Request(`${publicUrl}/inbox`))
  assert.match(headers.get("location") ?? "", /^\/signin/)
  await holdpoint.close()
}

async function answerOnOwnPages(): Promise<void> {
  const hub = createHub({ storage: createMemoryStorage(), outlets: [inbox()] })
  const ada = { tenant: "shop", issuer: "shop", subject: "ada", roles: ["support"] }
  const reason = form({ reason: text({ title: "Reason" }) })
  const asked = await hub.ask({ message: "Why?", form: reason, audience: approver, requester: { id: "shop" } })
  const [open] = await openQuestions(hub, ada)
  assert.equal(open?.message, "Why?")
  assert.match((await answer(hub, { ...ada, roles: [] }, asked.id, { reason: "Late" })) ?? "", /./)
  assert.equal(await answer(hub, ada, asked.id, { reason: "Broken" }), undefined)
  assert.deepEqual(await hub.wait(asked), { status: "completed", content: { reason: "Broken" } })
  await hub.close()
}
