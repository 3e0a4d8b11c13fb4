// A tool that needs an account, from start to end: the client gets a token, the tool asks for the account, bob cannot use
// the link, alice says yes, and the waiting call returns. On two protocol revisions.

import assert from "node:assert/strict"
import type { Revision } from "../2-ask-from-an-mcp-tool/clients.ts"
import { openBrowser } from "../5-connect-an-account/browser.ts"
import { answerAsScriptedPeople, see } from "../5-connect-an-account/scripted-people.ts"
import { openDesk } from "./desk.ts"
import { address, notes, server } from "./server.ts"

const asked: Promise<void>[] = []
const desk = await openDesk(address, signIn, ({ message, url }) => {
  if (url === undefined) return { action: "decline" }
  console.log(`Desk shows alice:         ${message} /connect/…`)
  asked.push(answerAsScriptedPeople(server.publicUrl, url))
  return { action: "accept" }
})
await tell("2026-07-28")
notes.forgetPrograms()
console.log("\nalice revokes the access at Example Notes\n")
await tell("2025-11-25")
desk.close()
await server.close()
await notes.close()

async function tell(revision: Revision): Promise<void> {
  console.log(`Desk calls read_notes, on ${revision}`)
  const client = await desk.open(revision)
  const { text } = await client.call("read_notes")
  assert.equal(text, "Water the plants, Call Bob about the boat, Buy a new lamp")
  assert.equal((await Promise.all(asked.splice(0))).length, 1)
  console.log(`the same call returns:    ${text}`)
  assert.equal((await client.call("read_notes")).text, text)
  assert.equal(asked.length, 0)
  console.log("called again:             the same, without a question")
  await client.close()
}

async function signIn(page: URL): Promise<void> {
  console.log("Desk gets a 401:          it finds the authorization server and sends alice there")
  const alice = openBrowser()
  const allow = await alice.submit(await alice.open(page), { user: "alice" })
  see("alice signs in", allow, "Let “Desk” use Note server?")
  see("alice presses Allow", await alice.submit(allow, { do: "allow" }), "Desk has what it needs")
}
