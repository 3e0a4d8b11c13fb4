// Calls that are given up, and clients that cannot be asked: what happens to the question, and what the next call
// finds.

import type { ClientKind, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { isObject } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { openRaw, openRawModern, rawDraft } from "@holdpoint/testkit/mcp/server/clients/raw"
import type { Settings, World } from "@holdpoint/testkit/mcp/server/world"
import { createWorld } from "@holdpoint/testkit/mcp/server/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, describe, expect, it } from "vitest"

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const later = <T extends { close(): Promise<void> }>(one: T): T => {
  cleanUps.push(() => one.close())
  return one
}

const makeWorld = async (settings: Settings = {}): Promise<World> => later(await createWorld(settings))
const args = { cell: "giving up" }
const never = <T>(): Promise<T> => new Promise<T>(() => {})

/** A client whose person does not answer, and a call of it that is given up once the question is shown. */
async function giveUp(world: World, kind: ClientKind, tool: string): Promise<{ client: TestClient; id: string }> {
  const promptShown = Promise.withResolvers<void>()
  const client = later(
    await open(kind, await world.endpoint(), {
      answer() {
        promptShown.resolve()
        return never()
      },
    }),
  )
  const stop = new AbortController()
  const called = client.call(tool, args, { signal: stop.signal })
  await promptShown.promise
  const { id } = await world.person.question()
  stop.abort()
  expect(await called).toMatchObject({ kind: "error" })
  return { client, id }
}

describe.each(["v2 legacy", "v1.32", "raw 2025-06-18"] as const)("a call that %s gives up", (kind) => {
  verifies("mcp.giving-up", "cancels its form, and the prompt is withdrawn", async () => {
    const world = await makeWorld()
    const { id } = await giveUp(world, kind, "ask_form")
    await world.person.reaches(id, "cancelled")
    expect(await world.person.statuses()).toEqual(["cancelled"])
  })

  verifies("mcp.giving-up", "leaves a consent open, which the next call finds completed without asking", async () => {
    const world = await makeWorld()
    const { client, id } = await giveUp(world, kind, "ask_connection")
    const question = await world.person.question()
    expect(question.id).toBe(id)
    await world.person.finishes(question)
    expect(await client.call("ask_connection", args)).toMatchObject({ text: "Connected as alice@drive.example." })
    expect(client.prompts).toHaveLength(1)
  })
})

describe("a held leg of 2026-07-28 that is given up", () => {
  verifies("mcp.giving-up", "leaves the consent open, and its state can be sent again", async () => {
    const world = await makeWorld()
    const client = later(openRawModern(await world.endpoint()))
    const first = await client.call("ask_connection", args)
    if (first.kind === "error" || !isObject(first.result.inputRequests)) throw new Error("not asked")
    const { requestState } = first.result
    const [key = ""] = Object.keys(first.result.inputRequests)
    const inputResponses = { [key]: { action: "accept" } }
    const retry = { name: "ask_connection", arguments: args, requestState, inputResponses }
    const stopped = later(openRawModern(await world.endpoint()))
    const lost = stopped.request("tools/call", retry).catch(() => "lost")
    const question = await world.person.question()
    await world.person.reaches(question.id, "accepted")
    await stopped.close()
    await world.person.finishes(question)
    expect(await client.request("tools/call", retry)).toMatchObject({ text: "Connected as alice@drive.example." })
    void lost
  })
})

describe("a client of 2026-07-28 whose rounds are used up before the person is done", () => {
  verifies.each("mcp.rounds")(["ask_url", "ask_connection"])(
    "learns how to continue, and the next call of %s continues",
    async (tool) => {
      const world = await makeWorld({ rounds: 1, holdMs: 10 })
      const client = later(openRawModern(await world.endpoint()))
      const first = await client.call(tool, args)
      if (first.kind === "error" || !isObject(first.result.inputRequests)) throw new Error("not asked")
      const { requestState } = first.result
      const [key = ""] = Object.keys(first.result.inputRequests)
      const inputResponses = { [key]: { action: "accept" } }
      const last = await client.request("tools/call", { name: tool, arguments: args, requestState, inputResponses })
      const question = await world.person.question()
      expect(last).toMatchObject({ isError: true, text: expect.stringContaining(question.id) })
      await world.person.finishes(question)
      expect(await client.call(tool, args)).toMatchObject({ isError: false, result: { resultType: "complete" } })
      expect(await world.person.statuses()).toEqual(["completed"])
    },
  )
})

describe("a client that cannot be asked", () => {
  verifies(
    ["mcp.wires-apart", "mcp.words-for-the-rest"],
    "of 2026-07-28 gets a text with the link, and nothing of other revisions",
    async () => {
      const world = await makeWorld()
      const client = later(openRawModern(await world.endpoint(), {}))
      const called = await client.call("ask_url", args)
      const { id } = await world.person.question()
      expect(called).toMatchObject({ kind: "result", isError: true, text: expect.stringContaining(`/visit/${id}`) })
      await world.person.finishes(await world.person.question())
      expect(await client.call("ask_url", args)).toMatchObject({ text: "Paid." })
    },
  )

  it("is one that does not send the session id back, unless the author says otherwise", async () => {
    const mute = { answer: () => ({ action: "cancel" as const }) }
    const forgetful = async (settings: Settings) => {
      const world = await makeWorld({ legacy: "stateless", ...settings })
      const endpoint = await world.endpoint(undefined, { forgetsSession: true })
      return later(await openRaw(rawDraft, endpoint, mute)).call("ask_url", args)
    }
    expect(await forgetful({})).toMatchObject({ kind: "result", isError: true })
    expect(await forgetful({ assume: { url: true } })).toMatchObject({ kind: "error", code: -32042 })
  })

  verifies(
    ["mcp.refusal-in-words", "mcp.words-for-the-rest"],
    "learns in plain language that calling again immediately is useless, and where to answer",
    async () => {
      const world = await makeWorld()
      const client = later(await open("no capability", await world.endpoint(), { answer: never }))
      expect(await client.call("ask_form", args)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/user(?:.|\n)*https:\/\/hub\.example\/inbox\/(?:.|\n)*useless/),
      })
    },
  )

  verifies(
    "mcp.access-tools",
    "has tools to request access and to check its status, which other clients do not see",
    async () => {
      const world = await makeWorld({ accessTools: true })
      const tools = async (kind: ClientKind) =>
        later(await open(kind, await world.endpoint(), { answer: never })).listTools()
      expect(await tools("no capability")).toEqual(expect.arrayContaining(["request_access", "access_status"]))
      for (const kind of ["v2 pinned to 2026-07-28", "v2 legacy", "v1.32", "raw 2025-06-18"] as const)
        expect(await tools(kind)).toEqual(["ask_form", "ask_url", "ask_connection"])
    },
  )
})
