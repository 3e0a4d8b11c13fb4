// People who talk to an agent through the run API: they read the reply, leave, and come back by event id, while other
// requests of theirs answer its questions.

import { answer, byApi, byRun } from "../answering.ts"
import { outcomeIn } from "../history.ts"
import type { Random } from "../random.ts"
import { again, insist, linger, type World } from "../world.ts"
import {
  type Chunk,
  compareWithLog,
  open,
  openPage,
  type Reader,
  readAll,
  runStream,
  stoppedWords,
  wordsOf,
} from "./reading.ts"

export const chat = again(200, (world, random) => talk(world, random))

const tools = ["pay", "pay", "transfer", "transfer", "order", "order", "deliver", "story"] as const

async function talk(world: World, random: Random): Promise<void> {
  const { history } = world
  const person = random.pick(world.people)
  const key = history.newKey()
  const tool = random.pick(tools)
  const conversation = `c-${key}`
  const work = history.begin({ key, surface: `chat ${tool}`, hasEffect: tool !== "story", needsYes: tool !== "story" })
  const page = random.chance(0.3) ? await openPage(world, person, conversation) : undefined
  const source = page?.source ?? runStream
  const asking: Asking = { world, random, person, conversation, asked: new Set(), answers: [] }
  const reader: Reader = { source, world, random, person, conversation, onChunk: (chunk) => respond(asking, chunk) }
  const stream = history.read({ id: conversation, where: source.name })
  const first = await begin(reader, `${tool} ${key}`)
  if (first === "never begun") {
    await page?.response.body?.cancel().catch(() => {})
    return void Object.assign(work, { isBegun: false, words: "The message was never accepted." })
  }
  const stopping = random.chance(0.06) ? stop(reader) : undefined
  await readAll(reader, stream, first ?? page?.response)
  await Promise.all(asking.answers)
  await stopping
  if (!stream.hasEnd) {
    work.words = `${source.name}, ${stream.events.length} events, the last: ${stream.events.at(-1)?.data.slice(0, 120)}`
    return
  }
  work.words = wordsOf(stream)
  // A reply that was stopped says nothing about what had begun.
  if (stopping !== undefined && work.words.includes(stoppedWords)) work.told = "unknown"
  else if (tool !== "story") work.told = outcomeIn(work.words, key)
  else work.told = work.words.includes(key) ? "done" : "failed"
  history.count(`replies read to the end: ${source.name}`)
  history.count("replies read to the end")
  await compareWithLog(reader, stream)
}

async function stop({ world, random, person, conversation }: Reader): Promise<void> {
  await linger(world, random.between(0, 800))
  const headers = person.token("/run")
  world.history.notes.push({ key: conversation.slice(2), at: world.now(), words: "is stopped" })
  await insist(world, `/run/api/chat/${conversation}/stop`, { method: "POST", headers, body: "{}" })
  world.history.count("replies stopped")
}

/** Sends the message. When it is unknown whether it arrived, asks for the conversation before sending it again. */
async function begin(
  { world, person, conversation, source }: Reader,
  text: string,
): Promise<Response | undefined | "never begun"> {
  const headers = { ...person.token("/run"), "x-supports-elicitation": "true" }
  const message = { id: "m", role: "user", parts: [{ type: "text", text }] }
  const body = JSON.stringify({ id: conversation, agent: agentOf(text), messages: [message] })
  const response = await open(world, "/run/api/chat", {
    method: "POST",
    headers: { ...headers, ...source.prefer },
    body,
  })
  if (response?.status === 200) return response
  if (response !== undefined) {
    await response.body?.cancel()
    // The reply comes in the stream of events.
    if (response.status === 202) return undefined
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

interface Asking extends Pick<Reader, "world" | "random" | "person" | "conversation"> {
  readonly asked: Set<string>
  readonly answers: Promise<void>[]
}

function respond({ world, random, person, conversation, asked, answers }: Asking, { data }: Chunk): void {
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
