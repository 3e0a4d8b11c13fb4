// A No that arrives after a Yes was given elsewhere: it stops effects that have not begun, and its person is told about
// the others.

import { isRefusal } from "@holdpoint/calls"
import type { Elicitation } from "@holdpoint/hub"
import { form } from "@holdpoint/hub"
import { alice } from "@holdpoint/testkit/fixtures"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { createHouse, retry, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Reply, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { createPersonAtPages, type PersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect } from "vitest"
import type { Ask } from "../../../src/server/index.ts"
import { holdable } from "../../../src/server/index.ts"

let house: House
let person: PersonAtPages
let notes: Set<string>
/** The refusals that the handler got instead of an answer. */
let refusals: string[]
/** Runs between the answer and the effect. */
let beforeEffect: () => Promise<void>
let duringEffect: () => Promise<void>
let askPerson: (ask: Ask) => Promise<unknown>

beforeEach(async () => {
  notes = new Set(["shopping"])
  refusals = []
  beforeEffect = async () => {}
  duringEffect = async () => {}
  house = await createHouse({ server, nodes: 2, drive: () => new Response(null, { status: 204 }) })
  person = createPersonAtPages(house.storage, house.keys)
})
afterEach(async () => {
  await person.close()
  await house.close()
})

function server(): McpServer {
  const made = new McpServer({ name: "notes", version: "1" })
  made.registerTool(
    "delete_note",
    {},
    holdable(async (ask) => {
      try {
        if ((await askPerson(ask)) === false) return text("Kept.")
        await beforeEffect()
        await ask.once("deleted", async () => {
          await duringEffect()
          notes.delete("shopping")
        })
        return text("Deleted.")
      } catch (error) {
        if (isRefusal(error)) refusals.push(`${error.key} ${error.outcome}`)
        throw error
      }
    }),
  )
  return made
}

interface Kind {
  readonly what: string
  readonly key: string
  readonly put: (ask: Ask) => Promise<unknown>
}

const kinds: readonly Kind[] = [
  { what: "a confirmation", key: "sure", put: (ask) => ask.confirm("sure", "Delete the note “shopping”?") },
  { what: "a link", key: "pay", put: (ask) => ask.url("pay", "Please pay.", "https://pay.example/1") },
  { what: "an account", key: "connection drive", put: (ask) => ask.connection("drive", { scopes: ["files"] }) },
]
const noes = ["decline", "cancel"] as const
const ended = { decline: "declined", cancel: "cancelled" } as const
const cases = kinds.flatMap((kind) => noes.map((no) => [kind.what, no, kind] as const))

/** A Yes in the format of the question's form. */
function yesTo(question: Elicitation): object | undefined {
  if (question.mode !== "form") return undefined
  const [[name, field] = ["", undefined]] = Object.entries(question.requestedSchema.properties)
  return { [name]: field?.type === "boolean" ? true : "yes" }
}

const saysYes = async (): Promise<Elicitation> => {
  const question = await person.question()
  await person.finishes(question, yesTo(question))
  return question
}

describe("on 2026-07-28, with the official client", () => {
  verifies.each("mcp.no-stops-what-has-not-begun")(cases)(
    "%s: Yes in the inbox, then %s in the client's own prompt, and nothing is done",
    async (_what, no, kind) => {
      askPerson = kind.put
      const client = await house.v2("modern", {
        answer: async () => {
          await saysYes()
          return { action: no }
        },
      })
      const called = await client.call("delete_note")
      expect(called).toMatchObject({ kind: "result", isError: true })
      expect([...notes]).toEqual(["shopping"])
      expect(refusals).toEqual([`${kind.key} ${ended[no]}`])
      // The settled question does not change.
      expect(await person.statuses()).toEqual(["completed"])
      expect(client.prompts).toHaveLength(1)
    },
  )

  verifies.each("mcp.no-stops-what-has-not-begun")(kinds.map((kind) => [kind.what, kind] as const))(
    "%s: No in the inbox, then Accept in the client's own prompt, and nothing is done",
    async (_what, kind) => {
      askPerson = kind.put
      const client = await house.v2("modern", {
        answer: async ({ requestedSchema }): Promise<Reply> => {
          const question = await person.question()
          await person.says(question, "decline")
          const content = requestedSchema === undefined ? undefined : yesTo(question)
          return {
            action: "accept",
            ...(content === undefined ? {} : { content: content as Reply["content"] }),
          } as Reply
        },
      })
      expect(await client.call("delete_note")).toMatchObject({ kind: "result", isError: true })
      expect([...notes]).toEqual(["shopping"])
      expect(refusals).toEqual([`${kind.key} declined`])
    },
  )

  verifies("mcp.no-stops-what-has-not-begun", "treats the answer No to a confirmation as a No", async () => {
    askPerson = kinds[0]!.put
    const client = await house.v2("modern", {
      answer: async ({ requestedSchema }) => {
        const question = await saysYes()
        const [name = ""] = Object.keys(Object(requestedSchema?.properties))
        const isBox = question.mode === "form" && question.requestedSchema.properties[name]?.type === "boolean"
        return { action: "accept", content: { [name]: isBox ? false : "no" } }
      },
    })
    await client.call("delete_note")
    expect([...notes]).toEqual(["shopping"])
  })

  verifies(
    "mcp.no-stops-what-has-not-begun",
    "stops a call that has used a Yes, when a No to that question arrives while another one is open",
    async () => {
      askPerson = async (ask) => {
        await ask.confirm("sure", "Delete the note “shopping”?")
        await ask.confirm("really", "Really?")
      }
      const client = await house.modern()
      const one = roundOf(await client.call("delete_note"))
      const first = await saysYes()
      const two = roundOf(await retry(client, "delete_note", {}, one))
      expect(Object.keys(two.requests)).toEqual(["really"])
      await person.says(first, "decline")
      await saysYes()
      expect(await retry(client, "delete_note", {}, two)).toMatchObject({ isError: true })
      expect([...notes]).toEqual(["shopping"])
      expect(refusals).toEqual(["sure declined"])
    },
  )
})

/** Sends to another process the answer of a client that has not noticed the withdrawal of its prompt. */
async function answersLate(client: TestClient, action: "decline" | "cancel"): Promise<void> {
  const asked = client.received.find(({ method }) => method === "elicitation/create")
  await client.send({ jsonrpc: "2.0", id: asked?.id, result: { action } })
}

describe("on 2025-11-25, asked in the middle of the call", () => {
  verifies.each("mcp.no-stops-what-has-not-begun")(cases)(
    "%s: Yes in the inbox, then %s from the client before the effect, and nothing is done",
    async (_what, no, kind) => {
      askPerson = kind.put
      const client = await house.v2("legacy", { answer: () => new Promise(() => {}) })
      beforeEffect = async () => {
        await answersLate(client, no)
        const [question] = await house.hub.list({ tenant: alice.tenant, state: "all", limit: 1 })
        const id = question?.id ?? ""
        await until(async () => (await house.hub.trail({ id, limit: 100 })).some((entry) => entry.kind === "refused"))
      }
      const calling = client.call("delete_note")
      await person.comes()
      await saysYes()
      expect(await calling).toMatchObject({ kind: "result", isError: true })
      expect([...notes]).toEqual(["shopping"])
      expect(refusals).toEqual([`${kind.key} ${ended[no]}`])
      expect(await person.statuses()).toEqual(["completed"])
    },
  )
})

describe("a No after a Yes", () => {
  verifies(
    "mcp.no-is-told-what-was-done",
    "learns that the effect had begun, and later that it was done and when",
    async () => {
      askPerson = kinds[0]!.put
      let saidNo: Awaited<ReturnType<PersonAtPages["says"]>> | undefined
      let question: Elicitation | undefined
      duringEffect = async () => {
        saidNo = await person.says(question!, "decline")
      }
      const client = await house.v2("legacy", { answer: () => new Promise(() => {}) })
      const before = Date.now()
      const calling = client.call("delete_note")
      await person.comes()
      question = await saysYes()
      expect(await calling).toMatchObject({ isError: false, text: "Deleted." })
      const after = Date.now()
      expect(saidNo).toMatchObject({ ok: false, refusal: { code: "already_settled", effect: { state: "begun" } } })
      const again = await person.says(question, "cancel")
      expect(again).toMatchObject({ ok: false, refusal: { effect: { state: "done" } } })
      const at = again.ok ? undefined : again.refusal.effect?.at
      expect(at).toBeGreaterThanOrEqual(before)
      expect(at).toBeLessThanOrEqual(after)
    },
  )

  verifies(
    "mcp.no-is-told-what-was-done",
    "learns that the call is done when it did everything outside of once",
    async () => {
      const client = await house.v2("legacy", {
        answer: async () => {
          await saysYes()
          return { action: "cancel" }
        },
      })
      askPerson = async (ask) => {
        await ask.confirm("sure", "Delete the note “shopping”?")
        return false
      }
      expect(await client.call("delete_note")).toMatchObject({ text: "Kept." })
      const [question] = await house.hub.list({ tenant: alice.tenant, state: "all", limit: 1 })
      expect(await person.says(question!, "decline")).toMatchObject({ refusal: { effect: { state: "done" } } })
    },
  )

  verifies("mcp.no-is-told-what-was-done", "gets an unknown effect from a program that reports nothing", async () => {
    const asked = await person.hub.ask({
      message: "Sure?",
      audience: alice,
      requester: { id: "script" },
      form: form({}),
    })
    await person.finishes(asked, {})
    expect(await person.says(asked, "decline")).toMatchObject({ refusal: { effect: { state: "unknown" } } })
  })

  verifies("mcp.no-is-told-what-was-done", "learns that nothing had begun when it arrives in time", async () => {
    askPerson = kinds[0]!.put
    const client = await house.modern()
    roundOf(await client.call("delete_note"))
    const question = await saysYes()
    expect(await person.says(question, "decline")).toMatchObject({
      ok: false,
      refusal: {
        code: "already_settled",
        effect: { state: "stopped" },
        message: expect.stringContaining("the program had not reported that anything had begun, and it stops"),
      },
    })
  })
})
