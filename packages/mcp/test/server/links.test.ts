// Links for clients that support only forms, and for clients of the drafts, which track links.

import { alice, bob } from "@holdpoint/testkit/fixtures"
import type { Answering, Called, Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { isObject } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import type { RawClient } from "@holdpoint/testkit/mcp/server/clients/raw"
import { openRaw, openRawModern, raw20250618, rawDraft } from "@holdpoint/testkit/mcp/server/clients/raw"
import { openV2 } from "@holdpoint/testkit/mcp/server/clients/v2"
import type { Settings, World } from "@holdpoint/testkit/mcp/server/world"
import { createWorld } from "@holdpoint/testkit/mcp/server/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, describe, expect, vi } from "vitest"

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const later = <T extends { close(): Promise<void> }>(one: T): T => {
  cleanUps.push(() => one.close())
  return one
}

const makeWorld = async (settings: Settings = {}): Promise<World> => later(await createWorld(settings))
const args = { cell: "links" }
const ticked: Reply = { action: "accept", content: { acknowledged: true } }
const formOnly = { elicitation: {} }

describe("a link for a client that shows forms only", () => {
  verifies.each(["mcp.link-in-a-form", "mcp.oldest-forms"])([
    ["2025-06-18", "raw 2025-06-18"],
    ["2025-11-25", "v2 legacy"],
    ["2026-07-28", "v2 pinned to 2026-07-28"],
  ] as const)("is a form with the address in its message and one checkbox, on %s", async (revision, kind) => {
    const world = await makeWorld()
    const client = later(
      await open(kind, await world.endpoint(), {
        capabilities: formOnly,
        async answer() {
          const question = await world.person.question()
          void world.person.reaches(question.id, "accepted").then(() => world.person.finishes(question))
          return ticked
        },
      }),
    )
    expect(await client.call("ask_url", args)).toMatchObject({ text: "Paid." })
    const [prompt, second] = client.prompts
    expect(second).toBeUndefined()
    expect(prompt?.mode).toBe(revision === "2025-06-18" ? undefined : "form")
    expect(prompt?.url).toBeUndefined()
    expect(prompt?.elicitationId).toBeUndefined()
    expect(prompt?.message).toMatch(
      /^Please pay for your order\.(?:.|\n)*hub\.example(?:.|\n)*https:\/\/hub\.example\/visit\/[\w-]+$/,
    )
    const properties = prompt?.requestedSchema?.properties
    expect(properties).toMatchObject({ acknowledged: { type: "boolean" } })
    expect(Object.keys(properties as object)).toHaveLength(1)
  })

  verifies("mcp.link-in-a-form", "is not trusted before the server has seen that it is completed", async () => {
    const world = await makeWorld()
    let isOver = false
    const client = later(await openRaw(raw20250618, await world.endpoint(), { answer: () => ticked }))
    const called = client.call("ask_connection", args).finally(() => (isOver = true))
    await world.person.comes()
    const question = await world.person.question()
    await world.person.reaches(question.id, "accepted")
    await client.listTools()
    expect(isOver).toBe(false)
    expect(await world.person.statuses()).toEqual(["accepted"])
    await world.person.finishes(question)
    expect(await called).toMatchObject({ text: "Connected as alice@drive.example." })
  })

  verifies("mcp.one-prompt", "is shown once, and the retries are held without it, on 2026-07-28", async () => {
    const world = await makeWorld({ holdMs: 10 })
    const endpoint = await world.endpoint()
    if (endpoint.transport !== "http") throw new Error("not over HTTP")
    const client = later(
      await openV2({ pin: "2026-07-28" }, endpoint, {
        capabilities: formOnly,
        answer: () => ticked,
      }),
    )
    const called = client.call("ask_url", args)
    await world.person.comes()
    const question = await world.person.question()
    await world.person.reaches(question.id, "accepted")
    const isStateOnly = ({ result }: { readonly result?: unknown }): boolean =>
      isObject(result) && result.resultType === "input_required" && result.inputRequests === undefined
    await vi.waitFor(() => expect(client.received.some(isStateOnly)).toBe(true), { timeout: 15_000, interval: 2 })
    await world.person.finishes(question)
    expect(await called).toMatchObject({ text: "Paid." })
    expect(client.prompts).toHaveLength(1)
  })

  verifies("mcp.link-in-a-form", "counts as declined when the box is left empty", async () => {
    const world = await makeWorld()
    const answer: Answering = () => ({ action: "accept", content: { acknowledged: false } })
    const client = later(await openRaw(raw20250618, await world.endpoint(), { answer }))
    expect(await client.call("ask_url", args)).toMatchObject({ isError: true, text: expect.stringMatching(/said no/) })
    expect(await world.person.statuses()).toEqual(["declined"])
  })

  verifies("mcp.link-in-a-form", "is a text where the author chose text", async () => {
    const world = await makeWorld({ formLink: "text" })
    const client = later(await openRaw(raw20250618, await world.endpoint(), { answer: () => ticked }))
    const called = await client.call("ask_url", args)
    const question = await world.person.question()
    expect(called).toMatchObject({
      isError: true,
      text: expect.stringContaining(`https://hub.example/visit/${question.id}`),
    })
    expect(client.prompts).toEqual([])
  })
})

describe("elicitation/track", () => {
  const drafts: Settings = { drafts: true, urlWay: "error" }
  const mute = { answer: () => ({ action: "cancel" as const }) }

  interface Draft {
    readonly world: World
    readonly client: RawClient
    readonly id: string
    readonly code: number | string | undefined
  }

  async function startDraft(settings: Settings = drafts): Promise<Draft> {
    const world = await makeWorld(settings)
    const client = later(await openRaw(rawDraft, await world.endpoint(), mute))
    const called = await client.call("ask_url", args)
    return { world, client, id: idIn(called), code: called.kind === "error" ? called.code : undefined }
  }

  const idIn = (called: Called): string => {
    const data = called.kind === "error" && isObject(called.data) ? called.data : {}
    const [first] = Array.isArray(data.elicitations) ? data.elicitations : []
    return isObject(first) ? String(first.elicitationId) : ""
  }

  verifies(
    "mcp.draft-code",
    "works with and without the drafts, whose error code is used only when they are switched on",
    async () => {
      expect((await startDraft()).code).toBe(-32000)
      const { client, world, id, code } = await startDraft({ urlWay: "error" })
      expect(code).toBe(-32042)
      await world.person.finishes(await world.person.question())
      expect(await client.track(id)).toMatchObject({ result: { status: "complete" } })
    },
  )

  verifies("mcp.track", "is answered when the person is done, and reports progress until then", async () => {
    const { world, client, id } = await startDraft()
    const heard: string[] = []
    const tracked = client.track(id, { onprogress: ({ message = "" }) => heard.push(message) })
    const question = await world.person.question()
    expect(question.id).toBe(id)
    // The client listens before anything happens, so that no message is missed.
    await client.listTools()
    await world.person.hub.open(id)
    await world.person.finishes(question)
    expect(await tracked).toMatchObject({ kind: "result", result: { status: "complete" } })
    expect(heard).toEqual(expect.arrayContaining(["The page was opened.", "Signed in."]))
    expect(await client.call("ask_url", args)).toMatchObject({ text: "Paid." })
    expect(await client.track(id)).toMatchObject({ kind: "result", result: { status: "complete" } })
  })

  verifies.each("mcp.track")(["decline", "cancel"] as const)("fails with an error after %s", async (action) => {
    const { world, client, id } = await startDraft()
    const tracked = client.track(id)
    await world.person.says(await world.person.question(), action)
    expect(await tracked).toMatchObject({ kind: "result", result: { status: "failed", error: expect.anything() } })
  })

  verifies("mcp.track", "fails with an error when the question failed", async () => {
    const { world, client, id } = await startDraft()
    const tracked = client.track(id)
    await world.person.hub.answer(id, { by: alice, action: "accept" })
    await world.person.hub.fail(id, { code: "card_refused", message: "The card was refused" })
    expect(await tracked).toMatchObject({ kind: "result", result: { status: "failed", error: expect.anything() } })
  })

  verifies("mcp.track", "is an error when the time is over", async () => {
    const { world, client, id } = await startDraft()
    const tracked = client.track(id)
    await world.person.letsExpire(await world.person.question())
    expect(await tracked).toMatchObject({
      kind: "error",
      message: expect.stringContaining("Elicitation timed out - user did not complete authorization"),
    })
  })

  verifies("mcp.track", "waits no longer than it is told to, in seconds, and leaves the question open", async () => {
    const { world, client, id } = await startDraft()
    const over = { kind: "error", message: expect.stringContaining("Elicitation timed out - user did not complete") }
    expect(await client.request("elicitation/track", { elicitationId: id, timeout: 0.05 })).toMatchObject(over)
    expect((await world.person.question()).id).toBe(id)
    const wrong = await client.request("elicitation/track", { elicitationId: id, timeout: "soon" })
    expect(wrong).toMatchObject({ kind: "error", code: -32602 })
  })

  verifies("mcp.track-own-only", "refuses an unknown id and the id of another person in the same way", async () => {
    const { world, client, id } = await startDraft()
    expect(await client.track("7b9c1f1e-6f0b-4a6e-9b1f-0f6f3f3f3f3f")).toMatchObject({ kind: "error", code: -32602 })
    expect(await client.request("elicitation/track", {})).toMatchObject({ kind: "error", code: -32602 })
    const stranger = later(await openRaw(rawDraft, await world.endpoint(bob), mute))
    const foreign = await stranger.track(id)
    expect(foreign).toMatchObject({ kind: "error", code: -32602 })
    // A stranger gets the same error as for an unknown id.
    const unknown = await stranger.track("7b9c1f1e-6f0b-4a6e-9b1f-0f6f3f3f3f3f")
    expect(foreign).toEqual(unknown)
  })

  verifies("mcp.wires-apart", "exists on 2025-06-18 too, and does not exist on 2026-07-28", async () => {
    const { world, id } = await startDraft()
    const older = later(await openRaw(raw20250618, await world.endpoint(), mute))
    expect(await older.track("7b9c1f1e-6f0b-4a6e-9b1f-0f6f3f3f3f3f")).toMatchObject({ kind: "error", code: -32602 })
    const modern = later(openRawModern(await world.endpoint()))
    expect(await modern.track(id)).toMatchObject({ kind: "error", code: -32601 })
  })
})
