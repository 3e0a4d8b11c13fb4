// The operations about time: waiting, giving up, expiring, deleting.

import assert from "node:assert/strict"
import type { Elicitation, Outcome } from "../../../src/index.ts"
import type { ReferenceQuestion } from "./reference.ts"
import { contentMs, end, giveUp, graceMs, isOpen, recordMs, release } from "./reference.ts"
import type { Waiting, World } from "./world.ts"
import { until, within } from "./world.ts"

export async function wait(world: World, hub: number, id: string, onAbort: "cancel" | "leave"): Promise<void> {
  const known = world.reference.questions.get(id)
  if (known === undefined) {
    await within(assert.rejects(world.hub(hub).wait(id), { code: "not_found" }), "an unknown id is refused")
    return
  }
  const stop = new AbortController()
  const outcome = world.hub(hub).wait(id, { signal: stop.signal, onAbort })
  outcome.catch(() => {})
  world.waits.push({ hub, known, onAbort, stop, outcome })
}

/** All waiters of settled questions get the outcome, or the error that the answer was deleted. */
export async function wakeAll(world: World): Promise<void> {
  const isDone = ({ known }: Waiting): boolean => !isOpen(known)
  const done = world.waits.filter(isDone)
  world.waits = world.waits.filter((waiting) => !isDone(waiting))
  const now = world.clock.now()
  for (const { outcome, known } of done) {
    if (known.record.mode === "form" && known.record.status === "completed" && known.record.content === undefined) {
      await within(assert.rejects(outcome, { code: "content_gone" }), "a wait for a forgotten answer is refused")
      continue
    }
    const got = await within(outcome, `a wait for ${known.record.status} wakes`)
    assert.deepEqual(got, outcomeOf(known.record))
    if (known.record.content === undefined) continue
    const { first, last } = known.read ?? { first: now, last: now }
    known.read = { first: Math.min(first, now), last: Math.max(last, now) }
  }
}

function outcomeOf({ status, content, reason }: Elicitation): Outcome {
  const detail = status === "completed" ? { content } : { reason }
  return JSON.parse(JSON.stringify({ status, ...detail }))
}

/** One waiter gives up; after the last one, the hub releases the question. */
export async function abort(world: World, which: number): Promise<void> {
  const waiting = world.waits[which % Math.max(1, world.waits.length)]
  if (waiting === undefined) return
  world.waits = world.waits.filter((other) => other !== waiting)
  const { hub, known, onAbort, stop, outcome } = waiting
  stop.abort(new Error("gave up"))
  await assert.rejects(outcome, /gave up/)
  const isLast = !world.waits.some((other) => other.hub === hub && other.known === known)
  if (!(giveUp(known, hub, onAbort) && isLast)) return
  const before = known.record.revision
  release(known, hub, world.clock.now())
  const { id, revision } = known.record
  if (revision === before) return
  world.coverage.set("released", (world.coverage.get("released") ?? 0) + 1)
  await until(async () => (await world.hub(1 - hub).get(id))?.revision === revision, "giving up is written down")
}

/** Both hubs sweep: overdue questions have expired, old ones are deleted. */
export async function sweep(world: World): Promise<void> {
  const { reference, clock } = world
  await world.hub(0).sweep()
  await world.hub(1).sweep()
  const now = clock.now()
  for (const known of reference.questions.values()) {
    if (isOpen(known) && known.record.expiresAt <= now) await expire(world, known, now)
  }
  await wakeAll(world)
  for (const [id, known] of reference.questions) {
    const { settledAt, content } = known.record
    if (settledAt === undefined) continue
    if (settledAt < now - recordMs) reference.questions.delete(id)
    else if (content !== undefined) await forget(world, known, now)
  }
}

/** Expires the question; if a timer did so before, its time counts. */
async function expire(world: World, known: ReferenceQuestion, now: number): Promise<void> {
  const { id, expiresAt, createdAt } = known.record
  const settledAt = (await world.hub(0).get(id))?.settledAt ?? 0
  assert.ok(settledAt >= Math.max(expiresAt, createdAt) && settledAt <= Math.max(now, createdAt))
  end(known, "expired", settledAt, {})
}

async function forget(world: World, known: ReferenceQuestion, now: number): Promise<void> {
  const { record, read } = known
  const isOld = (record.settledAt ?? now) < now - contentMs
  const isRead = read !== undefined && read.last < now - graceMs
  // A storage may use any of several reads: losing one only keeps the answer longer.
  const mayBeRead = read !== undefined && read.first < now - graceMs
  const { content, ...rest } = record
  const isGone = (await world.hub(0).get(record.id))?.content === undefined
  if (isOld || isRead) assert.ok(isGone, "content is forgotten in time")
  if (isGone) assert.ok(isOld || mayBeRead, "content is not forgotten early")
  if (isGone) known.record = rest as Elicitation
}
