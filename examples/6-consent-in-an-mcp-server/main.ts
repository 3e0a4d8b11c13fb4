// The whole story of a tool that needs an account: the client learns that it needs a token and gets one, the tool asks
// for the account, bob cannot use the link, alice says yes, and the call that waited returns. On two revisions.

import assert from "node:assert/strict"
import { paths } from "@holdpoint/sdk"
import { openBrowser } from "../5-connect-an-account/browser.ts"
import { startNotes } from "../5-connect-an-account/notes.ts"
import { openDesk } from "./desk.ts"
import { startNoteServer } from "./server.ts"

const notes = await startNotes()
const { redirectUri, connect } = await openDesk()
const server = await startNoteServer(notes, redirectUri)
const alice = openBrowser()
const bob = openBrowser()
const wanted = "Water the plants, Call Bob about the boat, Buy a new lamp"

let link = Promise.withResolvers<string>()
const desk = connect(server.addresses.to(paths.mcp), {
  async signIn(page) {
    console.log("  Desk is told 401:        it finds the authorization server and sends alice there")
    const allow = await alice.submit(await alice.open(page), { user: "alice", password: "holdpoint" })
    assert.equal(allow.heading, "Let Desk use Note server?")
    console.log(`  alice signs in:          ${allow.heading}`)
    const back = await alice.submit(allow, { do: "allow" })
    assert.equal(back.heading, "Desk has what it needs")
    console.log(`  alice presses Allow:     ${back.heading}`)
  },
  agrees(url, message) {
    assert.ok(url.startsWith(`${server.publicUrl}/connect/`))
    console.log(`  Desk shows alice:        ${message} /connect/…`)
    link.resolve(url)
    return true
  },
})

await tell("2026-07-28")
notes.forgetPrograms()
console.log("alice takes the access away at Example Notes")
await tell("2025-11-25")

desk.close()
await server.close()
await notes.close()

async function tell(revision: "2026-07-28" | "2025-11-25"): Promise<void> {
  link = Promise.withResolvers()
  console.log(`Desk calls read_notes, on ${revision}`)
  const working = desk.call(revision)
  const url = await Promise.race([link.promise, working.then((text) => assert.fail(`nobody was asked: ${text}`))])
  await bobTries(url)
  await aliceAnswers(url)
  assert.equal(await working, wanted)
  console.log(`  the same call returns:   ${wanted}`)
  link = Promise.withResolvers()
  link.promise.then(() => assert.fail("alice was asked again"))
  assert.equal(await desk.call(revision), wanted)
  console.log("  called again:            the same, and nobody is asked")
}

async function bobTries(url: string): Promise<void> {
  const first = await bob.open(url)
  const page = first.status === 404 ? first : await bob.submit(first, { user: "bob", password: "holdpoint" })
  assert.deepEqual([page.status, page.heading], [404, "This link cannot be used"])
  console.log(`  bob opens the link:      ${page.heading}`)
}

async function aliceAnswers(url: string): Promise<void> {
  const page = await alice.open(url)
  assert.equal(page.heading, "Connect Example Notes?")
  console.log(`  alice opens it:          ${page.heading}`)
  const atNotes = await alice.submit(page, { do: "continue" })
  const done = await alice.submit(atNotes, { say: "yes" })
  assert.equal(done.heading, "Connected as alice@notes.example")
  console.log(`  alice says yes:          ${done.heading}`)
}
