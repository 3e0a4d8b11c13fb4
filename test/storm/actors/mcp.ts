// MCP clients that call the agent as a tool: the official clients of 2025-11-25 and of 2026-07-28. Their person answers at the
// client, or on a page while the client still asks.

import type { Called, ClientKind, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { answer, byApi } from "../answering.ts"
import { outcomeIn } from "../history.ts"
import type { StormPerson } from "../people.ts"
import type { Random } from "../random.ts"
import { type Actor, insist, linger, type World } from "../world.ts"

const kinds = { "MCP 2025": "v1.32", "MCP 2026": "v2 pinned to 2026-07-28" } as const satisfies Record<
  string,
  ClientKind
>

const surfaces = Object.keys(kinds) as readonly (keyof typeof kinds)[]

export const mcp: Actor = async (world, random) => {
  const first = random.between(0, surfaces.length - 1)
  for (let round = 0; world.isBlowing(); round++) {
    const own = random.fork(`round ${round}`)
    // In turn, so that short storms have both.
    await callSome(world, own, surfaces[(round + first) % surfaces.length] ?? "MCP 2026")
  }
}

/** Some calls with one client. A client that cannot connect is replaced. */
async function callSome(world: World, random: Random, surface: keyof typeof kinds): Promise<void> {
  const person = random.pick(world.people)
  const asking = { said: "yes" as "yes" | "no" }
  const client = await connect(world, person, surface, asking)
  if (client === undefined) return linger(world, 200)
  try {
    for (let count = random.between(1, 4); count > 0 && world.isBlowing(); count--)
      if (!(await callOnce(world, random.fork(`call ${count}`), { client, surface, person, asking }))) return
  } finally {
    await client.close().catch(() => {})
  }
}

async function connect(world: World, person: StormPerson, surface: keyof typeof kinds, asking: { said: "yes" | "no" }) {
  try {
    const headers = await person.mcpToken()
    return await open(
      kinds[surface],
      {
        ...{ transport: "http", url: `${world.url}/run/v1/mcp` },
        fetch: (input, init = {}) => {
          const all = new Headers(init.headers)
          all.set("authorization", headers.authorization ?? "")
          const signal = init.signal == null ? world.over : AbortSignal.any([init.signal, world.over])
          return fetch(input, { ...init, headers: all, signal })
        },
      },
      {
        resumesAfterMs: 200,
        answer: async ({ message }, withdrawn) => {
          world.history.count(`${surface} questions at the client`)
          if (asking.said === "no") return { action: "decline" }
          if (withdrawn.aborted) return { action: "cancel" }
          return { action: "accept", content: message.includes("What is") ? { purpose: "rent" } : { confirmed: "yes" } }
        },
      },
    )
  } catch {
    world.history.count(`${surface} clients that could not connect`)
    return undefined
  }
}

interface Calling {
  readonly client: TestClient
  readonly surface: keyof typeof kinds
  readonly person: StormPerson
  readonly asking: { said: "yes" | "no" }
}

/** Returns whether the client can be used again. */
async function callOnce(world: World, random: Random, { client, surface, person, asking }: Calling): Promise<boolean> {
  const { history } = world
  const key = history.newKey()
  const tool = random.pick(["pay", "transfer"])
  const work = history.begin({ key, surface: `${surface} ${tool}`, hasEffect: true, needsYes: true })
  asking.said = random.chance(0.8) ? "yes" : "no"
  const elsewhere = random.chance(0.3) ? answerElsewhere(world, random, person, key) : undefined
  const call = () => client.call("clerk", { message: `${tool} ${key}` }, { timeout: 12_000, signal: world.over })
  let called = await call()
  // A server that stops says so, and that the call continues when it is made again.
  for (
    let tries = 0;
    called.kind === "result" && called.text.includes("Call again in a moment") && tries < 20;
    tries++
  ) {
    history.count(`${surface} calls made again`)
    history.notes.push({ key, at: world.now(), words: `is called again after “${called.text}”` })
    await linger(world, 500)
    called = await call()
  }
  history.count(`${surface} calls`)
  const end = called.kind === "result" ? called.text : `${called.code}: ${called.message}`
  history.notes.push({ key, at: world.now(), words: `${surface} ${tool} ends with “${end.slice(0, 300)}”` })
  await elsewhere
  work.words = called.kind === "result" ? called.text : `${called.code}: ${called.message}`
  if (called.kind === "error" || isNoResult(called)) {
    // The connection was cut: it is unknown what became of the call, and the client gives it up.
    Object.assign(work, { told: "unknown", isBegun: false })
    history.count(`${surface} calls given up`)
    history.count(`given up: ${work.words.replaceAll(/\d+|https?:\S+/g, "…").slice(0, 90)}`)
    return false
  }
  work.told = outcomeIn(work.words, key)
  return true
}

const isNoResult = (called: Called): boolean => called.kind === "result" && called.text === ""

/** The person answers on a page, if the question is there before the client has answered it. */
async function answerElsewhere(world: World, random: Random, person: StormPerson, key: string): Promise<void> {
  for (let tries = 0; tries < 4; tries++) {
    await linger(world, 100)
    const sent = await insist(world, "/run/api/elicitations", { headers: person.token("/run") })
    const open = (sent?.body.elicitations ?? []) as readonly {
      readonly elicitationId: string
      readonly message?: string
    }[]
    const question = open.find(({ message = "" }) => new RegExp(`\\b${key}\\b`).test(message))
    if (question === undefined) continue
    const yes: Readonly<Record<string, unknown>> = question.message?.startsWith("What is")
      ? { purpose: "rent" }
      : { confirmed: "yes" }
    return answer(world, random, { person, question: { id: question.elicitationId, yes }, routes: { http: byApi } })
  }
}
