// Plays one sequence of operations, then compares the questions, the trail and the watches.

import assert from "node:assert/strict"
import type { StorageHarness } from "@holdpoint/testing"
import type { Entry } from "../../../src/index.ts"
import { applyOperation, assertAsInReference } from "./apply-operation.ts"
import type { Operation } from "./operations.ts"
import { stepsOf } from "./operations.ts"
import { mayAnswer } from "./reference.ts"
import { wakeAll } from "./waits.ts"
import type { Openings, Watcher, World } from "./world.ts"
import { connect, createWorld, disconnect, until } from "./world.ts"

export async function openTwice(harness: StorageHarness): Promise<Openings> {
  return { harness, storages: [await harness.open(), await harness.open()] }
}

export async function playSequence(
  openings: Openings,
  operations: readonly Operation[],
  coverage: Map<string, number>,
): Promise<void> {
  const world = await createWorld(openings, coverage)
  try {
    for (const operation of stepsOf(operations)) await applyOperation(world, operation)
    await wakeAll(world)
    await assertTrail(world)
    for (const [index, watcher] of world.watchers.entries()) await assertWatched(world, watcher, index)
  } finally {
    await world.close()
  }
}

async function assertTrail(world: World): Promise<void> {
  for (const [hub, id] of world.ids.entries()) await assertAsInReference(world, id, hub % 2)
  const { trail } = world.storage(0)
  const entries = await trail.read({ tenant: world.tenant, afterPosition: world.start, limit: 10_000 })
  assert.deepEqual(
    entries,
    entries.toSorted((a, b) => a.position - b.position),
  )
  for (const { record, facts } of world.reference.questions.values()) {
    const ownEntries: readonly Entry[] = entries.filter(({ id }) => id === record.id)
    const steps: readonly Entry[] = ownEntries.filter(({ revision }) => revision !== undefined)
    assert.deepEqual(
      steps.map(({ kind, revision }) => ({ kind, revision })),
      facts.filter(({ revision }) => revision !== undefined),
    )
    const refused = facts.filter(({ kind }) => kind === "refused").length + (world.reference.strays.get(record.id) ?? 0)
    assert.equal(ownEntries.length - steps.length, refused, "every refused attempt is noted once")
    assert.ok(!JSON.stringify(ownEntries).includes('"content"'))
    assert.ok(
      steps.every(({ parent }) => parent === record.parent),
      "every step tells what it belongs to",
    )
  }
}

/** A watch that was interrupted and resumed saw every step once and in order. */
async function assertWatched(world: World, watcher: Watcher, which: number): Promise<void> {
  const { scope, events } = watcher
  if (scope === undefined) return
  const tenant = await world.storage(1).trail.read({ tenant: world.tenant, afterPosition: world.start, limit: 10_000 })
  const expected = tenant.filter(({ id, parent, revision, detail }) => {
    if (revision === undefined) return false
    if ("id" in scope) return id === scope.id
    if ("tenant" in scope) return scope.parent === undefined || scope.parent === parent
    return detail.audience !== undefined && mayAnswer({ audience: detail.audience } as never, scope.principal)
  })
  if (watcher.connection === undefined && !watcher.isFinished) connect(world, watcher, which % 2)
  await until(() => watcher.isFinished || events.length >= expected.length, "a watch sees everything")
  await disconnect(watcher)
  const isForgotten = "id" in scope && !world.reference.questions.has(scope.id)
  assert.deepEqual(events, isForgotten ? expected.slice(0, events.length) : expected)
}
