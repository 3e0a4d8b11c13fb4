// Streams of tasks: their first events and their end, and streams that are resumed from the records, even at another
// server. While a person visits a link, the stream stays open, and the task continues without another message.

import type { StreamResponse } from "@a2a-js/sdk"
import { mcpServer } from "@holdpoint/accounts/providers"
import type { AgentsConfig } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"
import { createMemoryStorage } from "@holdpoint/hub"
import {
  answering,
  connectA2a,
  onlyQuestion,
  replyOf,
  saidOf,
  stateName,
  words,
} from "@holdpoint/testkit/a2a/agents/a2a-client"
import { askingAgents } from "@holdpoint/testkit/a2a/agents/asking-agents"
import { startGuardedMcp } from "@holdpoint/testkit/accounts/vault/providers/guarded-mcp"
import { newKeys, publicUrl, startAgents } from "@holdpoint/testkit/agents/agents-server"
import { connectOnPages } from "@holdpoint/testkit/agents/connecting"
import { describe, expect, it, onTestFinished } from "vitest"

type Stream = AsyncGenerator<StreamResponse, void, undefined>

/** One event in short: its kind, and its state or text. */
function brief({ payload }: StreamResponse): string {
  switch (payload?.$case) {
    case "task":
      return `task ${stateName(payload.value)}${replyOf(payload.value) === "" ? "" : ` “${replyOf(payload.value)}”`}`
    case "statusUpdate":
      return stateName(payload.value)
    case "artifactUpdate": {
      const { append, lastChunk, artifact } = payload.value
      return `${append ? "+" : "="}${lastChunk ? "!" : ""}“${words(artifact?.parts)}”`
    }
    default:
      return "message"
  }
}

async function rest(stream: Stream): Promise<readonly string[]> {
  const events: string[] = []
  for await (const event of stream) events.push(brief(event))
  return events
}

async function next(stream: Stream): Promise<StreamResponse> {
  const { done, value } = await stream.next()
  if (done === true) throw new Error("the stream has ended")
  return value
}

/** The task of the first event. */
async function first(stream: Stream) {
  const { payload } = await next(stream)
  if (payload?.$case !== "task") throw new Error(`first came ${payload?.$case}`)
  return payload.value
}

/** Reads until the status changes. */
async function status(stream: Stream) {
  for (;;) {
    const { payload } = await next(stream)
    if (payload?.$case === "statusUpdate") return payload.value
  }
}

describe("the stream of a task", () => {
  it("begins with the task, appends the reply, and ends with its state", async () => {
    const { stream } = await connectA2a(await startAgents(askingAgents()))
    const events = await rest(stream("hello there you"))
    expect(events[0]).toBe("task WORKING")
    expect(events.at(-1)).toBe("COMPLETED")
    expect(events.at(-2)).toMatch(/^[+=]!/)
    const texts = events.filter((event) => /^[+=]/.test(event))
    expect(texts.map((event) => event.replace(/^[+=]!?“|”$/g, "")).join("")).toBe("You said: hello there you")
    expect(texts.filter((event) => event.startsWith("="))).toHaveLength(1)
  })

  it("ends when input is needed, and continues in the stream of the answer", async () => {
    const { stream } = await connectA2a(await startAgents(askingAgents()))
    const asking = stream("city")
    const task = await first(asking)
    const update = await status(asking)
    expect(stateName(update)).toBe("INPUT_REQUIRED")
    expect((await asking.next()).done).toBe(true)
    const { elicitationId } = onlyQuestion(update)
    const answer = answering(task, elicitationId, { action: "accept", content: { choice: "rome" } })
    const events = await rest(stream(answer))
    expect(events[0]).toBe("task WORKING “One moment. ”")
    expect(events.slice(1)).toEqual(["+!“\n\nI heard: rome.”", "COMPLETED"])
  })

  it("begins with what is wrong with an answer, and ends", async () => {
    const { send, stream } = await connectA2a(await startAgents(askingAgents()))
    const task = await send("city")
    const events = stream({ text: "elsewhere", taskId: task.id })
    expect(saidOf(await first(events))).toContain("not one of the options")
    expect(await rest(events)).toEqual([])
  })

  it("can be resumed by another client while the task waits, and is refused when the task has ended", async () => {
    const server = await startAgents(askingAgents())
    const { client, send } = await connectA2a(server)
    const task = await send("city")
    const again = (await connectA2a(server)).client.resubscribeTask({ tenant: "", id: task.id })
    expect(brief(await next(again))).toBe("task INPUT_REQUIRED “One moment. ”")
    const [events] = await Promise.all([rest(again), send({ text: "oslo", taskId: task.id })])
    expect(events).toEqual(["+!“\n\nI heard: oslo.”", "COMPLETED"])
    await expect(rest(client.resubscribeTask({ tenant: "", id: task.id }))).rejects.toThrow("has ended")
  })

  it("can be resumed at another server on the same storage", async () => {
    const shared = { storage: createMemoryStorage(), keys: newKeys() }
    const [one, other] = [await startAgents(askingAgents(), shared), await startAgents(askingAgents(), shared)]
    const task = await (await connectA2a(one)).send("city")
    const events = (await connectA2a(other)).client.resubscribeTask({ tenant: "", id: task.id })
    await next(events)
    await (await connectA2a(one)).send({ text: "oslo", taskId: task.id })
    expect((await rest(events)).at(-1)).toBe("COMPLETED")
  })

  it("stays open while a person visits a link, and then has the rest of the reply", async () => {
    const server = await startAgents(askingAgents())
    const { send, stream, get } = await connectA2a(server)
    const events = stream("pay")
    const task = await first(events)
    const update = await status(events)
    const question = onlyQuestion(update)
    expect(stateName(update)).toBe("AUTH_REQUIRED")
    expect(question.mode).toBe("url")
    expect(saidOf(update)).toContain(`Open ${question.url} to continue`)
    const still = await send({ text: "done", taskId: task.id })
    expect(saidOf(still)).toContain("Send the person to its link")
    const agreed = await send(answering(task, question.elicitationId, { action: "accept" }))
    expect(stateName(agreed)).toBe("AUTH_REQUIRED")
    await server.hub.complete(question.elicitationId)
    expect(await rest(events)).toEqual(["+!“\n\nI heard: paid.”", "COMPLETED"])
    expect(stateName(await get(task.id))).toBe("COMPLETED")
  })
})

it("a consent that the person has begun survives the end of its task", async () => {
  const server = await startAgents(askingAgents())
  const { send, cancel } = await connectA2a(server)
  const task = await send("pay")
  const { elicitationId } = onlyQuestion(task)
  await send(answering(task, elicitationId, { action: "accept" }))
  expect(stateName(await cancel(task.id))).toBe("CANCELED")
  expect((await server.hub.get(elicitationId))?.status).toBe("accepted")
  expect(await server.hub.complete(elicitationId)).toMatchObject({ ok: true })
})

describe("an account that a task needs", () => {
  const redirectUri = `${publicUrl}/oauth/callback/notes`

  it("is connected by its owner at the link, and the task continues without a message", async () => {
    const foreign = await startGuardedMcp({
      clients: [
        {
          ...{ client_id: "agents", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
          grant_types: ["authorization_code", "refresh_token"],
        },
      ],
    })
    onTestFinished(() => foreign.close())
    const provider = mcpServer({ id: "notes", url: foreign.url, client: { id: "agents" } })
    const model = scriptedModel(({ results, tools }) =>
      results.some(({ tool }) => tool === "list_notes")
        ? { text: results.map(({ output }) => JSON.stringify(output)).join(" | ") }
        : { calls: [{ tool: tools.includes("list_notes") ? "list_notes" : "connect_notes", input: {} }] },
    )
    const notes = { url: foreign.url, credentialScope: "user", provider: "notes" } as const
    const config: AgentsConfig = {
      agents: { helper: { model, mcpServers: ["notes"], policies: { "*": "always" } } },
      mcpServers: { notes },
    }
    const server = await startAgents(config, { providers: [provider], network: { allowLoopback: true } })
    const { send, stream } = await connectA2a(server)
    const task = await send("list my notes")
    expect(stateName(task)).toBe("AUTH_REQUIRED")
    const { elicitationId, url } = onlyQuestion(task)
    expect(url).toBe(`${publicUrl}/connect/${elicitationId}`)
    const events = stream({ text: "where?", taskId: task.id })
    expect(stateName(await first(events))).toBe("AUTH_REQUIRED")
    await connectOnPages(server, elicitationId, redirectUri)
    const lines = await rest(events)
    expect(lines.at(-1)).toBe("COMPLETED")
    expect(lines.join("")).toContain("Notes of alice")
  })
})
