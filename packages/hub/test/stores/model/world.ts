// The world of a sequence: two hubs on two openings of one storage, the people, the waiters and the watchers.

import assert from "node:assert/strict"
import type { StorageHarness, TestClock } from "@holdpoint/testing"
import { createTestClock } from "@holdpoint/testing"
import type { Hub, Outcome, Principal, Storage, WatchEvent, WatchScope } from "../../../src/index.ts"
import { createHub, inbox, isHoldpointError } from "../../../src/index.ts"
import type { Reference, ReferenceQuestion } from "./reference.ts"
import { createReference, limits } from "./reference.ts"

export interface World {
  readonly clock: TestClock
  readonly tenant: string
  readonly people: readonly Principal[]
  readonly reference: Reference
  /** Every id that ever existed, oldest first. */
  readonly ids: string[]
  /** Where this sequence's part of the trail begins. */
  readonly start: number
  readonly watchers: readonly Watcher[]
  readonly coverage: Map<string, number>
  waits: Waiting[]
  hub(index: number): Hub
  storage(index: number): Storage
  restart(index: number): Promise<void>
  close(): Promise<void>
}

export interface Waiting {
  readonly hub: number
  readonly known: ReferenceQuestion
  readonly onAbort: "cancel" | "leave"
  readonly stop: AbortController
  readonly outcome: Promise<Outcome>
}

export interface Watcher {
  scope: WatchScope | undefined
  readonly events: WatchEvent[]
  /** Undefined while disconnected. */
  connection: { readonly hub: number; readonly stop: AbortController; readonly ended: Promise<void> } | undefined
  isFinished: boolean
}

/** Openings that several sequences share, because opening is expensive. */
export interface Openings {
  readonly harness: StorageHarness
  readonly storages: Storage[]
}

export async function createWorld(openings: Openings, coverage: Map<string, number>): Promise<World> {
  const tenant = `tenant ${crypto.randomUUID()}`
  const clock = createTestClock()
  const problems: string[] = []
  const person = (subject: string, roles: readonly string[] = []): Principal => ({
    tenant,
    issuer: "https://id.example",
    subject,
    roles,
  })
  const start = (storage: Storage): Hub =>
    createHub({
      storage,
      outlets: [inbox()],
      runtime: clock,
      limits: { pendingPerPerson: limits.perPerson, pendingPerTenant: limits.perTenant },
      report: (doing, error) => problems.push(`${doing}: ${error}`),
    })
  const { storages, harness } = openings
  const hubs = storages.map(start)
  const world: World = {
    clock,
    tenant,
    people: [person("alice", ["admin"]), person("bob"), person("carol", ["admin"]), person("mallory")],
    reference: createReference(),
    ids: [],
    start: await storages[0]!.trail.end(),
    watchers: Array.from({ length: 4 }, () => ({
      scope: undefined,
      events: [],
      connection: undefined,
      isFinished: false,
    })),
    coverage,
    waits: [],
    hub: (index) => hubs[index]!,
    storage: (index) => storages[index]!,
    async restart(index) {
      await hubs[index]!.close()
      await storages[index]!.close()
      storages[index] = await harness.open()
      hubs[index] = start(storages[index])
    },
    async close() {
      for (const { connection } of world.watchers) connection?.stop.abort(new Error("over"))
      await Promise.all(hubs.map((hub) => hub.close()))
      await forgetAll(storages[0]!, clock, start)
      assert.deepEqual(problems, [], "nothing goes wrong in the background")
    },
  }
  return world
}

/** Expires and deletes all questions, so that only the trail is left. */
async function forgetAll(storage: Storage, clock: TestClock, start: (storage: Storage) => Hub): Promise<void> {
  const day = 24 * 3_600_000
  const hub = start(storage)
  for (const days of [400, 800]) {
    clock.set(clock.now() + days * day)
    await hub.sweep()
  }
  await hub.close()
}

export function connect(world: World, watcher: Watcher, hub: number): void {
  const stop = new AbortController()
  const { scope, events } = watcher
  assert.ok(scope !== undefined)
  const last = events.at(-1)
  const resumed: WatchScope =
    "id" in scope
      ? { ...scope, afterRevision: last?.revision ?? 0 }
      : { ...scope, afterPosition: last?.position ?? world.start }
  const follow = async (): Promise<void> => {
    try {
      for await (const event of world.hub(hub).watch(resumed, { signal: stop.signal })) events.push(event)
      watcher.isFinished = true
    } catch (error) {
      if (stop.signal.aborted && error === stop.signal.reason) return
      const code = isHoldpointError(error) ? error.code : String(error)
      assert.ok(["closed", "already_settled", "not_found"].includes(code), `a watch ends with ${code}`)
      watcher.isFinished = code !== "closed"
    } finally {
      watcher.connection = undefined
    }
  }
  watcher.connection = { hub, stop, ended: follow() }
}

export async function disconnect(watcher: Watcher): Promise<void> {
  const { connection } = watcher
  connection?.stop.abort(new Error("disconnected"))
  if (connection !== undefined) await within(connection.ended, "a stopped watch ends")
}

const patienceMs = 5_000

/** Fails after a long time instead of hanging. It does not measure speed. */
export async function within<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const never = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`never happened: ${what}`)), patienceMs)
  })
  try {
    return await Promise.race([work, never])
  } finally {
    clearTimeout(timer)
  }
}

export async function until(isSo: () => Promise<boolean> | boolean, what: string): Promise<void> {
  let isOver = false
  const looking = (async () => {
    for (let looks = 0; !isOver && !(await isSo()); looks++)
      await new Promise<void>((resolve) => (looks < 50 ? setImmediate(resolve) : setTimeout(resolve, 3)))
  })()
  try {
    await within(looking, what)
  } finally {
    isOver = true
  }
}
