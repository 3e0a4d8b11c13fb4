// Where servers of scripts are known to fail when a person is asked: url mode, capabilities, late answers, prompts that
// stay up, timers that run on, files that are half written, two questions at once. Each has a test.

import type { Answering, ClientKind, JsonObject, Reply, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { openRawModern } from "@holdpoint/testkit/mcp/server/clients/raw"
import { describe, expect, it } from "vitest"
import { makeGate, openGate, waitAtGate } from "./gate.ts"
import { confirmRequest, nameRequest, plainAsk, printed } from "./open-shell.ts"
import { opened } from "./opened.ts"

const held: readonly ClientKind[] = ["v2 legacy", "raw 2025-06-18"]
const never = <T>(): Promise<T> => new Promise<T>(() => {})
const asksName = `${plainAsk}\nask 1 '${nameRequest("Name?")}'`

/** The ids of the requests by which the server asked, in order. */
const asksIn = ({ received }: TestClient): readonly unknown[] =>
  received.filter(({ method }) => method === "elicitation/create").map(({ id }) => id)

/** The requests that the server has withdrawn. */
const withdrawnIn = ({ received }: TestClient): readonly unknown[] =>
  received
    .filter(({ method }) => method === "notifications/cancelled")
    .map(({ params }) => (params as JsonObject).requestId)

const lateAnswer = (id: unknown, result: Reply): JsonObject => ({ jsonrpc: "2.0", id, result })

describe("url mode", () => {
  it("works, with an id, for clients that show links and forms and for clients that show only links", async () => {
    const url = `{"mode":"url","message":"Pay?","url":"https://pay.example/1"}`
    const { client } = await opened({ scripts: { pay: `${plainAsk}\n[ "$MCP_ELICIT_URL" = 1 ] && ask 1 '${url}'` } })
    for (const elicitation of [{ form: {}, url: {} }, { url: {} }]) {
      const caller = await client("v2 legacy", () => ({ action: "accept" }), { capabilities: { elicitation } })
      expect(printed(await caller.call("pay", elicitation))).toEqual({
        action: "accept",
        content: null,
        completed: false,
      })
      expect(caller.prompts).toEqual([
        { mode: "url", message: "Pay?", url: expect.any(String), elicitationId: expect.any(String) },
      ])
    }
  })
})

describe("a client that shows only links", () => {
  const capabilities = { elicitation: { url: {} } }

  it("gets a link to the form's page, and no form", async () => {
    const { client, person } = await opened({ scripts: { asks: asksName } })
    const caller = await client("v2 legacy", () => ({ action: "accept" }), { capabilities })
    const calling = caller.call("asks")
    await person.answers(await person.question(), { name: "on the page" })
    expect(printed(await calling)).toEqual({ action: "accept", content: { name: "on the page" } })
    expect(caller.prompts).toMatchObject([{ mode: "url" }])
  })

  it("gets no form on a server without pages, where the script sees that it cannot ask for one", async () => {
    const asks = `printf '%s%s' "$MCP_ELICIT_FORM" "$MCP_ELICIT_URL"\n${asksName}`
    const { client } = await opened({ scripts: { asks }, hasPages: false })
    const caller = await client("v2 legacy", never, { capabilities })
    expect(await caller.call("asks")).toMatchObject({ text: expect.stringMatching(/^01\{.*"reason":"unsupported"/) })
    expect(caller.prompts).toEqual([])
  })
})

it("a capability of null does not count as support, and is refused with the reason", async () => {
  const { endpoint } = await opened({ scripts: { asks: `printf '%s' "$MCP_ELICIT_SUPPORTED"` }, hasPages: false })
  const called = await openRawModern(endpoint, { elicitation: null }).call("asks")
  expect(called).toMatchObject({ kind: "error", code: -32_602, message: expect.stringMatching(/elicitation: .*null/) })
})

describe.each(held)("a late answer from %s", (kind) => {
  it("does not stop the server, and neither does an answer to a request that it never made", async () => {
    const { client, person } = await opened({ scripts: { asks: asksName, other: "printf fine" } })
    const caller = await client(kind, never)
    const calling = caller.call("asks")
    await person.letsExpire(await person.question())
    expect(printed(await calling)).toMatchObject({ action: "error" })
    const reply: Reply = { action: "accept", content: { name: "late" } }
    for (const id of [...asksIn(caller), 4_711, "elicitation-of-another"]) await caller.send(lateAnswer(id, reply))
    expect(await caller.call("other")).toMatchObject({ isError: false, text: "fine" })
    expect(await person.statuses()).toEqual(["expired"])
  })

  it("reaches no other question, even when the script uses the same file for it", async () => {
    const asks = `${plainAsk}
      ${makeGate}
      printf '%s' '${nameRequest("First?")}' > "$MCP_ELICIT_REQUEST_FILE"
      ${waitAtGate}
      ask "" '${nameRequest("Second?")}'`
    const shell = await opened({ scripts: { asks } })
    const second = Promise.withResolvers<Reply>()
    const caller = await shell.client(kind, ({ message }) => (message === "Second?" ? second.promise : never()))
    const calling = caller.call("asks")
    await expect.poll(() => caller.prompts.length).toBe(1)
    await openGate(shell, "asks")
    await expect.poll(() => caller.prompts.length).toBe(2)
    const [first] = asksIn(caller)
    await caller.send(lateAnswer(first, { action: "accept", content: { name: "to the first" } }))
    // The prompt of the first call is withdrawn, because no call waits for its answer.
    expect(withdrawnIn(caller)).toEqual([first])
    second.resolve({ action: "accept", content: { name: "to the second" } })
    expect(printed(await calling)).toEqual({ action: "accept", content: { name: "to the second" } })
    expect(await shell.person.statuses()).toEqual(["cancelled", "completed"])
  })
})

it("a late answer of 2026-07-28 reaches no other question, even when the script uses the same file for it", async () => {
  const asks = `${plainAsk}
    ${makeGate}
    printf '%s' '${nameRequest("First?")}' > "$MCP_ELICIT_REQUEST_FILE"
    ${waitAtGate}
    ask "" '${nameRequest("Second?")}'`
  const shell = await opened({ scripts: { asks } })
  const answer: Answering = async ({ message }) => {
    if (message === "First?") {
      await openGate(shell, "asks")
      await expect.poll(() => shell.person.statuses()).toEqual(["cancelled"])
    }
    return { action: "accept", content: { name: `to ${message}` } }
  }
  const caller = await shell.client("v2 pinned to 2026-07-28", answer)
  expect(printed(await caller.call("asks"))).toEqual({ action: "accept", content: { name: "to Second?" } })
})

describe.each(held)("a prompt at %s", (kind) => {
  it("is withdrawn when its question expires", async () => {
    const { client, person } = await opened({ scripts: { asks: asksName } })
    const caller = await client(kind, never)
    const calling = caller.call("asks")
    await person.letsExpire(await person.question())
    await calling
    await expect.poll(() => withdrawnIn(caller)).toEqual(asksIn(caller))
    expect(asksIn(caller)).toHaveLength(1)
  })

  it("is withdrawn when the call is cancelled", async () => {
    const { client, person } = await opened({ scripts: { asks: asksName } })
    const caller = await client(kind, never)
    const cancel = new AbortController()
    const calling = caller.call("asks", {}, { signal: cancel.signal })
    const { id } = await person.question()
    await expect.poll(() => asksIn(caller)).toHaveLength(1)
    cancel.abort()
    expect(await calling).toMatchObject({ kind: "error" })
    await person.reaches(id, "cancelled")
    await expect.poll(() => withdrawnIn(caller)).toEqual(asksIn(caller))
  })

  it("is withdrawn when the script takes its question back, and the call continues", async () => {
    const asks = `${plainAsk}
      ${makeGate}
      base="\${MCP_ELICIT_REQUEST_FILE%.request}.1"
      { ${waitAtGate}; : > "$base.cancel"; } &
      ask 1 '${nameRequest("Name?")}'`
    const shell = await opened({ scripts: { asks } })
    const caller = await shell.client(kind, never)
    const calling = caller.call("asks")
    await expect.poll(() => asksIn(caller)).toHaveLength(1)
    await openGate(shell, "asks")
    expect(printed(await calling)).toEqual({ action: "cancel", content: null, reason: "withdrawn" })
    await expect.poll(() => withdrawnIn(caller)).toEqual(asksIn(caller))
  })

  it("is withdrawn when the script ends without waiting for the answer", async () => {
    const asks = `${makeGate}\nprintf '%s' '${nameRequest("Name?")}' > "$MCP_ELICIT_REQUEST_FILE"\n${waitAtGate}\nprintf over`
    const shell = await opened({ scripts: { asks } })
    const caller = await shell.client(kind, never)
    const calling = caller.call("asks")
    await expect.poll(() => asksIn(caller)).toHaveLength(1)
    await openGate(shell, "asks")
    expect(await calling).toMatchObject({ isError: false, text: "over" })
    await expect.poll(() => withdrawnIn(caller)).toEqual(asksIn(caller))
  })
})

describe("the time limit of a tool", () => {
  it("stands still while a person thinks: a script may ask for longer than its limit, on every revision", async () => {
    const timeoutMs = 1_500
    const tools = { asks: { timeoutMs }, hangs: { timeoutMs } }
    const { client } = await opened({ scripts: { asks: asksName, hangs: "sleep 1000" }, tools })
    const limitIsOver = Promise.withResolvers<Reply>()
    const kinds: readonly ClientKind[] = ["v2 pinned to 2026-07-28", ...held]
    const callers = await Promise.all(kinds.map((kind) => client(kind, () => limitIsOver.promise)))
    const calling = callers.map((caller, n) => caller.call("asks", { n }))
    for (const { prompts } of callers) await expect.poll(() => prompts.length).toBe(1)
    // A script that does not ask reaches its time limit while the person has not answered the other scripts.
    const hanging = await callers[0]?.call("hangs")
    expect(hanging).toMatchObject({ isError: true })
    limitIsOver.resolve({ action: "accept", content: { name: "slowly" } })
    for (const called of await Promise.all(calling)) expect(printed(called)).toMatchObject({ action: "accept" })
  })
})

describe("a file that is half written", () => {
  it("is not read: a request that is written in two steps is taken when it is complete", async () => {
    const request = confirmRequest("Overwrite?")
    const asks = `${makeGate}
      base="\${MCP_ELICIT_REQUEST_FILE%.request}"
      mkfifo "$base.wake"; exec 9<>"$base.wake"
      printf '%s' '${request.slice(0, 20)}' > "$base.request"
      ${waitAtGate}
      printf '%s' '${request.slice(20)}' >> "$base.request"
      read -r _ <&9; cat "$base.response"`
    const shell = await opened({ scripts: { asks } })
    const caller = await shell.client("v2 legacy", () => ({ action: "accept", content: { confirmed: "yes" } }))
    const calling = caller.call("asks")
    await expect
      .poll(() =>
        openGate(shell, "asks").then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    expect(printed(await calling)).toEqual({ action: "accept", content: { confirmed: true } })
  })

  it("is never seen by a script that polls for its response", async () => {
    const long = "x".repeat(4_000)
    const asks = `
      base="\${MCP_ELICIT_REQUEST_FILE%.request}"
      for slot in 1 2 3 4 5; do
        printf '%s' '${nameRequest("Name?")}' > "$base.$slot.request"
        until [ -e "$base.$slot.response" ]; do :; done
        read -r answer < "$base.$slot.response"
        printf '%s ' "\${#answer}"
      done`
    const { client } = await opened({ scripts: { asks } })
    const caller = await client("v2 legacy", () => ({ action: "accept", content: { name: long } }))
    const whole = JSON.stringify({ action: "accept", content: { name: long } }).length
    expect(await caller.call("asks")).toMatchObject({ text: `${whole} `.repeat(5) })
  })
})
