// The command as a process on stdio, as clients start it. It leaves no script running, however it ends.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { describe, expect, it, onTestFinished } from "vitest"
import { allEnd, isAlive } from "../../../../test/alive.ts"
import { programAt } from "../../../../test/programs.ts"
import { makeScratchFolder } from "../../../../test/scratch.ts"
import { asks, echo } from "./tools.ts"

const command = fileURLToPath(new URL("../command-process.ts", import.meta.url))

function prepare() {
  const home = makeScratchFolder("shell-process")
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  // The script records its process id, and starts a child that ignores the first signal.
  const keeps = asks.replace("base=", () => `(trap '' TERM; sleep 600) &\nprintf '%s\\n' $$ $! >> "$HOME/pids"\nbase=`)
  for (const [name, text] of Object.entries({ echo, keeps })) {
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
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["echo", "keeps"])
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

  it.each(["its client disconnects", "SIGTERM", "SIGINT", "SIGKILL"])(
    "leaves no process behind after %s, while a script waits for an answer",
    async (how) => {
      const { env, args, home } = prepare()
      const child = spawn(process.execPath, args, { env, cwd: home, stdio: ["pipe", "pipe", "ignore"] })
      onTestFinished(() => void child.kill("SIGKILL"))
      const send = (message: object): void =>
        void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
      const clientInfo = { name: "tester", version: "1" }
      const params = { protocolVersion: "2025-06-18", capabilities: { elicitation: {} }, clientInfo }
      send({ id: 1, method: "initialize", params })
      send({ method: "notifications/initialized" })
      send({ id: 2, method: "tools/call", params: { name: "keeps", arguments: {} } })
      const { promise: asked, resolve } = Promise.withResolvers<void>()
      createInterface({ input: child.stdout }).on("line", (line) => line.includes("elicitation/create") && resolve())
      await asked
      const pids = readFileSync(join(home, "pids"), "utf8").trim().split("\n").map(Number)
      expect(pids.map(isAlive)).toEqual([true, true])
      const ended = once(child, "exit")
      if (how === "its client disconnects") child.stdin.end()
      else child.kill(how as NodeJS.Signals)
      const [code] = await ended
      expect(code).toBe(how === "SIGKILL" ? null : 0)
      await allEnd(pids)
    },
  )
})
