// People who talk to an agent through the run API: they read the reply, leave, and come back by event id, while other
// requests of theirs answer its questions.

import { answer, byApi, byRun } from "../answering.ts"
import { outcomeIn, type ReadStream } from "../history.ts"
import type { StormPerson } from "../people.ts"
import type { Random } from "../random.ts"
import { type Actor, insist, linger, type World } from "../world.ts"

export const chat: Actor = async (world, random) => {
  for (let round = 0; world.isBlowing(); round++) {
    await talk(world, random.fork(`round ${round}`))
    await linger(world, random.between(0, 200))
  }
}

const tools = ["pay", "pay", "transfer", "transfer", "order", "order", "deliver", "story"] as const

async function talk(world: World, random: Random): Promise<void> {
  const { history } = world
  const person = random.pick(world.people)
  const key = history.newKey()
  const tool = random.pick(tools)
  const conversation = `c-${key}`
  const work = history.begin({ key, surface: `chat ${tool}`, hasEffect: tool !== "story", needsYes: tool !== "story" })
  const reader: Reader = { world, random, person, conversation, tool, asked: new Set(), answers: [] }
  const stream = history.read({ id: conversation, where: "run stream" })
  const first = await begin(reader, `${tool} ${key}`)
  if (first === "never begun")
    return void Object.assign(work, { isBegun: false, words: "The message was never accepted." })
  const stopping = random.chance(0.06) ? stop(reader) : undefined
  await readAll(reader, stream, first)
  await Promise.all(reader.answers)
  await stopping
  if (!stream.hasEnd) return
  work.words = wordsOf(stream)
  // A reply that was stopped says nothing about what had begun.
  if (stopping !== undefined && work.words.includes(stoppedWords)) work.told = "unknown"
  else if (tool !== "story") work.told = outcomeIn(work.words, key)
  else work.told = work.words.includes(key) ? "done" : "failed"
  history.count("replies read to the end")
  await compareWithLog(reader, stream)
}

const stoppedWords = "The reply was stopped."

async function stop({ world, random, person, conversation }: Reader): Promise<void> {
  await linger(world, random.between(0, 800))
  const headers = person.token("/run")
  await insist(world, `/run/api/chat/${conversation}/stop`, { method: "POST", headers, body: "{}" })
  world.history.count("replies stopped")
}

interface Reader {
  readonly world: World
  readonly random: Random
  readonly person: StormPerson
  readonly conversation: string
  readonly tool: string
  readonly asked: Set<string>
  readonly answers: Promise<void>[]
}

/** Sends the message. When it is unknown whether it arrived, asks for the conversation before sending it again. */
async function begin(
  { world, person, conversation }: Reader,
  text: string,
): Promise<Response | undefined | "never begun"> {
  const headers = { ...person.token("/run"), "x-supports-elicitation": "true" }
  const message = { id: "m", role: "user", parts: [{ type: "text", text }] }
  const body = JSON.stringify({ id: conversation, agent: agentOf(text), messages: [message] })
  const response = await open(world, "/run/api/chat", { method: "POST", headers, body })
  if (response?.status === 200) return response
  if (response !== undefined) {
    await response.body?.cancel()
    world.history.count(`messages refused with ${response.status}`)
    if (response.status < 500) return "never begun"
  }
  // The node that got it may still be storing it.
  for (let tries = 0; tries < 4; tries++) {
    await linger(world, 500)
    const stored = await insist(world, `/run/api/conversations/${conversation}`, { headers: person.token("/run") })
    if (stored?.status === 200 && Array.isArray(stored.body.messages) && stored.body.messages.length > 0)
      return undefined
  }
  return "never begun"
}

const agentOf = (text: string): string => (text.startsWith("deliver") ? "courier" : "clerk")

/** Reads the stream over as many connections as it takes. */
async function readAll(reader: Reader, stream: ReadStream, first: Response | undefined): Promise<void> {
  const { world, random } = reader
  let response = first
  while (!world.over.aborted) {
    response ??= await resume(reader, stream)
    if (response !== undefined && (await readOne(reader, stream, response))) return
    response = undefined
    world.history.count("readers that came back")
    await linger(world, random.between(50, 400))
  }
}

async function resume({ world, person, conversation }: Reader, stream: ReadStream): Promise<Response | undefined> {
  const after = String(stream.events.at(-1)?.number ?? 0)
  const headers = { ...person.token("/run"), "last-event-id": after }
  const response = await open(world, `/run/api/conversations/${conversation}/stream`, { headers })
  if (response?.status === 200) return response
  await response?.body?.cancel()
  return undefined
}

/** Reads one connection, and returns whether the reply has ended. Leaves in the middle, now and then. */
async function readOne(reader: Reader, stream: ReadStream, response: Response): Promise<boolean> {
  const leaveAfter = reader.random.chance(0.3) ? reader.random.between(1, 20) : Number.POSITIVE_INFINITY
  let count = 0
  try {
    for await (const { id, data } of eventsOf(response)) {
      if (data === "[DONE]") {
        if (!stream.hasEnd) stream.events.push({ number: -1, data: "[DONE] without an end" })
        return true
      }
      if (id === undefined) continue
      stream.events.push({ number: Number(id), data })
      const chunk = JSON.parse(data) as Chunk
      if (chunk.type === "data-elicitation") respond(reader, chunk)
      if (chunk.type === "finish" || chunk.type === "abort") stream.hasEnd = true
      if (stream.hasEnd || ++count >= leaveAfter) return stream.hasEnd
    }
  } catch {
    // The connection was cut: the reader comes back.
  } finally {
    await response.body?.cancel().catch(() => {})
  }
  return stream.hasEnd
}

interface Chunk {
  readonly type: string
  readonly delta?: string
  readonly id?: string
  readonly errorText?: string
  readonly data?: {
    readonly type: string
    readonly elicitationId: string
    readonly status?: string
    readonly message?: string
  }
}

function respond({ world, random, person, conversation, asked, answers }: Reader, { data }: Chunk): void {
  if (data === undefined) return
  const { elicitationId: id, type, status, message = "" } = data
  if (type === "elicitation-resolved" && status !== undefined)
    world.history.ends.push({ question: id, status, where: `the stream of ${conversation}` })
  if (type !== "elicitation-request" || asked.has(id)) return
  asked.add(id)
  world.history.count("questions seen")
  const yes = message.startsWith("What is") ? { purpose: "rent" } : { confirmed: "yes" }
  const routes = { run: byRun(conversation), http: byApi }
  answers.push(answer(world, random.fork(`answer ${asked.size}`), { person, question: { id, yes }, routes }))
}

/** The reply as a person reads it: what came before a reset is discarded. */
export function wordsOf({ events }: Pick<ReadStream, "events">): string {
  let steps = [""]
  for (const { data } of events) {
    const chunk = readChunk(data)
    if (chunk.type === "start-step") steps.push("")
    if (chunk.type === "reset-step") steps = [...steps.slice(0, -1), ""]
    if (chunk.type === "text-delta") steps.push(`${steps.pop() ?? ""}${chunk.delta ?? ""}`)
    if (chunk.type === "error") steps.push(`ERROR: ${chunk.errorText ?? ""}`)
    if (chunk.type === "abort") steps.push(stoppedWords)
  }
  return steps.join("\n").trim()
}

function readChunk(data: string): Chunk {
  return data.startsWith("{") ? (JSON.parse(data) as Chunk) : { type: "unknown" }
}

/** Reads the same reply again, from its first event. */
async function compareWithLog({ world, person, conversation }: Reader, stream: ReadStream): Promise<void> {
  const path = `/run/api/conversations/${conversation}/stream`
  while (!world.over.aborted) {
    const response = await open(world, path, { headers: { ...person.token("/run"), "last-event-id": "0" } })
    try {
      const log: { number: number; data: string }[] = []
      if (response?.status === 200)
        for await (const { id, data } of eventsOf(response)) {
          if (data === "[DONE]") return void Object.assign(stream, { log })
          if (id !== undefined) log.push({ number: Number(id), data })
        }
    } catch {
      // Cut: read again.
    }
    await linger(world, 200)
  }
}

async function open(world: World, path: string, init: RequestInit): Promise<Response | undefined> {
  try {
    const response = await fetch(`${world.url}${path}`, { ...init, signal: world.over })
    if (!response.headers.has("x-storm")) return response
    await response.body?.cancel()
  } catch {
    // It is unknown what became of it.
  }
  return undefined
}

/** The events of a response, without comments. */
export async function* eventsOf(
  response: Response,
): AsyncGenerator<{ readonly id?: string | undefined; readonly data: string }> {
  let text = ""
  for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += piece
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = text.slice(0, end)
      text = text.slice(end + 2)
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) yield { id: /^id: (\d+)$/m.exec(event)?.[1], data }
    }
  }
}
