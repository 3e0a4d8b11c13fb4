// Traces one call, “List my notes”, through the demo, with a connected account and without one. Prints how many of our
// files it passes, by folder, and the calls against the import direction. `--files` lists the files.

import { mkdtemp, rm } from "node:fs/promises"
import { Session } from "node:inspector/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { systemRuntime } from "@holdpoint/sdk"
import { startDemo } from "../apps/server/src/demo/start.ts"
import { openBrowser } from "../apps/server/src/try/browser.ts"
import { openClient, type ToolClient, type User } from "../apps/server/src/try/client.ts"
import { readCommandLine } from "../test/command-line.ts"

const help = `node scripts/walk.ts [--files]

Calls “List my notes” in the demo, with a connected account and without one, and prints how many of our files each call
passes, by folder, and the calls against the import direction.

  --files  list the files too
  --help   show this help
`

const { flags } = readCommandLine(help, { flags: { files: { type: "boolean" } } })
const root = fileURLToPath(new URL("../", import.meta.url))

/** The layers, in the direction of the imports. In production, client and Nextcloud would run on other machines. */
const layers = [
  "core|secrets",
  "ports",
  "sealing|fetching",
  "oauth",
  "hub|vault|identity|stores",
  "asking",
  "surfaces",
  "http",
  "compose",
].map((names) => new RegExp(`^packages/holdpoint/src/(?:${names})/`))

const isOurs = (path: string): boolean => /^(?:packages\/holdpoint|apps\/\w+)\/src\/(?!try\/|stand-in\/)/.test(path)
const pathOf = (url: string): string => (url.startsWith("file:") ? fileURLToPath(url).slice(root.length) : "")
const folderOf = (path: string): string =>
  /^packages\/holdpoint\/src\/[^/]+|^apps\/(?:nextcloud|shell)|^apps\/server\/src\/[^/]+/.exec(path)?.[0] ?? path

function rankOf(path: string): number {
  const rank = layers.findIndex((layer) => layer.test(path))
  if (rank !== -1) return rank
  return /^apps\/(?:nextcloud|shell)\//.test(path) ? layers.length : layers.length + 1
}

const folder = await mkdtemp(join(tmpdir(), "holdpoint-walk-"))
const report = (doing: string, error: unknown): void => console.error(doing, error)
const demo = await startDemo({ folder, host: "127.0.0.1", port: 0, runtime: systemRuntime, report })
const browser = openBrowser()
/** Alice, who agrees on our pages and at the Nextcloud each time. */
const alice: User = {
  async signIn(link) {
    const allow = await browser.submit(await browser.open(link), { user: "alice" })
    await browser.submit(allow, { do: "allow" })
  },
  async onQuestion(params) {
    if (params.mode !== "url") return { action: "decline" }
    const waiting = await browser.submit(await browser.open(params.url), { do: "continue" })
    const login = /<a class="button primary" href="([^"]+)"/.exec(waiting.html)?.[1]
    if (login === undefined) throw new Error(`The page has no link to the Nextcloud: ${waiting.heading}`)
    demo.standIn.grant(login, "alice")
    return { action: "accept" }
  },
}
const { signal } = new AbortController()
const client = await openClient(demo.mcpUrl, alice, signal)
const session = new Session()
session.connect()
try {
  await walk("connected already", 400, () => list(client))
  await walk("asked for the account, on the pages and back", 25, async () => {
    await disconnectAll()
    await list(client)
  })
} finally {
  session.disconnect()
  await client.close()
  await demo.close()
  await rm(folder, { recursive: true })
}

/** Runs twice to load everything, once to count files, and then often enough to sample every call. */
async function walk(title: string, times: number, work: () => Promise<void>): Promise<void> {
  await work()
  await work()
  const files = await filesOf(work)
  const reversals = await reversalsOf(async () => {
    for (let nth = 0; nth < times; nth++) await work()
  })
  console.log(`${title}: ${files.length} files, ${reversals.length} reversals`)
  for (const [name, inIt = []] of Object.entries(Object.groupBy(files, folderOf)))
    console.log(`${String(inIt.length).padStart(5)} ${name}`)
  for (const reversal of reversals) console.log(`      ${reversal}`)
  if (flags.files) console.log(files.join("\n"))
}

async function disconnectAll(): Promise<void> {
  const { vault, publicUrl } = demo.server
  const by = { tenant: "local", issuer: `${publicUrl}/idp`, subject: "alice" }
  for (const { id } of await vault.list({ kind: "person", ...by })) await vault.disconnect(id, { by })
}

async function list(caller: ToolClient): Promise<void> {
  const { isError } = await caller.call("nc_notes_list_notes", {}, { signal, progress: () => {} })
  if (isError === true) throw new Error("The notes were not listed.")
}

/** The files of which a function ran during the work. */
async function filesOf(work: () => Promise<void>): Promise<readonly string[]> {
  await session.post("Profiler.enable")
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
  await work()
  const { result } = await session.post("Profiler.takePreciseCoverage")
  await session.post("Profiler.stopPreciseCoverage")
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .map(({ url }) => pathOf(url))
    .filter(isOurs)
    .sort()
}

/** Calls from a folder into one to its right, through a function or an object that was passed in. */
async function reversalsOf(work: () => Promise<void>): Promise<readonly string[]> {
  await session.post("Profiler.setSamplingInterval", { interval: 50 })
  await session.post("Profiler.start")
  await work()
  const { nodes } = (await session.post("Profiler.stop")).profile
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const edges = new Set<string>()
  const visit = (id: number, from: string): void => {
    const node = byId.get(id)
    const path = pathOf(node?.callFrame.url ?? "")
    const here = isOurs(path) ? path : from
    if (from !== "" && here !== from && rankOf(here) > rankOf(from)) edges.add(`${folderOf(from)} → ${folderOf(here)}`)
    for (const child of node?.children ?? []) visit(child, here)
  }
  visit(nodes[0]?.id ?? 0, "")
  return [...edges].sort()
}
