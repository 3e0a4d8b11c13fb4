// A chat with an agent that needs alice's account in the middle of its reply. The server is killed while she thinks,
// and started again; she connects, and the same reply goes on. Checks every step.

import assert from "node:assert/strict"
import { type ChildProcess, fork } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@holdpoint/client"
import { serializeKeyRing, withNewKey } from "@holdpoint/hub/sealing"
import { openBrowser } from "../5-connect-an-account/browser.ts"
import { startNotes } from "../5-connect-an-account/notes.ts"
import { answerAsScriptedPeople } from "../5-connect-an-account/scripted-people.ts"
import { freePort } from "../free-port.ts"
import type { Plan } from "./server.ts"

const notes = await startNotes()
const folder = await mkdtemp(join(tmpdir(), "holdpoint-"))
const port = await freePort()
const url = `http://127.0.0.1:${port}`
await notes.allowRedirect(`${url}/oauth/callback/notes`)
const { issuer, client: registered } = notes
const plan: Plan = { folder, keys: serializeKeyRing(withNewKey()), port, notes: { issuer, client: registered } }
let server = await start()

const alice = openBrowser()
await alice.submit(await alice.open(`${url}/inbox`), { user: "alice" })

// #region chat
const client = createClient({ url, fetch: alice.fetch })
const chat = client.chat("my-notes")
let text = ""
for await (const event of chat.send("List my notes")) {
  if (event.type === "text") text += event.text
  // The stream repeats the question as accepted when she agrees to open it.
  if (event.type === "elicitation-request" && event.status === "pending" && event.url !== undefined)
    await connectAfterKill(event.url)
}
// #endregion
console.log(`the same reply goes on:   ${text}`)
assert.equal(text, "Let me look. It is Monday. Your notes: Water the plants, Call Bob about the boat, Buy a new lamp.")

server.kill()
await notes.close()
await rm(folder, { recursive: true, force: true })

/** Kills the server while alice has the link, and connects the account after a restart. */
async function connectAfterKill(link: string): Promise<void> {
  console.log(`the agent says:           ${text}\nand waits for the account: /connect/…`)
  await kill(server)
  console.log("the server is killed, and started again")
  server = await start()
  await answerAsScriptedPeople(url, link)
}

async function start(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "server.ts"), [JSON.stringify(plan)])
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve())
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)))
  })
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  child.removeAllListeners("exit")
  const gone = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGKILL")
  await gone
}
