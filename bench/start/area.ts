// Measures the time from `npm start` to the loaded page, and to alice's notes with every step on the way, which a
// program takes without pauses. Compared with a bare Node server that returns a page of the same size.

import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createClient } from "@holdpoint/client"
import { type JarBrowser, openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import type { Area } from "../bench.ts"
import { interleave, median, medianRatio } from "../measure.ts"
import { measureFirstConnection } from "./first-connection.ts"

const command = fileURLToPath(new URL("../../apps/holdpoint/bin/holdpoint.js", import.meta.url))
const mostBytes = 100_000

const bare = `
const page = "x".repeat(${mostBytes})
const server = require("node:http").createServer((_request, response) => response.end(page))
server.listen(0, "127.0.0.1", () => console.log("Open http://127.0.0.1:" + server.address().port))
process.on("SIGTERM", () => process.exit())
`

export const measureStart: Area = async (bench) => {
  const rounds = Math.min(bench.sizes.starts, 5)
  const timed = (args: readonly string[], until: (url: string) => Promise<void>) => async (): Promise<number> => {
    const folder = await mkdtemp(join(bench.folder, "start-"))
    try {
      return await time(args, folder, until)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  const demo = [command, "demo", "--port", "0", "--no-open", "--scripted"]
  const variants = {
    bare: timed(["-e", bare], async (url) => void (await (await fetch(url)).text())),
    page: timed(demo, loadPage),
    notes: timed(demo, reachNotes),
  }
  const values = await interleave(variants, rounds, (round) => bench.progress(`npm start, round ${round} of ${rounds}`))
  const baseline = "start/bare"
  return [
    { name: baseline, value: median(values.bare), unit: "ms" },
    ...(await measureFirstConnection(bench)),
    ...(["page", "notes"] as const).map((name) => ({
      ...{ name: `start/${name}`, value: median(values[name]), unit: "ms" },
      ...{ baseline, ratio: medianRatio(values[name], values.bare) },
    })),
  ]
}

async function time(args: readonly string[], cwd: string, until: (url: string) => Promise<void>): Promise<number> {
  const begin = performance.now()
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"] })
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  try {
    await until(await addressOf(child))
    return performance.now() - begin
  } finally {
    child.kill("SIGTERM")
    await gone
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ""
    child.stdout?.on("data", (data) => {
      output += data
      const url = /Open (http:\S+)/.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once("exit", (code) => reject(new Error(`It ended with ${code} before it was there: ${output}`)))
  })
}

/** Loads the page, and every file that it links. */
async function loadPage(url: string): Promise<void> {
  const html = await (await fetch(url)).text()
  const loaded = [...html.matchAll(/<(?:link|script|img)\b[^>]*?(?:href|src)="([^"]+)"/g)].map(([, path]) => path ?? "")
  await Promise.all([...new Set(loaded)].map(async (path) => (await fetch(new URL(path, url))).text()))
}

/** Signs in, asks for the notes, connects the account on our page and at the Nextcloud, and reads to the notes. */
async function reachNotes(url: string): Promise<void> {
  await loadPage(url)
  const jar = openJarBrowser()
  await jar.submit(await jar.open(`${url}/signin?to=account`), { user: "alice" })
  const cookie = [...jar.cookies(url)].map(([name, value]) => `${name}=${value}`).join("; ")
  const client = createClient({ url, headers: { cookie, origin: url } })
  let reply = ""
  for await (const event of client.chat(crypto.randomUUID()).send("List my notes")) {
    if (event.type === "text") reply += event.text
    if (event.type === "elicitation-request" && event.status === "pending") await connect(jar, event.url ?? "")
  }
  if (!reply.includes("You have 10 notes")) throw new Error(`The notes were not reached: ${reply}`)
}

async function connect(jar: JarBrowser, link: string): Promise<void> {
  const waiting = await jar.submit(await jar.open(link), { do: "continue" })
  const login = /<a class="button primary" href="([^"]+)"/.exec(waiting.text)?.[1]
  if (login === undefined) throw new Error("The page has no link to the Nextcloud.")
  await jar.submit(await jar.open(login), { user: "alice" })
}
