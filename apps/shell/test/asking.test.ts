// Scripts that ask, called by clients of three revisions: the answer for the script, and the question for the person.

import type { Answering, ClientKind, Prompt, Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { describe, expect, it } from "vitest"
import { confirmRequest, nameRequest, plainAsk, printed, requestOf } from "./open-shell.ts"
import { opened } from "./opened.ts"

const confirm = `${plainAsk}\nask 1 '${confirmRequest("Overwrite report.pdf?")}'`
const kinds: readonly ClientKind[] = ["v2 pinned to 2026-07-28", "v2 legacy", "raw 2025-06-18"]
const saysYes: Answering = () => ({ action: "accept", content: { confirmed: "yes" } })
const named: Answering = ({ message }) => ({ action: "accept", content: { name: `to ${message}` } })

const askTwo = `${plainAsk}
cd "$(dirname "$MCP_TOOL_ARGS_FILE")"
ask 1 '${nameRequest("First?")}' > first &
ask 2 '${nameRequest("Second?")}' > second &
wait
printf '[%s,%s]' "$(cat first)" "$(cat second)"`

/** A person who answers each question when the test says so. */
function createAnswerer() {
  const thinking = new Map<string, PromiseWithResolvers<Reply>>()
  const prompted = Promise.withResolvers<Prompt>()
  const of = (message: string): PromiseWithResolvers<Reply> => {
    const one = thinking.get(message) ?? Promise.withResolvers<Reply>()
    thinking.set(message, one)
    return one
  }
  const answer: Answering = (prompt) => {
    prompted.resolve(prompt)
    return of(prompt.message).promise
  }
  return { answer, prompted: prompted.promise, says: (message: string, reply: Reply) => of(message).resolve(reply) }
}

describe.each(kinds)("a script that asks, called by %s", (kind) => {
  it("gets the person's answer from the client", async () => {
    const { client } = await opened({ scripts: { hello: confirm } })
    const caller = await client(kind, saysYes)
    const called = await caller.call("hello")
    expect(called).toMatchObject({ kind: "result", isError: false })
    expect(printed(called)).toEqual({ action: "accept", content: { confirmed: true } })
    expect(caller.prompts.map(({ message }) => message)).toEqual(["Overwrite report.pdf?"])
  })

  it("gets a No as confirmed false, a refusal as decline, and a dismissal as cancel", async () => {
    const { client } = await opened({ scripts: { hello: confirm } })
    const no = await client(kind, () => ({ action: "accept", content: { confirmed: "no" } }))
    expect(await no.call("hello")).toMatchObject({ text: '{"action":"accept","content":{"confirmed":false}}' })
    const refusing = await client(kind, () => ({ action: "decline" }))
    expect(await refusing.call("hello", { again: 1 })).toMatchObject({ text: '{"action":"decline","content":null}' })
    const dismissing = await client(kind, () => ({ action: "cancel" }))
    expect(await dismissing.call("hello", { again: 2 })).toMatchObject({ text: '{"action":"cancel","content":null}' })
  })

  it("keeps one process for several questions, and each gets its own answer", async () => {
    const asks = [1, 2, 3].map((n) => `ask ${n} '${nameRequest(`Name ${n}?`)}'`).join("\n")
    const { client } = await opened({ scripts: { names: `${plainAsk}\nprintf '%s ' $$\n${asks}\nprintf ' %s' $$` } })
    const caller = await client(kind, named)
    const called = await caller.call("names")
    expect(called.kind === "result" && called.text).toMatch(/^(\d+) .*to Name 1\?.*to Name 2\?.*to Name 3\?.* \1$/)
    expect(caller.prompts).toHaveLength(3)
  })

  it("has two questions open at the same time, and each gets its own answer", async () => {
    const { client } = await opened({ scripts: { two: askTwo } })
    const caller = await client(kind, named)
    expect(printed(await caller.call("two"))).toEqual([
      { action: "accept", content: { name: "to First?" } },
      { action: "accept", content: { name: "to Second?" } },
    ])
  })

  it("gets timed_out when its question expires, and a late answer changes nothing", async () => {
    const asks = `${plainAsk}\nask 1 '${nameRequest("Quickly?", { timeout: 5 })}'`
    const { client, person } = await opened({ scripts: { asks } })
    const thinker = createAnswerer()
    const caller = await client(kind, thinker.answer)
    const calling = caller.call("asks")
    await thinker.prompted
    await person.letsExpire(await person.question())
    thinker.says("Quickly?", { action: "accept", content: { name: "too late" } })
    expect(printed(await calling)).toEqual({ action: "error", content: null, reason: "timed_out" })
    expect(await person.statuses()).toEqual(["expired"])
  })

  it("gets client_error when its client answers a form wrongly three times", async () => {
    const { client } = await opened({ scripts: { asks: `${plainAsk}\nask 1 '${nameRequest("Name?")}'` } })
    const caller = await client(kind, () => ({ action: "accept", content: { other: 1 } }))
    expect(printed(await caller.call("asks"))).toMatchObject({ action: "error", reason: "client_error" })
    expect(caller.prompts).toHaveLength(3)
  })

  it("asks the person to open a page, and gets their accept or decline", async () => {
    const url = `{"mode":"url","message":"Pay?","url":"https://pay.example/1"}`
    const { client, person } = await opened({ scripts: { pay: `${plainAsk}\nask 1 '${url}'` } })
    const agrees = await client(kind, consents)
    expect(printed(await agrees.call("pay"))).toEqual({ action: "accept", content: null, completed: false })
    expect(await person.statuses()).toEqual(["accepted"])
    const refuses = await client(kind, () => ({ action: "decline" }))
    expect(printed(await refuses.call("pay", { again: 1 }))).toEqual({ action: "decline", content: null })
  })

  it("waits until the page is completed when its request says wait", async () => {
    const url = `{"mode":"url","message":"Pay?","url":"https://pay.example/1","wait":true}`
    const { client, person, hub } = await opened({ scripts: { pay: `${plainAsk}\nask 1 '${url}'` } })
    const caller = await client(kind, consents)
    const calling = caller.call("pay")
    const { id } = await person.question()
    await person.reaches(id, "accepted")
    expect(await hub.complete(id)).toMatchObject({ ok: true })
    expect(printed(await calling)).toEqual({ action: "accept", content: null, completed: true })
  })
})

/** Agrees to open a link, which clients show as a link or as a form with one checkbox. */
const consents: Answering = ({ requestedSchema }) => {
  const [box] = Object.keys((requestedSchema?.properties as object | undefined) ?? {})
  return { action: "accept", ...(box === undefined ? {} : { content: { [box]: true } }) }
}

it.each(kinds.slice(1))("lets a person at %s answer the second of two questions first", async (kind) => {
  const { client, person } = await opened({ scripts: { two: askTwo } })
  const thinker = createAnswerer()
  const caller = await client(kind, thinker.answer)
  const calling = caller.call("two")
  await expect.poll(() => caller.prompts.length).toBe(2)
  thinker.says("Second?", { action: "accept", content: { name: "early" } })
  await expect.poll(() => person.statuses().then((all) => all.toSorted())).toEqual(["completed", "pending"])
  thinker.says("First?", { action: "accept", content: { name: "late" } })
  expect(printed(await calling)).toMatchObject([{ content: { name: "late" } }, { content: { name: "early" } }])
})

describe("a client that cannot show a question", () => {
  const says = `[ "$MCP_ELICIT_SUPPORTED" = 1 ] || { printf 'Not overwritten: you cannot be asked.'; exit 0; }`

  it("does not make a script hang: the script sees that it cannot ask, and refuses", async () => {
    const { client } = await opened({ scripts: { hello: `${says}\n${confirm}` }, hasPages: false })
    const caller = await client("no capability", never)
    expect(await caller.call("hello")).toMatchObject({ isError: false, text: "Not overwritten: you cannot be asked." })
  })

  it("gets a link to the inbox, and its next call has the answer that the person gave there", async () => {
    const { client, person } = await opened({ scripts: { hello: `${says}\nprintf '%s ' $$\n${confirm}` } })
    const caller = await client("no capability", never)
    const first = await caller.call("hello")
    const question = await person.question()
    expect(first).toMatchObject({ isError: true, text: expect.stringContaining(`/inbox/${question.id}`) })
    await person.answers(question, { confirmed: "yes" })
    expect(await caller.call("hello")).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^\d+ \{"action":"accept","content":\{"confirmed":true\}\}$/),
    })
  })
})

describe("a multiple choice for a client of 2025-06-18, which has no field for it", () => {
  const choices = { properties: { choices: { type: "array", items: { type: "string", enum: ["a", "b"] } } } }
  const several = `${plainAsk}\nask 1 '${requestOf("Which?", choices)}'`

  it("is shown on the form's page", async () => {
    const { client, person } = await opened({ scripts: { several } })
    const caller = await client("raw 2025-06-18", consents)
    const calling = caller.call("several")
    await person.answers(await person.question(), { choices: ["b"] })
    expect(printed(await calling)).toEqual({ action: "accept", content: { choices: ["b"] } })
  })

  it("fails with the reason unsupported when there are no pages", async () => {
    const { client } = await opened({ scripts: { several }, hasPages: false })
    const caller = await client("raw 2025-06-18", never)
    expect(printed(await caller.call("several"))).toMatchObject({
      action: "error",
      content: null,
      reason: "unsupported",
    })
    expect(caller.prompts).toEqual([])
  })
})

function never(): never {
  throw new Error("this client is not asked")
}
