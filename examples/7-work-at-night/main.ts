// Four nights of a job that needs alice's account while she sleeps: it asks through her inbox and fails with the reason,
// works once she has answered, and can also wait for the morning. The program plays alice and checks itself.

import assert from "node:assert/strict"
import { oidc } from "@holdpoint/accounts/providers"
import { createMemoryStorage, type PrincipalId } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { startServer } from "holdpoint/serve"
import { openBrowser } from "../5-connect-an-account/browser.ts"
import { startNotes } from "../5-connect-an-account/notes.ts"
import { digest } from "./job.ts"

const notes = await startNotes()
const storage = createMemoryStorage()
const { issuer, client } = notes
const baseScopes = ["openid", "email", "offline_access"]
const server = await startServer({
  ...{ storage, keys: withNewKey(), host: "127.0.0.1", port: 0 },
  people: { from: "embedded" },
  providers: [oidc({ id: "notes", name: "Example Notes", issuer, ...client, baseScopes })],
})
await notes.allowRedirect(`${server.publicUrl}/oauth/callback/notes`)
const { vault, publicUrl } = server
const alice: PrincipalId = { tenant: "local", issuer: `${publicUrl}/idp`, subject: "alice" }
const url = `${notes.issuer}/notes`

const first = await digest(vault, alice, url)
assert.equal(first.why, "asked")
console.log("night 1: there is no account. The job fails with the reason “asked”; the question is in alice's inbox")
assert.deepEqual(await digest(vault, alice, url), first)
console.log("         It runs once more: the same question, not a second one")

assert.equal(await answerInTheMorning("continue"), first.link)
console.log("morning: alice finds it and says yes")
assert.deepEqual(await digest(vault, alice, url), { notes: 3 })
console.log("night 2: the job counts 3 notes. No question is needed")

notes.forgetPrograms()
const third = digest(vault, alice, url, { wait: true })
console.log("night 3: alice has revoked the access at Example Notes. The job notices, asks her again, and waits")
await answerInTheMorning("continue")
assert.deepEqual(await third, { notes: 3 })
console.log("morning: alice says yes, and the call that waited goes on: 3 notes")

notes.forgetPrograms()
const fourth = digest(vault, alice, url, { wait: true })
console.log("night 4: she has revoked it again. The job asks, and waits")
await answerInTheMorning("no")
assert.equal((await fourth).why, "declined")
console.log("morning: alice says no, and the job ends with the reason “declined”")

await server.close()
await storage.close()
await notes.close()

/** Alice signs in and checks her inbox until there is a question. Returns the link that she followed. */
async function answerInTheMorning(answer: "continue" | "no"): Promise<string> {
  const browser = openBrowser()
  let inbox = await browser.submit(await browser.open(`${publicUrl}/inbox`), { user: "alice" })
  while (!inbox.html.includes(`${publicUrl}/connect/`)) inbox = await browser.open(inbox.url)
  const [link = ""] = /https?:[^"]*\/connect\/[0-9a-f-]{36}/.exec(inbox.html) ?? []
  const page = await browser.open(link)
  assert.equal(page.heading, "Connect Example Notes?")
  const next = await browser.submit(page, { do: answer })
  if (answer === "no") assert.equal(next.heading, "Not connected")
  else assert.equal((await browser.submit(next, { say: "yes" })).heading, "Connected as alice@notes.example")
  return link
}
