// How people answer in a storm: once, twice at the same time, with a No after the Yes, by any route that leads to the
// question. An actor finds out what became of its answer by sending it again.

import type { StormPerson } from "./people.ts"
import type { Random } from "./random.ts"
import { insist, linger, type Sent, type World } from "./world.ts"

export interface OpenQuestion {
  readonly id: string
  /** The content of a Yes. */
  readonly yes: Readonly<Record<string, unknown>>
}

/** A way to send one answer. Returns the path and the request. */
export type Route = (person: StormPerson, question: OpenQuestion, said: "yes" | "no") => readonly [string, RequestInit]

const toBody = ({ yes }: OpenQuestion, said: "yes" | "no") =>
  said === "yes" ? { action: "accept", content: yes } : { action: "decline" }

/** The HTTP API, as a page of the server uses it. */
export const byApi: Route = (person, question, said) => [
  `/api/questions/${question.id}/answer`,
  { method: "POST", headers: person.session(), body: JSON.stringify(toBody(question, said)) },
]

/** The run API, in the conversation that asked. */
export const byRun =
  (conversationId: string): Route =>
  (person, question, said) => [
    "/run/api/elicitation-responses",
    {
      method: "POST",
      headers: person.token("/run"),
      body: JSON.stringify({ conversationId, elicitationId: question.id, ...toBody(question, said) }),
    },
  ]

export interface Answering {
  readonly person: StormPerson
  readonly question: OpenQuestion
  readonly routes: Readonly<Record<string, Route>>
}

/** Answers a question in one of the ways in which people do. Resolves when every answer has a response. */
export async function answer(world: World, random: Random, answering: Answering): Promise<void> {
  const names = Object.keys(answering.routes)
  const say = (said: "yes" | "no") => sayIt(world, answering, said, random.pick(names))
  await linger(world, random.between(0, 400))
  const manner = random.next()
  if (manner < 0.5) await say("yes")
  else if (manner < 0.65) await say("no")
  else if (manner < 0.8) {
    world.history.count("two answers at once")
    await Promise.all([say("yes"), say("no")])
  } else if (manner < 0.9) {
    world.history.count("late Noes")
    await say("yes")
    await linger(world, random.between(0, 300))
    await say("no")
  } else {
    world.history.count("the same answer twice")
    await Promise.all([say("yes"), say("yes")])
  }
}

const isInternal = (sent: Sent | undefined): boolean =>
  (sent?.body.error as { readonly code?: number } | undefined)?.code === -32_603

async function sayIt(world: World, { person, question, routes }: Answering, said: "yes" | "no", via: string) {
  const route = routes[via]
  if (route === undefined) throw new Error(`There is no route “${via}”.`)
  const sentAt = world.now()
  let sent = await insist(world, ...route(person, question, said))
  // An error inside of the server says that the request may be sent again.
  while (isInternal(sent) && !world.over.aborted) {
    await linger(world, 300)
    sent = await insist(world, ...route(person, question, said))
  }
  // JSON-RPC has its refusals in responses with 200.
  const isRefused = sent?.body.error !== undefined
  const { status, ended, detail, effect, error } = (sent?.body ?? {}) as {
    readonly status?: unknown
    readonly ended?: { readonly status?: string }
    readonly detail?: string
    readonly effect?: unknown
    readonly error?: { readonly message?: string }
  }
  const endStatus = typeof status === "string" ? status : ended?.status
  world.history.answers.push({
    ...{ question: question.id, by: person.subject, said, via, sentAt, told: endStatus },
    httpStatus: isRefused ? 409 : sent?.status,
    heardAt: sent === undefined ? undefined : world.now(),
    words: detail ?? error?.message ?? (effect === undefined ? "" : JSON.stringify(effect)),
  })
  world.history.count("answers")
  if (endStatus !== undefined)
    world.history.ends.push({ question: question.id, status: endStatus, where: `the answer by ${via}` })
}
