// Initial files: alice's folders with texts, a picture, a PDF and a long log, some files of bob's, and a folder that
// bob shares with alice.

import type { World } from "../world.ts"
import { filesOf } from "./api.ts"
import { picture } from "./picture.ts"
import { addShare } from "./shares.ts"
import { homeOf, isMissing, shareTypes, stateOf, viewOf } from "./store.ts"

const welcome = `# Welcome

These are your files. Everything in here can be changed: it is a stand-in, and forgets it all when it stops.

- Documents: plans and letters
- Photos: one picture
- Projects: a budget, minutes, a long log
`

const budget = `item,month,euro
hosting,January,39.00
coffee,January,112.50
hosting,February,39.00
train to Zürich,February,184.20
`

const minutes = `# Minutes of 3 March

Present: Alice, Bob

1. The importer is late. Bob needs two more weeks.
2. Budget: Alice asks for 400 € more.
3. Next time: the 17th, 10:00.
`

const letter = `Dear Ms Müller,

thank you for the keys. We moved in on Saturday; the water in the kitchen is still cold.

Kind regards
Alice
`

const texts: readonly (readonly [user: string, path: string, text: string])[] = [
  ["alice", "/Welcome.md", welcome],
  ["alice", "/Documents/Letter to the landlord.txt", letter],
  ["alice", "/Documents/50% off – offers & ideas.md", "# Offers\n\n- 50% off chairs until Friday\n- 100 % cotton\n"],
  ["alice", "/Documents/Größe 测试.txt", "ünïcödé ✓ 漢字 🦊\n"],
  ["alice", "/Projects/Budget.csv", budget],
  ["alice", "/Projects/Meetings/Minutes.md", minutes],
  ["alice", "/Projects/settings.json", '{\n  "theme": "dark",\n  "retries": 3\n}\n'],
  ["bob", "/Readme.md", "# Bob's files\n\nNothing much yet.\n"],
  ["bob", "/Importer/notes.txt", "The importer chokes on empty lines.\n"],
  ["bob", "/Importer/todo.md", "- [ ] empty lines\n- [ ] a test for umlauts\n"],
]

/** Adds the files of those users who have an account. */
export function seedFiles(world: World): void {
  const files = filesOf(world)
  for (const [user, path, text] of texts) if (world.users.has(user)) files.put(user, path, text)
  if (!world.users.has("alice")) return
  files.put("alice", "/Photos/Sunset.png", picture(48))
  files.put("alice", "/Documents/Contract.pdf", pdf())
  files.put("alice", "/Projects/server.log", log())
  files.put("alice", "/Projects/Budget.csv", `${budget}coffee,February,98.00\n`)
  homeOf(world, "alice").children.get("Projects")?.favouriteOf.add("alice")
  stateOf(world).tags.push({ id: world.nextId(), name: "Important", visible: true, assignable: true })
  if (world.users.has("bob")) shareImporter(world)
}

function shareImporter(world: World): void {
  const entry = viewOf(world, "bob").entryAt("/Importer")
  if (isMissing(entry)) return
  const fields = new Map([["permissions", "15"]])
  addShare(world, entry, { owner: "bob", type: shareTypes.user, recipient: "alice", fields })
}

let writtenLog: string | undefined

/** More than 200 KB of different lines, always the same. Written once for all stand-ins of a process. */
const log = (): string => (writtenLog ??= writeLog())

function writeLog(): string {
  const start = Date.UTC(2026, 2, 3, 8)
  const line = (_: unknown, index: number): string => {
    const at = new Date(start + index * 7_000).toISOString()
    return `${at} ${index % 40 === 17 ? "WARN slow answer" : "INFO request"} ${index} took ${(index * 37) % 900} ms\n`
  }
  return Array.from({ length: 5_000 }, line).join("")
}

function pdf(): Uint8Array {
  const head = Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "latin1")
  const body = "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
  const filler = Buffer.from(Array.from({ length: 1_024 }, (_, index) => (index * 131) % 256))
  return Buffer.concat([head, Buffer.from(body), filler, Buffer.from("\ntrailer<</Root 1 0 R>>\n%%EOF\n")])
}
