// `holdpoint serve` with agents as a real process, for tests that kill it. Processes of one home share a database.

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { serializeKeyRing, withNewKey } from "@holdpoint/hub/sealing"
import { onTestFinished } from "vitest"
import { hear, noteCanary } from "../canaries/note.ts"
import { freePort } from "../free-port.ts"
import { createFolder, databaseUrl, newSchema, runSql } from "../hub/stores/engines.ts"
import { bundledAt, programAt } from "../programs.ts"
import { readStream, type StreamReader, showsQuestions, userMessage } from "./agents-server.ts"
import { cookieOf } from "./own-browser.ts"

const command = fileURLToPath(new URL("../holdpoint/command-process.ts", import.meta.url))
const config = fileURLToPath(new URL("../../../../packages/agents/test/process-agents.ts", import.meta.url))

export interface AgentsHome {
  /** Starts a process. `env` selects the point at which its agents hang. */
  start(env?: Readonly<Record<string, string>>): Promise<AgentsProcess>
  /** The actions of the agents in all processes. */
  deeds(): readonly string[]
}

export interface AgentsProcess {
  readonly address: string
  /** The file with the key of the person's programs. */
  readonly keyFile: string
  /** The headers of a program of the person. */
  readonly program: Readonly<Record<string, string>>
  /** The headers of a page of this server in the person's browser. The requests below send them by default. */
  readonly browser: Readonly<Record<string, string>>
  /** Ends the process with SIGKILL. */
  kill(): Promise<void>
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  say(conversation: string, text: string): Promise<StreamReader>
  /** The stream of a conversation after this event. */
  follow(conversation: string, after: number): Promise<StreamReader>
  answer(conversationId: string, answer: object): Promise<Response>
}

/** Creates a separate database, so that processes of other tests do not resume these runs. */
export async function openHome(engine: "sqlite" | "postgres" = "sqlite"): Promise<AgentsHome> {
  const folder = await createFolder()
  const name = newSchema()
  const database =
    engine === "sqlite" ? join(folder, "hub.db") : Object.assign(new URL(databaseUrl()), { pathname: name }).href
  if (engine === "postgres") await runSql(`CREATE DATABASE ${name}`)
  onTestFinished(async () => {
    if (engine === "postgres") await runSql(`DROP DATABASE ${name} WITH (FORCE)`)
    await rm(folder, { recursive: true, force: true })
  })
  const keys = serializeKeyRing(withNewKey())
  noteCanary("key", keys.trim().split(":")[1])
  const deeds = join(folder, "deeds")
  return {
    deeds: () => (existsSync(deeds) ? readFileSync(deeds, "utf8").split("\n").slice(0, -1) : []),
    async start(env = {}) {
      const port = String(await freePort())
      const flags = ["--local", "--json", "--log", "off", "--database", database, "--port", port, "--as", "alice"]
      const args = [...programAt(command), "serve", "--config", bundledAt(config), ...flags]
      const child = spawn(process.execPath, args, {
        cwd: folder,
        env: { ...process.env, HOLDPOINT_LONG: undefined, HOLDPOINT_KEYS: keys, AGENTS_DEEDS: deeds, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      })
      return toProcess(child, `http://127.0.0.1:${port}`)
    },
  }
}

async function toProcess(child: ChildProcess, address: string): Promise<AgentsProcess> {
  const gone = once(child, "exit")
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL")
    await gone
  }
  onTestFinished(kill)
  let complaint = ""
  child.stderr?.on("data", (text) => {
    complaint += text
    hear("printed", "serve", String(text))
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const printed: string[] = []
  const isUp = new Promise<void>((resolve) => {
    lines.on("line", (line) => void (printed.push(line) === 2 && resolve()))
  })
  await Promise.race([isUp, gone.then(() => Promise.reject(new Error(`It did not start: ${complaint}`)))])
  const [started = "", inboxLine = ""] = printed
  const { localKeyFile: keyFile } = JSON.parse(started) as { readonly localKeyFile: string }
  const key = readFileSync(keyFile, "utf8").trim()
  noteCanary("program_key", key)
  const inbox = /http:\S+/.exec(inboxLine)?.[0] ?? ""
  const browser = { cookie: await cookieOf(inbox, fetch), origin: address }
  const proofFor = (headers: object): object => ("authorization" in headers ? {} : browser)
  const post: AgentsProcess["post"] = (path, body, headers = showsQuestions) =>
    fetch(`${address}${path}`, {
      ...{ method: "POST", body: JSON.stringify(body) },
      headers: { "content-type": "application/json", ...proofFor(headers), ...headers },
    })
  const get: AgentsProcess["get"] = (path, headers = {}) =>
    fetch(`${address}${path}`, { headers: { ...proofFor(headers), ...headers } })
  return {
    ...{ address, keyFile, program: { authorization: `Bearer ${key}` }, browser, kill, post, get },
    say: async (id, text) => readStream(await post("/run/api/chat", { id, messages: [userMessage(text)] })),
    follow: async (id, after) =>
      readStream(await get(`/run/api/conversations/${id}/stream`, { "last-event-id": String(after) })),
    answer: (conversationId, answer) => post("/run/api/elicitation-responses", { conversationId, ...answer }),
  }
}
