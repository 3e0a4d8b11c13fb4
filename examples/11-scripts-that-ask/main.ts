// Serves the scripts in tools/ with `holdpoint shell`, calls each with the official MCP client, answers as a person
// would, and checks what the scripts did.

import assert from "node:assert/strict"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { oidc } from "@holdpoint/accounts/providers"
import { openBrowser } from "../5-connect-an-account/browser.ts"
import { type Notes, startNotes } from "../5-connect-an-account/notes.ts"
import { type ConnectedClient, connect, type Person } from "./client.ts"

const folder = await mkdtemp(join(tmpdir(), "holdpoint-scripts-"))
const notes = await startNotes()
await writeFile(join(folder, "holdpoint.config.mjs"), `export default ${JSON.stringify(settingsFor(notes))}\n`)
const asked = await connect(folder, (question) => person(question))
const alone = await connect(folder)
let person: Person = () => ({ action: "cancel" })

await saveReport()
if (isInstalled("git")) await switchBranch()
if (isInstalled("curl")) await listNotes()
if (isInstalled("python3")) await tidyFolder()
await orderPrints()

await asked.close()
await alone.close()
await notes.close()
await rm(folder, { recursive: true })

/** Confirm before overwrite. */
async function saveReport(): Promise<void> {
  const file = join(folder, "report.txt")
  const save = async (client: ConnectedClient, text: string) => (await client.call("save_report", { file, text })).text
  assert.equal(await save(alone, "first"), "Wrote report.txt.")
  assert.match(await save(alone, "second"), /The file exists, and no person could be asked: unsupported\./)
  person = answering("Overwrite report.txt? It has 6 bytes.", { confirmed: "no" })
  assert.equal(await save(asked, "second"), "Kept report.txt as it was.")
  person = () => ({ action: "decline" })
  assert.equal(await save(asked, "second"), "Nothing was written: the question was closed without an answer.")
  assert.equal(await readFile(file, "utf8"), "first\n")
  person = answering("Overwrite report.txt? It has 6 bytes.", { confirmed: "yes" })
  assert.equal(await save(asked, "second"), "Wrote report.txt.")
  assert.equal(await readFile(file, "utf8"), "second\n")
}

/** Choose a branch, with a fallback when no person can be asked. */
async function switchBranch(): Promise<void> {
  const repository = join(folder, "repository")
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-C", folder, ...words], { encoding: "utf8" }).trim()
  git("init", "--quiet", "--initial-branch", "main", repository)
  const inside = (...words: readonly string[]) => git("-C", repository, ...words)
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
  inside(...author, "commit", "--quiet", "--allow-empty", "--message", "Begin")
  inside("branch", "fix/typo")
  person = answering("Which branch shall be checked out?", { choice: "fix/typo" })
  assert.equal((await asked.call("switch_branch", { repository })).text, "Switched to fix/typo, as chosen.")
  assert.equal(inside("branch", "--show-current"), "fix/typo")
  const { text } = await alone.call("switch_branch", { repository })
  assert.equal(text, "Switched to main, because no person could be asked.")
  assert.equal(inside("branch", "--show-current"), "main")
}

/** Connect an account and call its API. */
async function listNotes(): Promise<void> {
  const visits: Promise<void>[] = []
  person = ({ message, url = "" }) => {
    console.log(`asked     ${message}\nanswered  opens the page and says Yes there`)
    visits.push(allowNotes(url))
    return { action: "accept" }
  }
  const { data } = await asked.call("list_notes", {})
  await Promise.all(visits)
  const notes = ["Water the plants", "Call Bob about the boat", "Buy a new lamp"]
  assert.deepEqual(data, { success: true, result: { account: "alice", notes } })
  person = ({ message }) => assert.fail(`asked again: ${message}`)
  assert.deepEqual((await asked.call("list_notes", {})).data, data)
}

/** Does the person's steps in the browser. */
async function allowNotes(link: string): Promise<void> {
  // Registers the redirect address, which a developer does once for a service with a fixed address.
  await notes.allowRedirect(`${new URL(link).origin}/oauth/callback/notes`)
  const browser = openBrowser()
  const atNotes = await browser.submit(await browser.open(link), { do: "continue" })
  const done = await browser.submit(atNotes, { say: "yes" })
  assert.equal(done.heading, "Connected as alice@notes.example")
}

function settingsFor({ issuer, client }: Notes): object {
  const provider = oidc({
    ...{ id: "notes", name: "Example Notes", issuer, ...client },
    baseScopes: ["openid", "email", "offline_access"],
    scopeWords: { "notes.read": "Read your notes" },
  })
  return { providers: [provider], network: { allowLoopback: true } }
}

/** A batch, with progress, in Python. */
async function tidyFolder(): Promise<void> {
  const scratchFolder = await mkdtemp(join(folder, "tidy-"))
  for (const name of ["a.tmp", "b.tmp", "c~", "letter.txt"]) await writeFile(join(scratchFolder, name), name)
  person = answering("Which of these may be deleted?", { choices: ["a.tmp", "c~"] })
  const steps: string[] = []
  const { data } = await asked.call("tidy_folder", { folder: scratchFolder }, (step) => steps.push(step))
  assert.deepEqual(data, { success: true, result: { deleted: ["a.tmp", "c~"], kept: ["b.tmp"] } })
  assert.deepEqual(steps, ["1/2 Deleted a.tmp", "2/2 Deleted c~"])
  assert.deepEqual(await readdir(scratchFolder), ["b.tmp", "letter.txt"])
}

/** A form with six fields. */
async function orderPrints(): Promise<void> {
  const order = { name: "Ada: “O'Neill”", contact: "ada@example.com", copies: 3, size: "l", gift: true }
  person = answering("What shall we print?", order)
  assert.deepEqual((await asked.call("order_prints", {})).data, { success: true, result: order })
  person = () => ({ action: "decline" })
  assert.equal((await asked.call("order_prints", {})).text, "Nothing was ordered.")
}

/** Whether the program is installed. Prints what is left out if it is missing. */
function isInstalled(program: string): boolean {
  const isThere = spawnSync(program, ["--version"]).status === 0
  if (!isThere) console.log(`not tried: the tool that needs ${program}, which is not installed`)
  return isThere
}

/** A person who gives this answer to this question, and to no other. */
function answering(expected: string, content: NonNullable<ReturnType<Person>["content"]>): Person {
  return ({ message }) => {
    assert.equal(message, expected)
    console.log(`asked     ${message}\nanswered  ${JSON.stringify(content)}`)
    return { action: "accept", content }
  }
}
