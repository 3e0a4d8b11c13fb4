// The command as a process on stdio, as clients start it. It leaves no script running, however it ends.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { isAlive } from "@holdpoint/testkit/alive"
import { programAt } from "@holdpoint/testkit/programs"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { describe, expect, it, onTestFinished } from "vitest"
import { asks, echo } from "./tools.ts"

const command = fileURLToPath(new URL("../../../../tools/testkit/src/holdpoint/command-process.ts", import.meta.url))

/** A child that ignores the first signal, and its process and the script's in the file `pids`. */
const child = `(trap '' TERM; sleep 600) &\nprintf '%s\\n' $$ $! >> "$HOME/pids"\n`

/** Processes that leave the script's group and session in three ways. They write their ids too. */
const escapes = `
setsid sh -c 'echo $$ >> "$HOME/pids"; exec sleep 600' < /dev/null > /dev/null 2>&1 &
( setsid nohup sh -c 'sh -c "echo \\$\\$ >> $HOME/pids; exec sleep 600" &' > /dev/null 2>&1 & )
setsid --fork sh -c 'trap "" TERM HUP; echo $$ >> "$HOME/pids"; while :; do sleep 1; done' > /dev/null 2>&1
`

/** A process outside of the script's group that starts others all the time, a thousand at most. */
const breeds = `
setsid sh -c 'n=0; while [ $n -lt 1000 ]; do sleep 600 & echo $! >> "$HOME/pids"; n=$((n + 1)); sleep 0.01; done' &
`

function prepare() {
  const home = makeScratchFolder("shell-process")
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const asking = (before: string): string => asks.replace("base=", () => `${before}base=`)
  const tools = { breeds: asking(breeds), echo, flees: asking(`${child}${escapes}`), keeps: asking(child) }
  for (const [name, text] of Object.entries(tools)) {
    const folder = join(home, "tools", name)
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    writeFileSync(join(folder, "tool.sh"), text)
    chmodSync(join(folder, "tool.sh"), 0o755)
  }
  const env = { PATH: process.env.PATH ?? "", HOME: home, XDG_DATA_HOME: join(home, "data") }
  return { home, env, args: [...programAt(command), "shell", join(home, "tools")] }
}

describe("the process of holdpoint shell", { timeout: 60_000 }, () => {
  it("serves the official client on stdio", async () => {
    const { env, args, home } = prepare()
    const client = new Client({ name: "tester", version: "1.0.0" })
    onTestFinished(() => client.close())
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: home }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["breeds", "echo", "flees", "keeps"])
    const result = await client.callTool({ name: "echo", arguments: { text: "ü" } })
    expect(result).toMatchObject({ content: [{ text: '{"text":"ü"}' }] })
  })

  it("keeps the calls of two clients apart, even if they are the same program and make the same call", async () => {
    const { env, args, home } = prepare()
    const origins: string[] = []
    // One after the other: the script of the first client waits at its page when the second client calls.
    for (const _which of ["first", "second"]) {
      const client = new Client({ name: "tester", version: "1.0.0" })
      onTestFinished(() => client.close())
      await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: home }))
      const { content } = await client.callTool({ name: "keeps", arguments: {} })
      const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n")
      origins.push(/http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? text)
    }
    expect(origins).toEqual([expect.stringMatching(/^http/), expect.stringMatching(/^http/)])
    expect(new Set(origins).size).toBe(2)
  })

  it.each(ways)("leaves no process behind after %s, while a script waits for an answer", async (how) => {
    const alive = await endWhileAsking("keeps", { how, count: 2 })
    await expect.poll(alive).toEqual([])
  })

  it.runIf(existsSync("/proc/self/environ")).each(ways)(
    "leaves no process behind after %s that left its script's group by setsid",
    async (how) => {
      const alive = await endWhileAsking("flees", { how, count: 5 })
      await expect.poll(alive).toEqual([])
    },
  )

  it.runIf(existsSync("/proc/self/environ")).each(["SIGTERM", "SIGKILL"] as const)(
    "leaves no process behind after %s of those that are started while the others are ended",
    async (how) => {
      const alive = await endWhileAsking("breeds", { how, count: 5 })
      await expect.poll(alive, { timeout: 15_000 }).toEqual([])
    },
  )
})

const ways = ["its client disconnects", "SIGTERM", "SIGINT", "SIGKILL"] as const

interface Ending {
  readonly how: (typeof ways)[number]
  /** How many processes the script has at least. */
  readonly count: number
}

/** Ends the server while its script waits for an answer. Returns what reads the processes of the script that are alive. */
async function endWhileAsking(tool: string, { how, count }: Ending): Promise<() => readonly number[]> {
  const { env, args, home } = prepare()
  const server = spawn(process.execPath, args, { env, cwd: home, stdio: ["pipe", "pipe", "ignore"] })
  onTestFinished(() => void server.kill("SIGKILL"))
  const send = (message: object): void => void server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const clientInfo = { name: "tester", version: "1" }
  const params = { protocolVersion: "2025-06-18", capabilities: { elicitation: {} }, clientInfo }
  send({ id: 1, method: "initialize", params })
  send({ method: "notifications/initialized" })
  send({ id: 2, method: "tools/call", params: { name: tool, arguments: {} } })
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  createInterface({ input: server.stdout }).on("line", (line) => line.includes("elicitation/create") && resolve())
  await asked
  const pids = (): readonly number[] => readFileSync(join(home, "pids"), "utf8").trim().split("\n").map(Number)
  const alive = (): readonly number[] => pids().filter(isAlive)
  await expect.poll(() => alive().length).toBeGreaterThanOrEqual(count)
  onTestFinished(() => {
    for (const pid of alive()) process.kill(pid, "SIGKILL")
  })
  const ended = once(server, "exit")
  if (how === "its client disconnects") server.stdin.end()
  else server.kill(how)
  const [code] = await ended
  expect(code).toBe(how === "SIGKILL" ? null : 0)
  return alive
}
