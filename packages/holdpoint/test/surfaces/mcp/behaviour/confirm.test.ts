// A confirmation is a choice between two named actions, in every client. A confirmation that an older version asked as
// a checkbox is still read.

import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import { callKind } from "../../../../src/asking/records.ts"
import { checkboxForm, confirmForm } from "../../../../src/core/confirmation.ts"
import type { Ask } from "../../../../src/surfaces/mcp/index.ts"
import { holdable } from "../../../../src/surfaces/mcp/index.ts"
import { alice } from "../../../fixtures.ts"
import { verifies } from "../../../verifies.ts"
import type { ClientKind, Prompt, Reply } from "../clients/client.ts"
import { open } from "../clients/open.ts"
import { text } from "../tools.ts"
import { createWorld, type World } from "../world.ts"
import type { House } from "./house.ts"
import { accept, createHouse, retry, roundOf } from "./house.ts"

let world: World | undefined
let house: House | undefined
afterEach(async () => {
  await world?.close()
  await house?.close()
  world = undefined
  house = undefined
})

let askPerson: (ask: Ask) => Promise<boolean>
const words = { yes: "Delete it", no: "Keep it" }
const named = (ask: Ask): Promise<boolean> => ask.confirm("sure", "Delete the note?", words)
const before = async (ask: Ask): Promise<boolean> =>
  (await ask.form("sure", "Delete the note?", checkboxForm)).confirmed === true

function server(): McpServer {
  const made = new McpServer({ name: "notes", version: "1" })
  made.registerTool(
    "act",
    {},
    holdable(async (ask) => text(String(await askPerson(ask)))),
  )
  return made
}

async function answered(kind: ClientKind, reply: Reply) {
  askPerson = named
  world = await createWorld({ server })
  const client = await open(kind, await world.endpoint(), { answer: () => reply })
  const called = await client.call("act")
  await client.close()
  return { called, prompt: client.prompts[0] as Prompt }
}

const titled = {
  oneOf: [
    { const: "yes", title: "Delete it" },
    { const: "no", title: "Keep it" },
  ],
}
const older = { enum: ["yes", "no"], enumNames: ["Delete it", "Keep it"] }

describe.each<[ClientKind, object]>([
  ["v2 pinned to 2026-07-28", titled],
  ["v1.32", titled],
  ["raw 2025-06-18", older],
])("%s", (kind, options) => {
  verifies("mcp.confirm-is-a-choice", "is asked for one of two named acts, with neither preselected", async () => {
    const { called, prompt } = await answered(kind, { action: "accept", content: { confirmed: "yes" } })
    expect(prompt.requestedSchema).toEqual({
      type: "object",
      properties: { confirmed: { type: "string", title: "Your answer", ...options } },
      required: ["confirmed"],
    })
    expect(called).toMatchObject({ isError: false, text: "true" })
  })

  it.each([
    ["no", "false"],
    [true, "true"],
    [false, "false"],
  ])("may answer %j, which is %s", async (confirmed, is) => {
    const { called } = await answered(kind, { action: "accept", content: { confirmed } })
    expect(called).toMatchObject({ isError: false, text: is })
  })
})

describe("a call that began when a confirmation was a checkbox", () => {
  verifies("mcp.confirm-is-a-choice", "continues with the ticked answer, on 2026-07-28", async () => {
    house = await createHouse({ server })
    askPerson = before
    const client = await house.modern()
    const one = roundOf(await client.call("act", {}))
    askPerson = named
    expect(await retry(client, "act", {}, one, { sure: accept({ confirmed: true }) })).toMatchObject({ text: "true" })
  })

  verifies("mcp.confirm-is-a-choice", "shows its checkbox again after its process ended, on 2025-11-25", async () => {
    const shownForms = await takenOver(before, named, { confirmed: true })
    expect(shownForms).toEqual([checkboxForm, checkboxForm])
  })
})

describe("a confirmation without labels", () => {
  const wordless = (ask: Ask): Promise<boolean> => ask.confirm("sure", "Delete the note?")
  const plain = (ask: Ask): Promise<boolean> => ask.confirm("sure", "Delete the note?", { yes: "Yes", no: "No" })

  verifies("answer.names-the-acts", "gets its labels from the act in its message", async () => {
    askPerson = wordless
    world = await createWorld({ server })
    const client = await open("v1.32", await world.endpoint(), { answer: () => ({ action: "cancel" }) })
    await client.call("act")
    await client.close()
    expect(client.prompts[0]?.requestedSchema).toEqual(confirmForm({ yes: "Delete", no: "Do not delete" }))
  })

  it("keeps the labels Yes and No in a call that an older version began, after its process has ended", async () => {
    const shownForms = await takenOver(plain, wordless, { confirmed: "yes" })
    expect(shownForms).toEqual([confirmForm(), confirmForm()])
  })
})

/** The forms that a client of 2025-11-25 is shown by a call that one version begins and another, elsewhere, ends. */
async function takenOver(
  begun: typeof askPerson,
  ended: typeof askPerson,
  content: Readonly<Record<string, string | boolean>>,
) {
  house = await createHouse({ server, nodes: 2 })
  askPerson = begun
  const replies: (() => Promise<Reply>)[] = [() => new Promise(() => {}), async () => ({ action: "accept", content })]
  const client = await house.raw({ answer: () => replies.shift()!() })
  const lost = client.call("act")
  await expect.poll(() => client.prompts.length).toBe(1)
  // The call as a dead process leaves it.
  const calls = house.storage.records(callKind)
  const [{ lease: _lease, ...left } = expect.fail()] = await calls.list({ tenant: alice.tenant, limit: 1 })
  await calls.replace({ ...left, version: left.version + 1 })
  client.to(1)
  askPerson = ended
  expect(await client.call("act")).toMatchObject({ isError: false, text: "true" })
  expect(await lost).toMatchObject({ text: "true" })
  return client.prompts.map(({ requestedSchema }) => requestedSchema)
}
