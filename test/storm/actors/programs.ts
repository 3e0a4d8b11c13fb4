// Programs that ask over the HTTP API: one person, a role of which two have to agree, with an escalation, and questions that
// the program takes back or lets expire. They wait for the end at whatever node the proxy chooses.

import { answer, byApi } from "../answering.ts"
import type { StormPerson } from "../people.ts"
import type { StormProgram } from "../programs.ts"
import type { Random } from "../random.ts"
import { again, insist, linger, type World } from "../world.ts"

export const programs = again(200, (world, random) => askOne(world, random))

type Kind = "one person" | "votes" | "escalated" | "taken back" | "expired"
const kinds: readonly Kind[] = ["one person", "one person", "votes", "votes", "escalated", "taken back", "expired"]

async function askOne(world: World, random: Random): Promise<void> {
  const { history } = world
  const [program, kind] = [random.pick(world.programs), random.pick(kinds)]
  const key = history.newKey()
  const work = history.begin({ key, surface: `program ${kind}`, hasEffect: false, needsYes: false })
  const person = random.pick(world.people)
  const asked = await ask(world, random, { program, kind, key, person })
  const id = asked?.body.id
  if (asked === undefined || typeof id !== "string") {
    return void Object.assign(work, {
      isBegun: false,
      words: `refused with ${asked?.status}: ${String(asked?.body.detail)}`,
    })
  }
  history.count(`asked by programs: ${kind}`)
  const answering = respond(world, random, { id, kind, person, program })
  const end = await waitFor(world, random, program, id)
  await answering
  if (end === undefined) return
  Object.assign(work, { told: "done", words: end })
  history.count("questions that programs saw settled")
}

interface Asked {
  readonly program: StormProgram
  readonly kind: Kind
  readonly key: string
  readonly person: StormPerson
}

/** Asks until there is a response, and now and then twice at the same time: the key makes it one question. */
async function ask(world: World, random: Random, { program, kind, key, person }: Asked) {
  const voters = { audience: { role: "release" }, approvals: 2 }
  const rules: Readonly<Record<Kind, object>> = {
    "one person": { audience: { issuer: world.issuer, subject: person.subject } },
    votes: { ...voters, notBy: { issuer: world.issuer, subject: person.subject } },
    escalated: { ...voters, escalate: { afterMs: 1_000, role: "managers" } },
    "taken back": { audience: { issuer: world.issuer, subject: person.subject } },
    expired: { audience: { issuer: world.issuer, subject: person.subject }, lifetimeMs: 2_500 },
  }
  const body = JSON.stringify({ message: `Release ${key}?`, confirm: true, lifetimeMs: 600_000, ...rules[kind] })
  const send = () => insist(world, "/api/questions", { method: "POST", headers: program.headers(key), body })
  const [sent] = random.chance(0.2) ? await Promise.all([send(), send()]) : [await send()]
  return sent
}

interface Open {
  readonly id: string
  readonly kind: Kind
  readonly person: StormPerson
  readonly program: StormProgram
}

async function respond(world: World, random: Random, { id, kind, person, program }: Open): Promise<void> {
  const question = { id, yes: { confirmed: "yes" } }
  const by = (voter: StormPerson) =>
    answer(world, random.fork(voter.subject), { person: voter, question, routes: { http: byApi } })
  const voters = world.people.filter(({ subject }) => subject !== "emil")
  if (kind === "expired") return
  if (kind === "one person") return by(person)
  if (kind === "votes") return void (await Promise.all(voters.filter((one) => one !== person).map(by)))
  if (kind === "escalated") {
    // One of the role, and then the one who is asked when the others do not answer.
    await by(random.pick(voters))
    await linger(world, 1_500)
    return void (await Promise.all(
      [...world.people.filter(({ subject }) => subject === "emil"), voters[0]].flatMap((one) =>
        one === undefined ? [] : [by(one)],
      ),
    ))
  }
  await linger(world, random.between(0, 500))
  const answering = random.chance(0.5) ? by(person) : undefined
  const sent = await insist(world, `/api/questions/${id}/cancel`, {
    method: "POST",
    headers: program.headers(),
    body: "{}",
  })
  const { status } = sent?.body ?? {}
  if (typeof status === "string") world.history.ends.push({ question: id, status, where: "the response to cancel" })
  await answering
}

/** Waits for the end, and returns it in words. A question that needs more people than answered is taken back. */
async function waitFor(world: World, random: Random, program: StormProgram, id: string): Promise<string | undefined> {
  for (let tries = 0; !world.over.aborted; tries++) {
    const seconds = random.between(1, 4)
    const sent = await insist(world, `/api/questions/${id}?wait=${seconds}`, { headers: program.headers() })
    const { status, said } = (sent?.body ?? {}) as { readonly status?: unknown; readonly said?: string }
    if (typeof status === "string" && !["pending", "accepted"].includes(status)) {
      world.history.ends.push({ question: id, status, said, where: "the wait of the program" })
      return [status, said].join(" ").trim()
    }
    if (sent !== undefined && sent.status >= 400) return undefined
    if (tries >= 3 && !world.isBlowing())
      await insist(world, `/api/questions/${id}/cancel`, { method: "POST", headers: program.headers(), body: "{}" })
  }
  return undefined
}
