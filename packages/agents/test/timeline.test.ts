// The timeline of a conversation, read from the trail: the live items and the items read later are the same.

import { join } from "node:path"
import { createClient } from "@holdpoint/client"
import { createMemoryStorage } from "@holdpoint/hub"
import { openSqlite } from "@holdpoint/hub/sqlite"
import type { TimelineItem } from "@holdpoint/hub/stream"
import { type AgentsServer, answer, publicUrl, question, startAgents } from "@holdpoint/testkit/agents/agents-server"
import { readEvents, type SeenEvent } from "@holdpoint/testkit/agents/read-events"
import { reach, travelAgents } from "@holdpoint/testkit/agents/travel-agents"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it, onTestFinished } from "vitest"
import type { AgentsConfig } from "../src/definition.ts"
import { scriptedModel } from "../src/scripted-model.ts"

type Item = TimelineItem & { readonly messageId: string }

async function timelineOf(server: AgentsServer, id: string): Promise<readonly Item[]> {
  const response = await server.get(`/run/api/conversations/${id}/timeline`)
  expect(response.status).toBe(200)
  return ((await response.json()) as { readonly items: readonly Item[] }).items
}

const kindsOf = (items: readonly Item[]): readonly string[] => items.map(({ kind }) => kind)

/**
 * Waits until the timeline has this many items of a kind. The trail contains them later than the stream of the reply.
 */
const has = (server: AgentsServer, id: string, wanted: Item["kind"], count = 1) =>
  expect.poll(async () => (await timelineOf(server, id)).filter(({ kind }) => kind === wanted).length).toBe(count)

const fails: AgentsConfig = {
  agents: {
    helper: {
      model: scriptedModel(({ step }) =>
        step > 0 ? { text: "Sorry." } : { calls: [{ tool: "break", input: { secret: "hush" } }] },
      ),
      tools: {
        break: {
          description: "Breaks",
          inputSchema: { type: "object", properties: { secret: { type: "string" } } },
          execute: () => {
            throw new Error("broken by hush")
          },
        },
      },
    },
  },
}

describe("the timeline of a conversation", () => {
  verifies("run.timeline", "has every step of a reply that asked, over SQLite, and never the answer", async () => {
    const storage = await openSqlite(join(makeScratchFolder("timeline"), "test.db"))
    onTestFinished(() => storage.close())
    const server = await startAgents(travelAgents, { storage })
    const stream = await server.say("c1", "plan a trip")
    const { elicitationId } = await question(stream)
    await has(server, "c1", "paused")
    await answer(server, "c1", { elicitationId, action: "accept", content: { where: "Reykjavik" } })
    const { messageId } = (await stream.rest())[0] ?? {}
    await has(server, "c1", "run-ended")
    const items = await timelineOf(server, "c1")
    expect(kindsOf(items)).toEqual([
      ...["run-started", "tool-called", "asked", "paused", "answered", "resumed", "tool-finished", "run-ended"],
    ])
    expect(items).toMatchObject([
      { agent: "helper", messageId },
      { tool: "plan_trip" },
      { elicitationId, message: "Where to?", tool: "plan_trip", mode: "form" },
      {},
      { elicitationId, answer: "completed", by: "alice", via: "run api" },
      {},
      { tool: "plan_trip", outcome: "done" },
      { status: "done" },
    ])
    expect(JSON.stringify(items)).not.toContain("Reykjavik")
    expect(JSON.stringify(await storage.trail.read({ limit: 200 }))).not.toMatch(/Reykjavik|"days"/)
    const times = items.map(({ at }) => Date.parse(at))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  verifies("run.timeline", "says how an approval was answered, and that a denied call was not made", async () => {
    const server = await startAgents(travelAgents)
    for (const [index, given] of [
      { action: "accept", content: { confirmed: "yes" } },
      { action: "decline", reason: "because of Zanzibar" },
    ].entries()) {
      const stream = await server.say("c1", "delete it")
      const { elicitationId } = await question(stream)
      await answer(server, "c1", { elicitationId, ...given })
      await stream.rest()
      await has(server, "c1", "run-ended", index + 1)
    }
    const items = await timelineOf(server, "c1")
    expect(items.flatMap((item) => (item.kind === "answered" ? [item.answer] : []))).toEqual(["yes", "declined"])
    expect(items.flatMap((item) => (item.kind === "tool-finished" ? [item.outcome] : []))).toEqual(["done", "denied"])
    expect(new Set(items.map(({ messageId }) => messageId)).size).toBe(2)
    expect(JSON.stringify(items)).not.toContain("Zanzibar")
  })

  it("says that a tool failed, without its arguments and its error", async () => {
    const server = await startAgents(fails)
    await (await server.say("c1", "go")).rest()
    await has(server, "c1", "run-ended")
    const items = await timelineOf(server, "c1")
    expect(items).toMatchObject([
      { kind: "run-started" },
      { kind: "tool-called", tool: "break" },
      { kind: "tool-finished", tool: "break", outcome: "failed" },
      { kind: "run-ended", status: "done" },
    ])
    expect(JSON.stringify(items)).not.toContain("hush")
  })

  verifies("run.timeline", "names the sub-agents that call and ask", async () => {
    const ask: AgentsConfig = {
      default: "chief",
      agents: {
        chief: {
          agents: ["worker"],
          model: scriptedModel(({ step }) =>
            step > 0 ? { text: "Done." } : { calls: [{ tool: "worker", input: { task: "dig" } }] },
          ),
        },
        worker: {
          model: scriptedModel(({ step }) => (step > 0 ? { text: "Dug." } : { calls: [{ tool: "dig", input: {} }] })),
          tools: {
            dig: {
              ...{ description: "Digs", inputSchema: { type: "object", properties: {} } },
              handle: async (_input, ask) => ((await ask.confirm("deep", "Dig deep?")) ? "deep" : "flat"),
            },
          },
        },
      },
    }
    const server = await startAgents(ask)
    const stream = await server.say("c1", "dig")
    const { elicitationId } = await question(stream)
    await has(server, "c1", "paused")
    await answer(server, "c1", { elicitationId, action: "accept", content: { confirmed: "no" } })
    await stream.rest()
    await has(server, "c1", "run-ended")
    const items = await timelineOf(server, "c1")
    expect(items).toMatchObject([
      { kind: "run-started", agent: "chief" },
      { kind: "tool-called", tool: "worker" },
      { kind: "tool-called", tool: "dig", agent: "worker" },
      { kind: "asked", agent: "worker", tool: "dig" },
      { kind: "paused" },
      { kind: "answered", answer: "no" },
      { kind: "resumed" },
      { kind: "tool-finished", tool: "dig", agent: "worker" },
      { kind: "tool-finished", tool: "worker" },
      { kind: "run-ended" },
    ])
    expect(items[1]).not.toHaveProperty("agent")
  })

  it("writes a call down once, however often its run is resumed", async () => {
    const storage = createMemoryStorage()
    const server = await startAgents(travelAgents, { storage })
    const stream = await server.say("c1", "plan a trip")
    const { elicitationId } = await question(stream)
    await answer(server, "c1", { elicitationId, action: "accept", content: { where: "Rome" } })
    await stream.rest()
    await has(server, "c1", "run-ended")
    const calls = (await storage.trail.read({ limit: 200 })).filter(({ kind }) => kind === "call")
    expect(calls.map(({ detail }) => [detail.code, detail.call?.tool])).toEqual([
      ["begun", "plan_trip"],
      ["done", "plan_trip"],
    ])
  })

  it("comes in the stream of events as it happens, from the start of the reply", async () => {
    const server = await startAgents(travelAgents)
    const reply = await server.say("c1", "plan a trip")
    const { elicitationId } = await question(reply)
    const stream = readEvents(await server.get("/run/api/events?conversation=c1"))
    onTestFinished(() => stream.leave())
    const isKind =
      (kind: string) =>
      ({ event, data }: SeenEvent): boolean =>
        event === "timeline" && (data.item as Item).kind === kind
    await stream.until(isKind("asked"))
    await answer(server, "c1", { elicitationId, action: "accept", content: { where: "Rome" } })
    await stream.until(isKind("run-ended"))
    const live = stream.seen.flatMap(({ event, data }) => (event === "timeline" ? [data.item as Item] : []))
    expect(live).toEqual(await timelineOf(server, "c1"))
    await (await server.say("c1", "hello")).rest()
    await stream.until(isKind("run-ended"))
  })

  it("is read with the client", async () => {
    const server = await startAgents(travelAgents)
    const chat = createClient({ url: publicUrl, fetch: reach(server) }).chat("c1")
    for await (const _event of chat.send("hello"));
    await expect.poll(async () => (await chat.timeline()).map(({ kind }) => kind)).toEqual(["run-started", "run-ended"])
  })

  it("is unknown for a conversation that has not begun", async () => {
    const server = await startAgents(travelAgents)
    expect((await server.get("/run/api/conversations/none/timeline")).status).toBe(404)
  })
})
