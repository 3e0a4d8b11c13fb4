// Progress and log messages of a running script: which of them reach its client, and when.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ClientKind, JsonObject, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { isObject } from "@holdpoint/testkit/mcp/server/clients/client"
import { openRaw, openRawModern, rawDraft } from "@holdpoint/testkit/mcp/server/clients/raw"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { describe, expect, it, vi } from "vitest"
import { nameRequest, plainAsk } from "./open-shell.ts"
import { opened } from "./opened.ts"

const kinds: readonly ClientKind[] = ["v2 pinned to 2026-07-28", "v2 legacy", "raw 2025-06-18"]

/** Shell functions for scripts: they report as the SDKs do, and wait for a file of the test. */
const reporting = `
progress() {
  printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"%s","progress":%s,"total":%s,"message":"%s"}}\\n' \\
    "$MCP_PROGRESS_TOKEN" "$1" "$2" "$3" >> "$MCP_PROGRESS_STREAM"
}
log() {
  printf '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"%s","logger":"tool","data":"%s"}}\\n' "$1" "$2" >> "$MCP_LOG_STREAM"
}
wait_for() { until [ -e "$1" ]; do sleep 0.02; done; }
`
const noAnswer = () => ({ action: "cancel" }) as const
const wantsProgress = { onprogress: () => {} }

const paramsOf = ({ received }: TestClient, method: string): readonly JsonObject[] =>
  received.filter((message) => message.method === method).map(({ params }) => (isObject(params) ? params : {}))
const progressOf = (client: TestClient) => paramsOf(client, "notifications/progress")
const logOf = (client: TestClient) => paramsOf(client, "notifications/message")

/** A shell whose scripts can wait until the test calls `goOn`. */
async function openedWaiting(scripts: Readonly<Record<string, string>>) {
  const folder = makeScratchFolder("notices")
  const env = { GO_ON: join(folder, "go-on") }
  const shell = await opened({ scripts, env, passEnvironment: ["GO_ON"] })
  return { ...shell, goOn: () => writeFileSync(env.GO_ON, "") }
}

describe.each(kinds)("a script that reports, called by %s", (kind) => {
  it("reports while it runs, before its result", async () => {
    const script = `${reporting}\nprogress 3 10 'Third file'\nwait_for "$GO_ON"\nprogress 10 10 'Last file'\necho done`
    const { client, goOn } = await openedWaiting({ batch: script })
    const caller = await client(kind, noAnswer)
    const called = caller.call("batch", {}, wantsProgress)
    await vi.waitFor(() => expect(progressOf(caller)).toHaveLength(1), { timeout: 20_000 })
    expect(progressOf(caller)[0]).toMatchObject({ progress: 3, total: 10, message: "Third file" })
    goOn()
    expect(await called).toMatchObject({ kind: "result", text: "done\n" })
    expect(progressOf(caller)[1]).toMatchObject({ progress: 10, total: 10, message: "Last file" })
    const order = caller.received.map(({ method = "answer" }) => method)
    expect(order).toEqual(["notifications/progress", "notifications/progress", "answer"])
  })

  it("sends no progress and no debug lines to a client that did not ask for them", async () => {
    const { client } = await opened({ scripts: { batch: `${reporting}\nprogress 1 2 'Half'\nlog debug 'Detail'` } })
    const caller = await client(kind, noAnswer)
    expect(await caller.call("batch")).toMatchObject({ kind: "result" })
    expect(caller.received.filter(({ method }) => method !== undefined)).toEqual([])
  })
})

describe("progress", () => {
  it("has the token of the current request, after a question on 2026-07-28", async () => {
    const script = `${plainAsk}${reporting}\nask 1 '${nameRequest("Name?")}'\nprogress 1 2 'Half'\nwait_for "$GO_ON"`
    const { endpoint, goOn } = await openedWaiting({ batch: script })
    const client = openRawModern(endpoint)
    const params = { name: "batch", arguments: {} }
    const first = await client.request("tools/call", { ...params, _meta: { progressToken: "first" } })
    const { requestState, inputRequests } = first.kind === "result" ? first.result : {}
    const [key = ""] = Object.keys(inputRequests as object)
    const inputResponses = { [key]: { action: "accept", content: { name: "Ada" } } }
    const second = client.request("tools/call", {
      ...{ ...params, requestState, inputResponses },
      _meta: { progressToken: 2 },
    })
    const ofScript = () => progressOf(client).filter(({ message }) => message === "Half")
    await vi.waitFor(() => expect(ofScript()).toHaveLength(1), { timeout: 20_000 })
    expect(ofScript()).toMatchObject([{ progressToken: 2, progress: 1, total: 2 }])
    goOn()
    expect(await second).toMatchObject({ kind: "result", isError: false })
    await client.close()
  })

  it("only increases, whatever the script writes", async () => {
    const script = `${reporting}\nfor n in 5 2 9; do progress $n 10 "At $n"; sleep 0.2; done`
    const { client } = await opened({ scripts: { batch: script } })
    const caller = await client("v2 legacy", noAnswer)
    await caller.call("batch", {}, wantsProgress)
    const amounts = progressOf(caller).map(({ progress }) => Number(progress))
    expect(amounts).toEqual([...new Set(amounts)].sort((a, b) => a - b))
    expect(progressOf(caller).at(-1)).toMatchObject({ progress: 9, message: "At 9" })
  })

  it("is sent less often than the script writes it, and ends with the last amount", async () => {
    const script = `${reporting}\nfor n in {1..2000}; do progress $n 2000 "At $n"; done`
    const { client } = await opened({ scripts: { batch: script } })
    const caller = await client("v2 legacy", noAnswer)
    await caller.call("batch", {}, wantsProgress)
    expect(progressOf(caller).length).toBeLessThan(1_000)
    expect(progressOf(caller).at(-1)).toMatchObject({ progress: 2_000, message: "At 2000" })
  })
})

describe("log messages", () => {
  const script = `${reporting}\nfor level in debug info error; do log $level "of $level"; done`

  it("reach a client of 2025-11-25 from level info up, or from the level that its session set", async () => {
    const { endpoint } = await opened({ scripts: { batch: script } })
    const client = await openRaw(rawDraft, endpoint, { answer: noAnswer })
    await client.call("batch")
    expect(logOf(client)).toEqual([
      { level: "info", logger: "tool", data: "of info" },
      { level: "error", logger: "tool", data: "of error" },
    ])
    client.received.splice(0)
    expect(await client.request("logging/setLevel", { level: "error" })).toMatchObject({ kind: "result" })
    await client.call("batch", { again: 1 })
    expect(logOf(client)).toEqual([{ level: "error", logger: "tool", data: "of error" }])
    await client.close()
  })

  it("reach a client of 2026-07-28 from the level that its request names", async () => {
    const { endpoint } = await opened({ scripts: { batch: script } })
    const client = openRawModern(endpoint)
    const _meta = { "io.modelcontextprotocol/logLevel": "debug" }
    await client.request("tools/call", { name: "batch", arguments: {}, _meta })
    expect(logOf(client).map(({ level }) => level)).toEqual(["debug", "info", "error"])
    await client.close()
  })

  it("are the only kind in their file: progress in it is left out", async () => {
    const { client } = await opened({
      scripts: { batch: `${reporting}\nMCP_PROGRESS_STREAM=$MCP_LOG_STREAM progress 1 2 Half` },
    })
    const caller = await client("v2 legacy", noAnswer)
    await caller.call("batch", {}, wantsProgress)
    expect(progressOf(caller)).toEqual([])
  })

  it("are left out and counted when they come too fast", async () => {
    const { client } = await opened({
      scripts: { batch: `${reporting}\nfor n in {1..1000}; do log info "$n"; done > /dev/null` },
    })
    const caller = await client("v2 legacy", noAnswer)
    await caller.call("batch")
    const lines = logOf(caller)
    expect(lines.length).toBeLessThan(600)
    const counted = lines
      .filter(({ logger }) => logger === "holdpoint")
      .map(({ data }) => Number.parseInt(String(data), 10))
    expect(counted.reduce((sum, one) => sum + one, 0) + lines.length - counted.length).toBe(1_000)
  })
})

describe("what a script puts in place of a report", () => {
  const good = `${reporting}\nlog info 'Good'`
  it.each([
    ["plain text", `echo 'no JSON' >> "$MCP_LOG_STREAM"`],
    [
      "another notification",
      `echo '{"method":"notifications/cancelled","params":{"level":"info","data":"Bad"}}' >> "$MCP_LOG_STREAM"`,
    ],
    ["a level that does not exist", `log loud 'Bad'`],
    ["a line that is too long", `log info "$(head -c 100000 /dev/zero | tr '\\0' x)"`],
  ])("is left out when it is %s", async (_what, line) => {
    const { client, reports } = await opened({ scripts: { batch: `${reporting}\n${line}\n${good}` } })
    const caller = await client("v2 legacy", noAnswer)
    await caller.call("batch")
    expect(caller.received.filter(({ method }) => method !== undefined).map(({ params }) => params)).toEqual([
      { level: "info", logger: "tool", data: "Good" },
    ])
    expect(reports).toEqual([])
  })

  it.each([
    ["a pipe", `mkfifo "$MCP_LOG_STREAM"`],
    ["a link", `MCP_LOG_STREAM=elsewhere log info 'Bad'; ln -s "$PWD/elsewhere" "$MCP_LOG_STREAM"`],
    ["a folder", `mkdir "$MCP_LOG_STREAM"`],
  ])("neither blocks the call nor is read when it is %s", async (_what, line) => {
    const { client, reports } = await opened({ scripts: { batch: `${reporting}\n${line}\necho done` } })
    const caller = await client("v2 legacy", noAnswer)
    expect(await caller.call("batch")).toMatchObject({ text: "done\n" })
    expect(logOf(caller)).toEqual([])
    expect(reports).toEqual([])
  })
})
