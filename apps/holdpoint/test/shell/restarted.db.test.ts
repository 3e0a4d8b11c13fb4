// The server of scripts as a process over HTTP that is killed while a script waits for a person. A client of revision
// 2026-07-28 retries its call at the next process on the same database. Also clients that disconnect.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { isAlive } from "@holdpoint/testkit/alive"
import type { Answering, Called, Endpoint, JsonObject } from "@holdpoint/testkit/mcp/server/clients/client"
import { openRaw, openRawModern, raw20250618 } from "@holdpoint/testkit/mcp/server/clients/raw"
import { programAt } from "@holdpoint/testkit/programs"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { describe, expect, it, onTestFinished } from "vitest"
import { programHeaders } from "../program-key.ts"

const command = fileURLToPath(new URL("../../../../tools/testkit/src/holdpoint/command-process.ts", import.meta.url))

/** A script that asks two questions. Each process of the script writes its id into the file `runs`. */
const asksTwice = `#!/bin/sh
printf '%s\\n' $$ >> "$HOME/runs"
ask() {
  base="\${MCP_ELICIT_REQUEST_FILE%.request}.$1"
  mkfifo "$base.wake"
  exec 9<>"$base.wake"
  printf '{"message":"%s?","schema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}' "$1" \\
    > "$base.request"
  read -r _ <&9
  read -r answer < "$base.response" || :
  printf '%s' "$answer"
}
ask first
ask second
`
const both = '{"action":"accept","content":{"name":"one"}}{"action":"accept","content":{"name":"two"}}'

interface ScriptServers {
  readonly home: string
  start(): Promise<{ readonly endpoint: Endpoint; kill(): Promise<void> }>
  /** The process ids of the script so far. */
  runs(): readonly number[]
}

function prepare(tools: Readonly<Record<string, { readonly script: string; readonly meta?: object }>>): ScriptServers {
  const home = makeScratchFolder("shell-restarted")
  const runs = (): readonly number[] => {
    const written = existsSync(join(home, "runs")) ? readFileSync(join(home, "runs"), "utf8") : ""
    return written.split("\n").slice(0, -1).map(Number)
  }
  onTestFinished(() => {
    for (const pid of runs().filter(isAlive)) process.kill(pid, "SIGKILL")
    rmSync(home, { recursive: true, force: true })
  })
  mkdirSync(join(home, "tmp"))
  for (const [name, { script, meta = {} }] of Object.entries(tools)) {
    const folder = join(home, "tools", name)
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    writeFileSync(join(folder, "tool.sh"), script)
    writeFileSync(join(folder, "tool.meta.json"), JSON.stringify({ description: name, ...meta }))
    chmodSync(join(folder, "tool.sh"), 0o755)
  }
  const env = { PATH: process.env.PATH ?? "", HOME: home, XDG_DATA_HOME: join(home, "data"), TMPDIR: join(home, "tmp") }
  const args = [...programAt(command), "shell", join(home, "tools"), "--http", "0", "--json"]
  return {
    home,
    runs,
    async start() {
      const child = spawn(process.execPath, args, { env, cwd: home, stdio: ["ignore", "pipe", "ignore"] })
      const gone = once(child, "exit")
      onTestFinished(() => void child.kill("SIGKILL"))
      const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string]
      const { mcp } = JSON.parse(line) as { readonly mcp: string }
      const headers = programHeaders(join(home, "data/holdpoint"))
      return {
        endpoint: {
          ...{ transport: "http", url: mcp },
          fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...headers } }),
        },
        async kill() {
          child.kill("SIGKILL")
          await gone
        },
      }
    },
  }
}

/** The retry of a call that was answered with one question. */
function retryOf(called: Called, name: string): JsonObject {
  if (called.kind === "error") throw new Error(called.message)
  const { requestState, inputRequests } = called.result
  const [key = ""] = Object.keys(inputRequests as object)
  return {
    name: "asks",
    arguments: {},
    requestState,
    inputResponses: { [key]: { action: "accept", content: { name } } },
  }
}

describe("a server over HTTP that is killed while a question is open", { timeout: 60_000 }, () => {
  it("leaves no process and no file, and a retry at the next server fails with an explanation", async () => {
    const servers = prepare({ asks: { script: asksTwice } })
    const first = await servers.start()
    const second = await openRawModern(first.endpoint).request(
      "tools/call",
      retryOf(await openRawModern(first.endpoint).call("asks"), "one"),
    )
    expect(servers.runs()).toHaveLength(1)
    await first.kill()
    await expect.poll(() => servers.runs().filter(isAlive)).toEqual([])
    await expect.poll(() => readdirSync(join(servers.home, "tmp"))).toEqual([])
    const { endpoint } = await servers.start()
    expect(await openRawModern(endpoint).request("tools/call", retryOf(second, "two"))).toMatchObject({
      isError: true,
      text: expect.stringContaining("“asks” waited for an answer and is not in this process: its server was stopped"),
    })
    expect(servers.runs()).toHaveLength(1)
  })

  it("continues at the next server with the given answers, when the script may run again", async () => {
    const servers = prepare({ asks: { script: asksTwice, meta: { holdpoint: { replayable: true } } } })
    const first = await servers.start()
    const second = await openRawModern(first.endpoint).request(
      "tools/call",
      retryOf(await openRawModern(first.endpoint).call("asks"), "one"),
    )
    await first.kill()
    const { endpoint } = await servers.start()
    const last = await openRawModern(endpoint).request("tools/call", retryOf(second, "two"))
    expect(last).toMatchObject({ isError: false, text: both })
    expect(servers.runs()).toHaveLength(2)
  })

  it("asks everything again when an older client repeats its call, whose answers were for another process", async () => {
    const servers = prepare({ asks: { script: asksTwice } })
    const first = await servers.start()
    const second = Promise.withResolvers<void>()
    const answer: Answering = ({ message }) => {
      if (message === "first?") return { action: "accept", content: { name: "one" } }
      second.resolve()
      return new Promise(() => {})
    }
    const lost = await openRaw(raw20250618, first.endpoint, { answer })
    void lost.call("asks").catch(() => "lost")
    await second.promise
    const killed = first.kill()
    await lost.close()
    await killed
    const { endpoint } = await servers.start()
    const names: Readonly<Record<string, string>> = { "first?": "one", "second?": "two" }
    const again = await openRaw(raw20250618, endpoint, {
      answer: ({ message }) => ({ action: "accept", content: { name: names[message] ?? "" } }),
    })
    expect(await again.call("asks")).toMatchObject({ isError: false, text: both })
    expect(again.prompts.map(({ message }) => message)).toEqual(["first?", "second?"])
    expect(servers.runs()).toHaveLength(2)
    await again.close()
  })
})

describe("a client over HTTP that disconnects", { timeout: 60_000 }, () => {
  it("ends the script of its call", async () => {
    const servers = prepare({ hangs: { script: `#!/bin/sh\nprintf '%s\\n' $$ >> "$HOME/runs"\nsleep 600\n` } })
    const { endpoint } = await servers.start()
    const client = openRawModern(endpoint)
    const calling = client.call("hangs").catch(() => "gone")
    await expect.poll(() => servers.runs().filter(isAlive)).toHaveLength(1)
    await client.close()
    await expect.poll(() => servers.runs().filter(isAlive)).toEqual([])
    void calling
  })
})
