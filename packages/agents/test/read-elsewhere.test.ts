// Replies read at one process while another one writes them: whatever the writer does between two reads of the reader,
// the reader gets all of the reply and its true end.

import { createMemoryStorage, type Entry, type Storage, systemRuntime } from "@holdpoint/hub"
import {
  type AgentsServer,
  newKeys,
  readStream,
  showsQuestions,
  startAgents,
  textOf,
} from "@holdpoint/testkit/agents/agents-server"
import { isChunk, readEvents, wordsOf } from "@holdpoint/testkit/agents/read-events"
import { describe, expect, it } from "vitest"
import type { AgentsConfig } from "../src/definition.ts"
import { scriptedModel } from "../src/scripted-model.ts"
import { type HeldRead, holdReads } from "./held-storage.ts"

const alice = { tenant: "local", issuer: "local", subject: "alice" }

const asks = "May I pay?"
const says = "All is done."

/** An agent that speaks, or asks before it pays, as soon as the test allows it. */
function gatedAgents(): { readonly config: AgentsConfig; readonly open: () => void } {
  const gate = Promise.withResolvers<void>()
  const model = scriptedModel(async ({ message, step }) => {
    await gate.promise
    return message === "pay" && step === 0 ? { text: asks, calls: [{ tool: "pay", input: {} }] } : { text: says }
  })
  const pay = { description: "Pays", inputSchema: { type: "object", properties: {} }, execute: () => "paid" }
  return { config: { agents: { helper: { model, tools: { pay }, policies: { pay: "ask" } } } }, open: gate.resolve }
}

/** What a client has read: the text, and how the response said that it ended. */
interface Heard {
  readonly text: string
  readonly end: unknown
}

interface Reading {
  readonly here: AgentsServer
  readonly there: AgentsServer
  /** Called once the client is connected: from then on, the reads of `here` are counted, and one of them is held. */
  readonly arm: () => void
}

type Read = (reading: Reading) => Promise<Heard>

const json = async (response: Response) => (await response.json()) as Record<string, never>

const readChat: Read = async ({ here, arm }) => {
  arm()
  const reader = readStream(await here.get("/run/api/conversations/c1/stream"))
  const chunks = await reader.rest()
  return { text: textOf(chunks), end: (chunks.at(-1) as { readonly finishReason?: string } | undefined)?.finishReason }
}

const readEventStream: Read = async ({ here, arm }) => {
  const stream = readEvents(await here.get("/run/api/events?conversation=c1"))
  await stream.until(({ event }) => event === "inbox")
  arm()
  const { data } = await stream.until(isChunk("finish"))
  const text = wordsOf(stream.seen, "c1")
  await stream.leave()
  return { text, end: (data.chunk as { readonly finishReason: string }).finishReason }
}

const readWhole: Read = async ({ here, arm }) => {
  arm()
  const { message, finishReason: end } = await json(
    await here.post("/run/api/chat", { id: "c1", continue: "1.0", stream: false }),
  )
  const parts = ((message as { readonly parts?: unknown } | undefined)?.parts ?? []) as readonly { text?: string }[]
  return { text: parts.map(({ text = "" }) => text).join(""), end }
}

const completion = { model: "helper", holdpoint: { conversationId: "c1", continue: "1.0" } }

const readCompletion: Read = async ({ here, arm }) => {
  arm()
  const { choices, error } = await json(await here.post("/run/v1/chat/completions", completion))
  const [choice] = (choices ?? []) as readonly { message: { content: string }; finish_reason: string }[]
  return { text: choice?.message.content ?? "", end: choice?.finish_reason ?? error }
}

const readCompletionStream: Read = async ({ here, arm }) => {
  arm()
  const response = await here.post("/run/v1/chat/completions", { ...completion, stream: true })
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"))
  const chunks = lines.map((line) => JSON.parse(line.slice(6)))
  const text = chunks.map(({ choices }) => choices?.[0]?.delta?.content ?? "").join("")
  return { text, end: chunks.at(-1)?.choices?.[0]?.finish_reason }
}

const readTask: Read = async ({ here, there, arm }) => {
  const { tasks } = await json(await there.get("/a2a/helper/tasks", a2aHeaders))
  const [{ id }] = tasks as unknown as readonly [{ readonly id: string }]
  const body = { jsonrpc: "2.0", id: 1, method: "SubscribeToTask", params: { id } }
  const response = await here.post("/a2a/helper", body, a2aHeaders)
  arm()
  const events = (await response.text()).split("\n").filter((line) => line.startsWith("data: "))
  const results = events.map((line) => JSON.parse(line.slice(6)).result)
  const text = results
    .map(
      ({ artifactUpdate }) => artifactUpdate?.artifact.parts.map((part: { text: string }) => part.text).join("") ?? "",
    )
    .join("")
  return { text, end: results.at(-1)?.statusUpdate?.status.state }
}

const a2aHeaders = { "a2a-version": "1.0" }

const reads: Readonly<Record<string, { readonly read: Read; readonly end: unknown; readonly begins?: "task" }>> = {
  "the stream of a conversation": { read: readChat, end: "stop" },
  "the stream of events": { read: readEventStream, end: "stop" },
  "a whole reply": { read: readWhole, end: "stop" },
  "a completion": { read: readCompletion, end: "stop" },
  "a streamed completion": { read: readCompletionStream, end: "stop" },
  "the stream of a task": { read: readTask, end: "TASK_STATE_COMPLETED", begins: "task" },
}

/** Reads the stream until it has a question. */
const readToQuestion: Read = async ({ here, arm }) => {
  arm()
  const reader = readStream(await here.get("/run/api/conversations/c1/stream"))
  const asked = await reader.until("data-elicitation")
  await reader.leave()
  return { text: textOf(reader.seen), end: asked?.data?.status }
}

const readEventsToQuestion: Read = async ({ here, arm }) => {
  const stream = readEvents(await here.get("/run/api/events?conversation=c1"))
  await stream.until(({ event }) => event === "inbox")
  arm()
  const { data } = await stream.until(isChunk("data-elicitation"))
  await stream.leave()
  const { data: question } = data.chunk as { readonly data: { readonly status: string } }
  return { text: wordsOf(stream.seen, "c1"), end: question.status }
}

const pausedReads: typeof reads = {
  "the stream of a conversation": { read: readToQuestion, end: "pending" },
  "the stream of events": { read: readEventsToQuestion, end: "pending" },
  "a whole reply": { read: readWhole, end: "waiting" },
  "a completion": { read: readCompletion, end: "stop" },
  "the stream of a task": { read: readTask, end: "TASK_STATE_INPUT_REQUIRED", begins: "task" },
}

const heldReads: readonly HeldRead[] = [0, 1, 2, 3, 4, 5].flatMap((read) =>
  (["before", "after"] as const).map((when) => ({ read, when })),
)

interface Scene {
  readonly message: "say" | "pay"
  readonly begins?: "task" | undefined
  readonly held: HeldRead
  /** What happens before the client reads. */
  readonly first?: (scene: Stage) => Promise<unknown>
  /** What happens while the read is held. */
  readonly meanwhile: (scene: Stage) => Promise<unknown>
}

interface Stage {
  readonly there: AgentsServer
  readonly shared: Storage
  /** Lets the model speak. */
  readonly open: () => void
}

/** Begins a reply at one process and reads it at another one, one of whose reads is held while something happens. */
async function readHeld(read: Read, { message, begins, held, first, meanwhile }: Scene): Promise<Heard> {
  const shared = createMemoryStorage()
  const keys = newKeys()
  const { config, open } = gatedAgents()
  const there = await startAgents(config, { storage: shared, keys })
  const holding = holdReads(shared)
  const here = await startAgents(config, { storage: holding.storage, keys, runtime: quick })
  const stage = { there, shared, open }
  await (begins === "task" ? beginTask(there, message) : beginReply(there, message))
  await first?.(stage)
  return read({ here, there, arm: () => holding.arm(held, async () => void (await meanwhile(stage))) })
}

/** Polls of a process in this test come 20 times sooner. */
const quick = { ...systemRuntime, after: (ms: number, callback: () => void) => systemRuntime.after(ms / 20, callback) }

async function beginReply(there: AgentsServer, text: string): Promise<void> {
  const message = { id: "m", role: "user", parts: [{ type: "text", text }] }
  const headers = { ...showsQuestions, prefer: "respond-async" }
  expect((await there.post("/run/api/chat", { id: "c1", messages: [message] }, headers)).status).toBe(202)
}

async function beginTask(there: AgentsServer, text: string): Promise<void> {
  const message = { messageId: "m-1", role: "ROLE_USER", parts: [{ text }] }
  const body = { message, configuration: { returnImmediately: true } }
  expect((await there.post("/a2a/helper/message:send", body, a2aHeaders)).status).toBe(200)
}

/** Resolves when the trail has this step of a run. */
async function untilRun({ shared: { trail } }: Stage, code: string): Promise<void> {
  const isStep = ({ kind, detail }: Entry): boolean => kind === "run" && detail.code === code
  while (!(await trail.read({ limit: 1_000 })).some(isStep)) await new Promise(setImmediate)
}

async function speakTo(stage: Stage, code: string): Promise<void> {
  stage.open()
  await untilRun(stage, code)
}

/** Says Yes to the open question, and waits until the reply has ended. */
async function sayYes(stage: Stage): Promise<void> {
  const { hub } = stage.there
  const [question] = await hub.list({ tenant: "local", state: "open", limit: 2 })
  const answer = { by: alice, action: "accept", content: { confirmed: "yes" }, via: "inbox" } as const
  expect((await hub.answer(question?.id ?? "", answer)).ok).toBe(true)
  await untilRun(stage, "done")
}

describe("a reply that ends between two reads of another process", () => {
  it.each(Object.entries(reads))("is read to its end by %s", async (_, { read, end, begins }) => {
    const meanwhile = (stage: Stage): Promise<void> => speakTo(stage, "done")
    const scenes = heldReads.map((held) => readHeld(read, { message: "say", begins, held, meanwhile }))
    expect(await Promise.all(scenes)).toEqual(heldReads.map(() => ({ text: says, end })))
  })
})

describe("a reply that asks between two reads of another process", () => {
  it.each(Object.entries(pausedReads))("is read up to its question by %s", async (_, { read, end, begins }) => {
    const meanwhile = (stage: Stage): Promise<void> => speakTo(stage, "waiting")
    const scenes = heldReads.map((held) => readHeld(read, { message: "pay", begins, held, meanwhile }))
    expect(await Promise.all(scenes)).toEqual(heldReads.map(() => ({ text: asks, end })))
  })
})

describe("a reply that is answered and ends between two reads of another process", () => {
  const first = (stage: Stage): Promise<void> => speakTo(stage, "waiting")

  it.each(["a whole reply", "a completion", "a streamed completion"])(
    "is paused or has ended for %s, and is never cut off",
    async (name) => {
      const { read = readWhole } = reads[name] ?? {}
      const scenes = heldReads.map((held) => readHeld(read, { message: "pay", held, first, meanwhile: sayYes }))
      for (const { text, end } of await Promise.all(scenes)) {
        expect(["stop", "waiting"]).toContain(end)
        expect([asks, `${asks}${says}`]).toContain(text.replace("\n\n", ""))
      }
    },
  )

  it("is read to its end by the stream of a task", async () => {
    const scene = { message: "pay", begins: "task", first, meanwhile: sayYes } as const
    const scenes = heldReads.map((held) => readHeld(readTask, { ...scene, held }))
    const heard = await Promise.all(scenes)
    expect(heard).toEqual(heldReads.map(() => ({ text: `\n\n${says}`, end: "TASK_STATE_COMPLETED" })))
  })
})
