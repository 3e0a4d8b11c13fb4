// What every actor of a storm has: the address of the proxy, the people, the history, and when to stop.

import { setTimeout as pass } from "node:timers/promises"
import type { SlackStandIn } from "@holdpoint/slack-stand-in"
import type { History } from "./history.ts"
import type { StormPerson } from "./people.ts"
import type { StormProgram } from "./programs.ts"
import type { Random } from "./random.ts"

export interface World {
  readonly url: string
  readonly people: readonly StormPerson[]
  /** The issuer of the people. */
  readonly issuer: string
  readonly programs: readonly StormProgram[]
  readonly slack: SlackStandIn
  readonly history: History
  /** The clock of the storm's own process. */
  now(): number
  /** Whether new work may begin. */
  isBlowing(): boolean
  /** Aborts when the quiet period is over, and everything that still waits is given up. */
  readonly over: AbortSignal
}

/** An actor: does one piece of work after another until the storm is over. Each gets a generator of its own. */
export type Actor = (world: World, random: Random) => Promise<void>

/** How long an actor waits for the end of one piece of work before it begins the next beside it. */
const patienceMs = 15_000

/** An actor that does this again and again, with a pause of at most this long, until the storm is over. */
export const again =
  (most: number, work: (world: World, random: Random) => Promise<void>): Actor =>
  async (world, random) => {
    const started: Promise<void>[] = []
    for (let round = 0; world.isBlowing(); round++) {
      const own = random.fork(`round ${round}`)
      const done = work(world, own)
      started.push(done)
      await Promise.race([done, linger(world, patienceMs)])
      await linger(world, own.between(0, most))
    }
    await Promise.all(started)
  }

/** Waits, unless everything is over before. */
export async function linger(world: World, ms: number): Promise<void> {
  await pass(ms, undefined, { signal: world.over }).catch(() => {})
}

export interface Sent {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

/** One request. Undefined when it is unknown whether it was carried out: no response, or one of a proxy. */
export async function attempt(world: World, path: string, init: RequestInit): Promise<Sent | undefined> {
  try {
    const response = await fetch(`${world.url}${path}`, { ...init, signal: init.signal ?? world.over })
    const text = await response.text()
    if (response.headers.has("x-storm")) return undefined
    return { status: response.status, body: toJson(text), headers: response.headers }
  } catch {
    return undefined
  }
}

/**
 * Sends a request that may safely be sent again until there is a response that says something. Undefined when everything
 * was over before.
 */
export async function insist(world: World, path: string, init: RequestInit): Promise<Sent | undefined> {
  for (let waitMs = 50; !world.over.aborted; waitMs = Math.min(waitMs * 2, 1_000)) {
    const sent = await attempt(world, path, init)
    if (sent !== undefined && sent.status < 500 && sent.status !== 429) return sent
    if (sent !== undefined) world.history.count(`responses ${sent.status}`)
    if (sent?.status === 500)
      world.history.count(`500: ${String(init.method ?? "GET")} ${path.replaceAll(/[\w-]*\d[\w-]*/g, "…")}`)
    await linger(world, waitMs)
  }
  return undefined
}

function toJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}
