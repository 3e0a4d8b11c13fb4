// Questions asked together reach the client together, where its revision allows it.

import type { ClientKind, Prompt, Reply, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { isObject } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { askingServer, text } from "@holdpoint/testkit/mcp/server/tools"
import type { Settings, World } from "@holdpoint/testkit/mcp/server/world"
import { createWorld } from "@holdpoint/testkit/mcp/server/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { holdable } from "../../src/server/index.ts"

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

let runs = 0

function server(): McpServer {
  const made = new McpServer({ name: "together", version: "1" })
  made.registerTool(
    "together",
    { inputSchema: z.object({}) },
    holdable(async (_args, ask) => {
      runs++
      const [{ name }, size] = await Promise.all([
        ask.form("name", "Your name?", z.object({ name: z.string() })),
        ask.choice("size", "Which size?", ["small", "large"]),
      ])
      const sure = await ask.confirm("sure", `A ${size} one for ${name}?`)
      return text(`${name} ${size} ${sure}`)
    }),
  )
  made.registerTool(
    "form_and_link",
    { inputSchema: z.object({}) },
    holdable(async (_args, ask) => {
      const [{ name }] = await Promise.all([
        ask.form("name", "Your name?", z.object({ name: z.string() })),
        ask.url("pay", "Pay.", "https://pay.example/1"),
      ])
      return text(`${name} paid.`)
    }),
  )
  made.registerTool(
    "two_links",
    { inputSchema: z.object({}) },
    holdable(async (_args, ask) => {
      await Promise.all([
        ask.url("pay", "Pay.", "https://pay.example/1"),
        ask.url("sign", "Sign.", "https://sign.example/2"),
      ])
      return text("Both.")
    }),
  )
  return made
}

const replies: Readonly<Record<string, Reply>> = {
  "Your name?": { action: "accept", content: { name: "Ada" } },
  "Which size?": { action: "accept", content: { choice: "large" } },
  "A large one for Ada?": { action: "accept", content: { confirmed: true } },
}

async function start(
  kind: ClientKind,
  answer: (prompt: Prompt) => Reply | Promise<Reply>,
  settings: Settings = {},
): Promise<{ readonly world: World; readonly client: TestClient }> {
  const world = await createWorld({ server, ...settings })
  cleanUps.push(() => world.close())
  const client = await open(kind, await world.endpoint(), { answer })
  cleanUps.push(() => client.close())
  return { world, client }
}

const byMessage = ({ message }: Prompt): Reply => replies[message] ?? { action: "cancel" }

describe("questions asked together", () => {
  verifies("mcp.asked-together", "are one round on 2026-07-28, and the next question is another", async () => {
    runs = 0
    const { client } = await start("v2 pinned to 2026-07-28", byMessage)
    expect(await client.call("together")).toMatchObject({ text: "Ada large true" })
    const rounds = client.received
      .map(({ result }) => (isObject(result) ? result.inputRequests : undefined))
      .filter(isObject)
      .map((requests) => Object.keys(requests).sort())
    expect(rounds).toEqual([["name", "size"], ["sure"]])
    expect(runs).toBe(3)
  })

  verifies(
    "mcp.asked-together",
    "are shown at the same time, in one run of the handler, where each question is a request",
    async () => {
      runs = 0
      const both = Promise.withResolvers<void>()
      let promptCount = 0
      const { client } = await start("v2 legacy", async (prompt) => {
        promptCount++
        if (promptCount === 2) both.resolve()
        await both.promise
        return byMessage(prompt)
      })
      expect(await client.call("together")).toMatchObject({ text: "Ada large true" })
      expect(client.prompts.map(({ message }) => message)).toHaveLength(3)
      expect(runs).toBe(1)
    },
  )

  verifies(
    ["mcp.asked-together", "mcp.all-links-in-the-error"],
    "are one error with all of the links where links are errors",
    async () => {
      const { client, world } = await start("v2 legacy", byMessage, { urlWay: "error" })
      const called = await client.call("two_links")
      expect(called).toMatchObject({ kind: "error", code: -32042 })
      const elicitations = called.kind === "error" && isObject(called.data) ? called.data.elicitations : undefined
      expect(elicitations).toMatchObject([
        { mode: "url", message: "Pay." },
        { mode: "url", message: "Sign." },
      ])
      const asked = await world.person.hub.list({ tenant: "acme", state: "open", limit: 10 })
      for (const question of asked) await world.person.finishes(question)
      expect(await client.call("two_links")).toMatchObject({ text: "Both." })
    },
  )

  verifies("mcp.asked-together", "are one text with all of the links for a client that cannot be asked", async () => {
    const { client, world } = await start("no capability", byMessage)
    const called = await client.call("two_links")
    const asked = await world.person.hub.list({ tenant: "acme", state: "open", limit: 10 })
    expect(asked).toHaveLength(2)
    for (const question of asked)
      expect(called).toMatchObject({ isError: true, text: expect.stringContaining(question.id) })
    for (const question of asked) await world.person.finishes(question)
    expect(await client.call("two_links")).toMatchObject({ text: "Both." })
  })

  verifies("mcp.answered-stays-answered", "are asked again only where the answer did not fit", async () => {
    const { client } = await start("v2 pinned to 2026-07-28", (prompt) =>
      prompt.message === "Which size?" &&
      client.prompts.filter(({ message }) => message.startsWith("Which")).length === 1
        ? { action: "accept", content: { choice: "enormous" } }
        : (replies[prompt.message.split("\n")[0] ?? ""] ?? { action: "cancel" }),
    )
    expect(await client.call("together")).toMatchObject({ text: "Ada large true" })
    expect(client.prompts.filter(({ message }) => message === "Your name?")).toHaveLength(1)
    const again = client.prompts.filter(({ message }) => message.startsWith("Which size?"))
    expect(again).toHaveLength(2)
    expect(again[1]?.message).toMatch(/choice/)
  })

  it("each use their own channel: a client that gets links as texts gets no link in a round", async () => {
    const { world } = await start("v2 legacy", byMessage, { formLink: "text" })
    const answer = byMessage
    const client = await open("v2 pinned to 2026-07-28", await world.endpoint(), {
      capabilities: { elicitation: {} },
      answer,
    })
    cleanUps.push(() => client.close())
    const called = await client.call("form_and_link")
    expect(client.prompts.map(({ message }) => message)).toEqual(["Your name?"])
    const question = await world.person.question()
    expect(called).toMatchObject({ isError: true, text: expect.stringContaining(question.id) })
    await world.person.finishes(question)
    expect(await client.call("form_and_link")).toMatchObject({ text: "Ada paid." })
    expect(client.prompts).toHaveLength(1)
  })

  it("have separate ids, even when two calls wait for the same account", async () => {
    const { client, world } = await start("v2 legacy", () => ({ action: "accept" }), { server: askingServer })
    const calls = ["one", "two"].map((cell) => client.call("ask_connection", { cell }))
    await world.person.comes()
    const question = await world.person.question()
    await world.person.reaches(question.id, "accepted")
    await world.person.finishes(question)
    for (const called of await Promise.all(calls)) expect(called).toMatchObject({ isError: false })
    const ids = client.received.filter(({ method }) => method === "elicitation/create").map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(await world.person.statuses()).toEqual(["completed"])
  })
})
