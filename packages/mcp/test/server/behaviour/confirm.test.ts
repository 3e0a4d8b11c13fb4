// A confirmation is a choice between two named actions, in every client. `true` and `false` are read as yes and no.

import { confirmForm } from "@holdpoint/hub/forms"
import type { ClientKind, Prompt, Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { createWorld, type World } from "@holdpoint/testkit/mcp/server/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import type { Ask } from "../../../src/server/index.ts"
import { holdable } from "../../../src/server/index.ts"

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

let askPerson: (ask: Ask) => Promise<boolean>
const words = { yes: "Delete it", no: "Keep it" }
const named = (ask: Ask): Promise<boolean> => ask.confirm("sure", "Delete the note?", words)

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
const untitled = { enum: ["yes", "no"], enumNames: ["Delete it", "Keep it"] }

describe.each<[ClientKind, object]>([
  ["v2 pinned to 2026-07-28", titled],
  ["v1.32", titled],
  ["raw 2025-06-18", untitled],
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

describe("a confirmation without labels", () => {
  const wordless = (ask: Ask): Promise<boolean> => ask.confirm("sure", "Delete the note?")

  verifies("answer.names-the-acts", "gets its labels from the act in its message", async () => {
    askPerson = wordless
    world = await createWorld({ server })
    const client = await open("v1.32", await world.endpoint(), { answer: () => ({ action: "cancel" }) })
    await client.call("act")
    await client.close()
    expect(client.prompts[0]?.requestedSchema).toEqual(confirmForm({ yes: "Delete", no: "Do not delete" }))
  })
})
