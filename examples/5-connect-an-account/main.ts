// A tool needs alice's account. She gets a link, signs in, says yes, and the tool goes on by itself. With --play, or
// without a terminal, a scripted alice does it, a scripted bob tries to, and the program checks every step.

import assert from "node:assert/strict"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline/promises"
import { type Need, toOwner } from "@holdpoint/accounts"
import { oidc } from "@holdpoint/accounts/providers"
import type { Outlet, PrincipalId } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { startServer } from "holdpoint/serve"
import { startNotes } from "./notes.ts"
import { answerAsScriptedPeople } from "./scripted-people.ts"

const isPlay = process.argv.includes("--play") || !process.stdin.isTTY || !process.stdout.isTTY

// What other people run: a service where alice has notes.
const notes = await startNotes()

// What you run: a sealed database, the providers that people can connect, and the pages.
// #region server
const folder = await mkdtemp(join(tmpdir(), "holdpoint-"))
const storage = await openSqlite(join(folder, "accounts.sqlite"))
const server = await startServer({
  storage,
  keys: withNewKey(),
  people: { from: "embedded" },
  providers: [
    oidc({
      id: "notes",
      name: "Example Notes",
      issuer: notes.issuer,
      ...notes.client,
      baseScopes: ["openid", "email", "offline_access"],
      scopeWords: { "notes.read": "Read your notes" },
    }),
  ],
  host: "127.0.0.1",
  port: 0,
})
// #endregion
await notes.allowRedirect(`${server.publicUrl}/oauth/callback/notes`)

const alice: PrincipalId = { tenant: "local", issuer: `${server.publicUrl}/idp`, subject: "alice" }
const { promise: link, resolve: showLink } = Promise.withResolvers<string>()
const terminal: Outlet = {
  name: "this terminal",
  async deliver(elicitation) {
    if (elicitation.mode === "url") showLink(elicitation.url)
    return { state: "listed" }
  },
  async withdraw() {},
}

// The tool is straight-line code, as if the account were already connected.
// #region tool
async function readNotes(): Promise<readonly string[]> {
  const need: Need = {
    owner: toOwner(alice),
    provider: "notes",
    scopes: ["notes.read"],
    requester: { id: "note-taker", name: "Note taker" },
    lifetimeMs: 600_000,
  }
  const connection = await server.vault.connect(need, { outlets: [terminal] })
  const response = await connection.fetch(`${notes.issuer}/notes`)
  const answer = (await response.json()) as { readonly notes: readonly string[] }
  return answer.notes
}
// #endregion

const working = readNotes()
console.log(`the tool needs an account and waits: ${isPlay ? "/connect/…" : await link}`)
if (isPlay) await answerAsScriptedPeople(server.publicUrl, await link)
else console.log("Open the link, sign in as alice (password holdpoint), press Continue, and say Yes at Example Notes.")

const titles = await working
console.log(`the tool goes on: ${titles.join(", ")}`)
assert.deepEqual(await readNotes(), titles)
console.log("asked again, it has the account at once")

const [connection] = await server.vault.list(toOwner(alice))
assert.ok(connection !== undefined)
const { headers, fields } = await (await server.vault.use(connection.id)).credentials()
await assertNowhere(fields.access_token)
console.log(
  `in the database: ${connection.provider}, ${connection.account?.name}, ${connection.status}; no token in plain text`,
)

if (!isPlay) await pressEnter(`Look at ${server.publicUrl}/account, then press Enter to disconnect. `)
const ended = await server.vault.disconnect(connection.id, { by: alice })
assert.equal(ended.upstream, "revoked")
assert.equal((await fetch(`${notes.issuer}/notes`, { headers: { ...headers } })).status, 401)
console.log("disconnected: Example Notes no longer accepts the token")

await server.close()
await storage.close()
await notes.close()
await rm(folder, { recursive: true })

/** The token must not occur in the database files. */
async function assertNowhere(token: string | undefined): Promise<void> {
  assert.ok(token !== undefined && token !== "")
  const names = await readdir(folder)
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))))
  assert.ok(files.some((bytes) => bytes.includes("Example Notes")))
  assert.ok(files.every((bytes) => !bytes.includes(token)))
}

async function pressEnter(words: string): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  await lines.question(words)
  lines.close()
}
