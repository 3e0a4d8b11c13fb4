// A hostile A2A agent over a socket: each of its behaviours ends within a time, takes little memory, and the model reads
// few words that say what happened.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { createCaller } from "@holdpoint/testkit/mcp/client/caller"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { connectA2a } from "../../../src/client/index.ts"

const program = fileURLToPath(new URL("agent.ts", import.meta.url))
const agent = spawn(process.execPath, ["--no-warnings", program], { stdio: ["ignore", "pipe", "inherit"] })
let base = ""

beforeAll(async () => {
  const [line] = (await once(createInterface({ input: agent.stdout }), "line")) as [string]
  base = `http://127.0.0.1:${(JSON.parse(line) as { readonly port: number }).port}`
})
afterAll(() => void agent.kill("SIGKILL"))

/** The limits of a test in milliseconds, longer than anything takes that does not wait for them. */
const patient = { readMs: 8_000, sendMs: 8_000, workMs: 8_000, unreachedMs: 8_000, pollMs: 5, mostPollMs: 50 }
/** The limits where the agent makes the client wait. */
const quick = { ...patient, readMs: 1_000, sendMs: 1_000, workMs: 1_000, unreachedMs: 500 }
/** The longest time that a call may take: the limits one after the other, on a busy machine. */
const mostMs = 10_000
const mostMemory = 200_000_000
/** More than a quotation of the longest question. */
const mostWords = 10_000

const waits = /silent|slow|alarms/
const peerOf = (behaviour: string) =>
  connectA2a({ name: "hostile", url: `${base}/${behaviour}`, limits: waits.test(behaviour) ? quick : patient })

const countsOf = async (behaviour: string): Promise<Readonly<Record<string, number>>> => {
  const response = await fetch(`${base}/counts`)
  return ((await response.json()) as Record<string, Record<string, number>>)[behaviour] ?? {}
}

/** What the model reads, or the error. Measures the time and the memory meanwhile. */
async function measured(work: () => Promise<string>): Promise<string> {
  const memory = (): number => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = memory()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, memory())), 5)
  const startedAt = performance.now()
  try {
    return await work()
  } catch (error) {
    return `${(error as { readonly code?: string }).code}: ${(error as Error).message}`
  } finally {
    clearInterval(timer)
    expect(performance.now() - startedAt, "the milliseconds that it took").toBeLessThan(mostMs)
    expect(Math.max(most, memory()) - before, "the bytes that it took").toBeLessThan(mostMemory)
  }
}

const send = (behaviour: string): Promise<string> =>
  measured(async () => {
    const caller = createCaller()
    onTestFinished(() => caller.close())
    const { isError, parts } = await caller.run((ask) => peerOf(behaviour).send(ask.scope("tool"), { text: "Go" }))
    const words = parts.map((part) => (part.type === "text" ? part.text : JSON.stringify(part))).join(" | ")
    return `${isError ? "failed" : "done"}: ${words}`
  })

const notRead = (problem: string) =>
  `failed: “hostile” (BASE) was given the task, and its response was not read: ${problem}. What it had done until then is not undone. Do not give it the same task again; ask for less, or ask the user.`
const unknown = /^effect_unknown: It is unknown whether “hostile” \(.*\) has begun the task/

describe("the card of a hostile agent", () => {
  it.each([
    ["card-huge", /cannot be used: it is larger than 1 MB\.$/],
    ["card-deep", /cannot be used: it is nested more than 100 levels deep\.$/],
    ["card-values", /cannot be used: it has more than 100000 values\.$/],
    ["card-slow", /cannot be used: There was no complete answer within 1000 ms/],
    ["card-silent", /cannot be used: There was no complete answer within 1000 ms/],
    ["card-redirects", /cannot be used: The agent's server answered with status 302/],
    ["card-elsewhere", /cannot be used: The agent's server answered with status 302/],
    ["card-interfaces", /its interfaces are at https:\/\/evil0\.example, .* and 8997 others, and only those at http/],
  ])("%s is refused in few words", async (behaviour, words) => {
    const read = await measured(async () => JSON.stringify(await peerOf(behaviour).card()))
    expect(read).toMatch(words)
    expect(read.length).toBeLessThan(1_000)
    expect(await countsOf("taken")).toEqual({})
    expect((await countsOf(behaviour)).card).toBeLessThan(5)
  })
})

describe("the reply of a hostile agent", () => {
  it.each([
    ["send-huge", notRead("it is larger than 10 MB")],
    ["send-bomb", notRead("it is larger than 10 MB")],
    ["send-deep", notRead("it is nested more than 100 levels deep")],
    ["send-values", notRead("it has more than 100000 values")],
    ["send-parts", notRead("it has more than 1000 parts")],
    ["send-id", notRead("it has an id of more than 1000 characters")],
    ["send-text", "done: (The reply is too large: 1 of its parts were dropped.)"],
    ["send-error", /^failed: “hostile” \(.*\) refused the request\. It says: “a+…”$/],
    ["send-slow", unknown],
    ["send-silent", unknown],
    ["send-pages", unknown],
    ["stream-silent", unknown],
    ["stream-slow", unknown],
    ["stream-comments", notRead("it is larger than 10 MB")],
    ["stream-comment", notRead("it is larger than 10 MB")],
    ["stream-huge", notRead("it is larger than 10 MB")],
    ["stream-deep", notRead("it is nested more than 100 levels deep")],
    ["stream-then-comments", "done: It works."],
    ["stream-then-updates", "done: It works."],
    ["stream-then-alarms", /^failed: “hostile” \(.*\) worked on the task for too long, so it was cancelled/],
    ["poll-huge", notRead("it is larger than 10 MB")],
    ["poll-slow", /^failed: “hostile” \(.*\) became unreachable while it worked/],
    ["asks-long", notRead("it asks with more than 200000 characters")],
    ["asks-on", /^failed: “hostile” \(.*\) kept asking and did not finish/],
  ])("%s ends in time, in little memory and in few words", async (behaviour, expected) => {
    const words = await send(behaviour)
    const address = `${base}/${behaviour}`
    if (typeof expected === "string") expect(words).toBe(expected.replace("BASE", address))
    else expect(words).toMatch(expected)
    expect(words.length).toBeLessThan(mostWords)
  })

  it("is not polled faster because its stream says that something changed", async () => {
    const before = (await countsOf("stream-then-alarms")).GetTask ?? 0
    await send("stream-then-alarms")
    expect((await countsOf("stream-then-alarms")).GetTask ?? 0).toBeLessThan(before + 60)
  })

  it("is given up with its task cancelled when it is not read", async () => {
    await send("poll-huge")
    expect((await countsOf("poll-huge")).CancelTask).toBeGreaterThan(0)
  })
})
