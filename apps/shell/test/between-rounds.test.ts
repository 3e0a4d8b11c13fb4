// The process of a script between the rounds of its call, on 2026-07-28: it is kept for its client, lost with its
// server, run again where its author allows it, and ended when the client does not come back.

import { existsSync } from "node:fs"
import { join } from "node:path"
import { allEnd, isAlive } from "@holdpoint/testkit/alive"
import type { Called, JsonObject } from "@holdpoint/testkit/mcp/server/clients/client"
import { openRawModern } from "@holdpoint/testkit/mcp/server/clients/raw"
import { afterEach, describe, expect, it, vi } from "vitest"
import { createScripts } from "../src/scripts.ts"
import { defaultLimits } from "../src/server.ts"
import type { ShellTool } from "../src/tool.ts"
import type { Shell, ShellOptions } from "./open-shell.ts"
import { nameRequest, plainAsk } from "./open-shell.ts"
import { opened } from "./opened.ts"
import { pidsOf } from "./pids.ts"

const asksTwice = `${plainAsk}
printf '%s\\n' $$ >> pids
ask 1 '${nameRequest("First?")}'
ask 2 '${nameRequest("Second?")}'`

const both = '{"action":"accept","content":{"name":"one"}}{"action":"accept","content":{"name":"two"}}'

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

const retry = ({ endpoint }: Shell, params: JsonObject): Promise<Called> =>
  openRawModern(endpoint).request("tools/call", params)

/** Stops the server, and starts another server on the same storage. */
async function restarted(shell: Shell, options: ShellOptions): Promise<Shell> {
  await shell.server.close()
  await shell.mcp.close()
  return opened({ ...options, before: shell })
}

describe("a call of 2026-07-28", () => {
  it("keeps its process over all rounds, even when each round has its own connection", async () => {
    const shell = await opened({ scripts: { asks: asksTwice } })
    const first = await openRawModern(shell.endpoint).call("asks")
    const second = await retry(shell, retryOf(first, "one"))
    expect(await retry(shell, retryOf(second, "two"))).toMatchObject({ isError: false, text: both })
    expect((await shell.read("asks/pids")).trim().split("\n")).toHaveLength(1)
  })

  it("gets the same result when its last request is repeated, and nothing runs a second time", async () => {
    const shell = await opened({ scripts: { asks: asksTwice } })
    const second = await retry(shell, retryOf(await openRawModern(shell.endpoint).call("asks"), "one"))
    const last = retryOf(second, "two")
    expect(await retry(shell, last)).toMatchObject({ text: both })
    expect(await retry(shell, last)).toMatchObject({ text: both })
    expect((await shell.read("asks/pids")).trim().split("\n")).toHaveLength(1)
  })

  it("does not get the process of another call of the same tool with the same arguments", async () => {
    const shell = await opened({ scripts: { asks: asksTwice } })
    const [first, other] = await Promise.all([1, 2].map(() => openRawModern(shell.endpoint).call("asks")))
    const seconds = [
      await retry(shell, retryOf(first as Called, "one")),
      await retry(shell, retryOf(other as Called, "1")),
    ]
    expect(await retry(shell, retryOf(seconds[1] as Called, "2"))).toMatchObject({
      text: both.replace("one", "1").replace("two", "2"),
    })
    expect(await retry(shell, retryOf(seconds[0] as Called, "two"))).toMatchObject({ text: both })
  })
})

describe("a client of 2025-11-25 that loses its connection while the person thinks", () => {
  it("finds the same process when it calls again, and the person is asked there", async () => {
    const shell = await opened({ scripts: { asks: asksTwice } })
    const prompted = Promise.withResolvers<void>()
    const gone = await shell.client("v2 legacy", () => {
      prompted.resolve()
      return new Promise(() => {})
    })
    const lost = gone.call("asks")
    await prompted.promise
    await gone.close()
    expect(await lost).toMatchObject({ kind: "error" })
    const names: Record<string, string> = { "First?": "one", "Second?": "two" }
    const back = await shell.client("v2 legacy", ({ message }) => ({
      ...{ action: "accept", content: { name: names[message] ?? "" } },
    }))
    expect(await back.call("asks")).toMatchObject({ isError: false, text: both })
    expect((await shell.read("asks/pids")).trim().split("\n")).toHaveLength(1)
  })
})

describe("a call whose server is restarted while a person thinks", () => {
  const options = { scripts: { asks: asksTwice } }

  it("fails with a message that says what happened, and does not run the script again", async () => {
    const shell = await opened(options)
    const second = await retry(shell, retryOf(await openRawModern(shell.endpoint).call("asks"), "one"))
    const [pid = 0] = await pidsOf(shell, "asks", 1)
    const next = await restarted(shell, options)
    await allEnd([pid])
    expect(await retry(next, retryOf(second, "two"))).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /“asks” waited for an answer and is not in this process.*another of several processes.*call the tool again.*load balancer/s,
      ),
    })
    expect((await next.read("asks/pids")).trim().split("\n")).toHaveLength(1)
  })

  it("runs a replayable script again, which gets the recorded answers to the same questions", async () => {
    const replayable = { ...options, tools: { asks: { replayable: true } } }
    const shell = await opened(replayable)
    const second = await retry(shell, retryOf(await openRawModern(shell.endpoint).call("asks"), "one"))
    const next = await restarted(shell, replayable)
    expect(await retry(next, retryOf(second, "two"))).toMatchObject({ isError: false, text: both })
    expect((await next.read("asks/pids")).trim().split("\n")).toHaveLength(2)
    // Each question was asked only once.
    expect(await next.person.statuses()).toEqual(["completed", "completed"])
  })

  it("starts over when the client calls again, and asks every question again", async () => {
    const shell = await opened(options)
    await retry(shell, retryOf(await openRawModern(shell.endpoint).call("asks"), "one"))
    const next = await restarted(shell, options)
    const first = await openRawModern(next.endpoint).call("asks")
    const second = await retry(next, retryOf(first, "one"))
    expect(await retry(next, retryOf(second, "two"))).toMatchObject({ text: both })
  })
})

describe("a script whose client does not come back", () => {
  afterEach(() => void vi.useRealTimers())

  it("is ended half an hour after the time for its question is over", async () => {
    const { folder, tools } = await opened({
      scripts: { asks: asksTwice },
      tools: { asks: { askWithinMs: 3_600_000 } },
    })
    const tool = tools[0] as ShellTool
    const scripts = createScripts({ limits: defaultLimits, report() {}, env: process.env, passEnvironment: [] })
    const askModes = { form: true, url: true, inClient: true }
    const script = await scripts.start("call", tool, {
      ...{ arguments: {}, meta: {}, askModes, roots: [], progressToken: "", logLevel: undefined },
    })
    await expect.poll(() => script.questions.listOpen().length).toBe(1)
    const [pid = 0] = await pidsOf({ folder }, "asks", 1)
    const leave = script.registerRun()
    const isToldToEnd = (): boolean => existsSync(join(script.folders[0] ?? "", "cancelled"))
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], shouldAdvanceTime: true })
    leave()
    vi.advanceTimersByTime(3_600_000 + 29 * 60_000)
    expect(isToldToEnd()).toBe(false)
    vi.advanceTimersByTime(2 * 60_000)
    expect(isToldToEnd()).toBe(true)
    expect(await script.ended).toMatchObject({ endedBy: "cancelled" })
    expect(isAlive(pid)).toBe(false)
    await expect.poll(() => scripts.get("call")).toBeUndefined()
    await scripts.close()
  })
})
