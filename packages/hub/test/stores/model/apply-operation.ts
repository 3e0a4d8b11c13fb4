// Applies a sequence of operations to the hubs and to the reference, and compares the two after every step.

import assert from "node:assert/strict"
import { isDeepStrictEqual } from "node:util"
import type { Answer, Audience, Draft, Elicitation, Hub, StepResult } from "../../../src/index.ts"
import { form, isHoldpointError, text } from "../../../src/index.ts"
import type { Operation, StepOperation } from "./operations.ts"
import type { Expected, ReferenceQuestion, Step } from "./reference.ts"
import { add, fullFor, holderOf, isOpen, join, mayAnswer, subjectsOf, take } from "./reference.ts"
import { abort, sweep, wait, wakeAll } from "./waits.ts"
import type { World } from "./world.ts"
import { connect, disconnect, within } from "./world.ts"

type Of<T extends Operation["type"]> = Extract<Operation, { type: T }>

const minute = 60_000

export async function applyOperation(world: World, operation: Operation): Promise<void> {
  const { clock } = world
  switch (operation.type) {
    case "nothing":
      return
    case "ask":
      await ask(world, operation)
      break
    case "race":
      await race(world, operation)
      break
    case "wait":
      await wait(world, operation.hub, targetOf(world, operation.target), operation.onAbort)
      break
    case "abort":
      await abort(world, operation.which)
      break
    case "watch":
      return watch(world, operation)
    case "list":
      return list(world, operation)
    case "get":
      return assertAsInReference(world, targetOf(world, operation.target), operation.hub)
    case "sweep":
      await sweep(world)
      break
    case "advance":
      // Longer times are set without firing timers, because the order of a month of timers is not specified.
      if (operation.ms > 25 * 60 * minute) clock.set(clock.now() + operation.ms)
      else await clock.advance(operation.ms)
      await sweep(world)
      break
    case "jump":
      clock.set(clock.now() + operation.ms)
      break
    case "back":
      clock.set(clock.now() - operation.ms)
      break
    case "restart":
      await restart(world, operation.hub)
      break
    default:
      await step(world, operation)
  }
  count(world, operation.type)
  await wakeAll(world)
}

async function ask(world: World, operation: Of<"ask">): Promise<void> {
  const { reference, clock } = world
  const draft = toDraft(world, operation)
  const now = clock.now()
  const result = await world
    .hub(operation.hub)
    .ask(draft)
    .catch((error: unknown) => (isHoldpointError(error) ? error.code : Promise.reject(error)))
  const holder = holderOf(reference, draft.key)
  if (holder !== undefined && !isSameQuestion(holder.record, draft)) {
    assert.equal(result, "key_conflict")
    return count(world, "ask key_conflict")
  }
  if (holder !== undefined) {
    count(world, isOpen(holder) ? `ask again ${holder.record.keyReuse}` : "ask again settled")
    join(holder, operation.hub, now)
    return assert.deepEqual(result, holder.record)
  }
  const full = fullFor(reference, subjectsOf({ audience: draft.audience } as Elicitation))
  if (full !== undefined) {
    assert.equal(result, full)
    return count(world, `ask ${full}`)
  }
  assert.ok(typeof result !== "string", `asked, and not ${result}`)
  const { mode, message, audience, key, parent, createdAt, expiresAt, status, revision, holders } = result
  const { message: words, audience: whom, key: under, parent: of } = draft
  const end = now + operation.lifetimeMs
  assert.deepEqual(
    [mode, message, audience, key, parent, createdAt, expiresAt, status, revision, holders],
    [operation.mode, words, whom, under, of, now, end, "pending", 1, 1],
  )
  assert.ok(!world.ids.includes(result.id))
  world.ids.push(result.id)
  add(reference, result, operation.hub)
  count(world, `ask ${operation.mode}${draft.key === undefined ? "" : ` ${operation.reuse}`}`)
  await assertAsInReference(world, result.id, 1 - operation.hub)
}

async function step(world: World, operation: StepOperation): Promise<void> {
  const isLast = operation.type === "complete" || operation.type === "fail"
  const id = (isLast && operation.target % 2 === 0 ? acceptedOf(world) : undefined) ?? targetOf(world, operation.target)
  const proposed = toStep(world, id, operation)
  const result = await act(world.hub(operation.hub), id, proposed)
  const expected = take(world.reference, id, proposed, world.clock.now())
  const existing = world.reference.questions.get(id)
  assert.ok(isAsExpected(result, expected, existing?.record), unexpected(result, expected, existing))
  count(world, `${proposed.type} ${expected.ok ? (expected.changed ? "done" : "same") : expected.code}`)
  await assertAsInReference(world, id, 1 - operation.hub)
}

/** Two concurrent steps: their results must equal those of one of the two sequential orders. */
async function race(world: World, { target, first, second }: Of<"race">): Promise<void> {
  const id = targetOf(world, target)
  const steps = [first, second].map((operation) => toStep(world, id, operation))
  const results = await Promise.all(steps.map((proposed, hub) => act(world.hub(hub), id, proposed)))
  const now = world.clock.now()
  const isOrder = (order: readonly number[], reference: World["reference"]): boolean =>
    order.every((index) => {
      const expected = take(reference, id, steps[index]!, now)
      return isAsExpected(results[index]!, expected, reference.questions.get(id)?.record)
    })
  const order = [
    [0, 1],
    [1, 0],
  ].find((candidate) => isOrder(candidate, structuredClone(world.reference)))
  assert.ok(order !== undefined, `no order explains ${JSON.stringify({ steps, results })}`)
  for (const index of order) take(world.reference, id, steps[index]!, now)
  await assertAsInReference(world, id, 0)
}

async function watch(world: World, { hub, which, target }: Of<"watch">): Promise<void> {
  const watcher = world.watchers[which]!
  if (watcher.connection !== undefined) {
    await disconnect(watcher)
    return count(world, "watch disconnected")
  }
  const id = world.ids[target % Math.max(1, world.ids.length)]
  const { tenant } = world
  const ofOne = id === undefined ? undefined : { id }
  const scopes = [{ tenant }, { principal: world.people[0]! }, ofOne, { tenant, ...parentOf({ parent: 1 }) }]
  count(world, watcher.scope === undefined ? "watch" : "watch resumed")
  watcher.scope ??= scopes[which]
  if (watcher.scope !== undefined && !watcher.isFinished) connect(world, watcher, hub)
}

async function list(world: World, { hub, by, parent, state }: Of<"list">): Promise<void> {
  const principal = world.people[by]
  const isListed = (question: ReferenceQuestion): boolean =>
    (principal === undefined || mayAnswer(question.record, principal)) &&
    (parent === 0 || question.record.parent === parentOf({ parent }).parent) &&
    (state === "all" || isOpen(question) === (state === "open"))
  const expected = [...world.reference.questions.values()]
    .filter(isListed)
    .map(({ record }) => record)
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  const who = { ...(principal === undefined ? {} : { principal }), ...parentOf({ parent }) }
  const listed = await world.hub(hub).list({ tenant: world.tenant, state, limit: 100, ...who })
  assert.deepEqual(listed, expected)
  const half = Math.ceil(expected.length / 2)
  const last = expected[half - 1]
  if (last !== undefined) {
    const after = { createdAt: last.createdAt, id: last.id }
    const remaining = await world.hub(hub).list({ tenant: world.tenant, state, limit: 100, ...who, after })
    assert.deepEqual(remaining, expected.slice(half))
  }
  count(world, parent === 0 ? "list" : "list of a parent")
}

async function restart(world: World, hub: number): Promise<void> {
  const gone = world.waits.filter((waiting) => waiting.hub === hub)
  world.waits = world.waits.filter((waiting) => waiting.hub !== hub)
  const watchers = world.watchers.filter(({ connection }) => connection?.hub === hub)
  const closed = Promise.all(gone.map(({ outcome }) => assert.rejects(outcome, { code: "closed" })))
  const ended = Promise.all(watchers.map(({ connection }) => connection?.ended))
  await world.restart(hub)
  await within(closed, "waits end when their hub closes")
  await within(ended, "watches end when their hub closes")
  for (const { holding, askers, stays } of world.reference.questions.values()) {
    for (const hubs of [holding, askers, stays]) hubs.delete(hub)
  }
  await sweep(world)
}

/** Returns an open question two times out of three, if there is one; otherwise any question that ever existed. */
function targetOf({ ids, reference }: World, target: number): string {
  const open = [...reference.questions.values()].filter(isOpen).map(({ record }) => record.id)
  const candidates = target < 6 && open.length > 0 ? open : ids
  return candidates[target % Math.max(1, candidates.length)] ?? "never-asked"
}

/** Prefers an accepted question, so that consents are completed often enough. */
function acceptedOf({ reference }: World): string | undefined {
  return [...reference.questions.values()].find(({ record }) => record.status === "accepted")?.record.id
}

function toDraft({ people, tenant }: World, operation: Of<"ask">): Draft & { audience: Audience } {
  const one = (index: number): Audience => ({ kind: "one", principal: identity(people[index]!) })
  const audiences: readonly Audience[] = [
    one(0),
    { kind: "any", principals: people.slice(0, 2).map(identity) },
    { kind: "role", tenant, role: "admin" },
    one(1),
  ]
  const base = {
    message: ["May this go out?", "May that go out?"][operation.message]!,
    audience: audiences[operation.audience]!,
    requester: { id: "asker" },
    lifetimeMs: operation.lifetimeMs,
    ...parentOf(operation),
    ...(operation.key === undefined ? {} : { key: `key ${operation.key}`, keyReuse: operation.reuse }),
  }
  if (operation.mode === "form") return { ...base, form: form({ note: text() }) } as Draft & { audience: Audience }
  return { ...base, url: (id) => `https://hub.example/connect/${id}` }
}

const parentOf = ({ parent }: { parent: number }): { parent?: string } =>
  parent === 0 ? {} : { parent: `call ${parent}` }

const identity = ({ tenant, issuer, subject }: World["people"][number]) => ({ tenant, issuer, subject })

const isSameQuestion = (record: Elicitation, draft: Draft & { audience: Audience }): boolean =>
  (record.mode === "form") === (draft.form !== undefined) &&
  record.message === draft.message &&
  isDeepStrictEqual(record.audience, draft.audience)

const askerSteps: Readonly<Record<"complete" | "fail" | "cancel", Step>> = {
  complete: { type: "complete" },
  fail: { type: "fail", reason: { code: "provider_error" } },
  cancel: { type: "withdraw", reason: { code: "asker_cancelled" } },
}

function toStep(world: World, id: string, operation: StepOperation): Step {
  const now = world.clock.now()
  if (operation.type !== "answer" && operation.type !== "open") return askerSteps[operation.type]
  const by = world.people[operation.by]
  if (operation.type === "open") return by === undefined ? { type: "open" } : { type: "open", by }
  const isForm = world.reference.questions.get(id)?.record.mode !== "url"
  const contents = isForm
    ? [{ note: "a" }, { note: "b" }, { note: 5 }]
    : [undefined, undefined, undefined, { note: "a" }]
  const content = operation.action === "accept" ? contents[operation.content] : undefined
  return {
    type: operation.action,
    by: by!,
    ...(content === undefined ? {} : { content }),
    ...(operation.isFlow && operation.action === "accept" && !isForm ? { expiresAt: now + 20 * minute } : {}),
  }
}

function act(hub: Hub, id: string, step: Step): Promise<StepResult> {
  switch (step.type) {
    case "open":
      return hub.open(id, step.by === undefined ? {} : { by: step.by })
    case "complete":
      return hub.complete(id)
    case "fail":
      return hub.fail(id, step.reason)
    case "withdraw":
      return hub.cancel(id, step.reason)
    default: {
      const { type: action, ...rest } = step
      return hub.answer(id, { action, ...rest } as Answer)
    }
  }
}

function isAsExpected(result: StepResult, expected: Expected, record: Elicitation | undefined): boolean {
  if (result.ok !== expected.ok) return false
  if (result.ok && expected.ok) {
    return result.changed === expected.changed && isDeepStrictEqual(result.elicitation, record)
  }
  if (result.ok || expected.ok) return false
  const { code, ended } = result.refusal
  if (ended?.status !== expected.ended) return false
  // A late answer is late, whether or not another hub had swept the question before.
  return code === expected.code || (ended?.status === "expired" && isLate(code) && isLate(expected.code))
}

const isLate = (code: string): boolean => code === "expired" || code === "already_settled"

const unexpected = (result: StepResult, expected: Expected, existing: ReferenceQuestion | undefined): string =>
  JSON.stringify({ result, expected, record: existing?.record })

export async function assertAsInReference(world: World, id: string, hub: number): Promise<void> {
  assert.deepEqual(await world.hub(hub).get(id), world.reference.questions.get(id)?.record)
}

export function count({ coverage }: World, what: string): void {
  coverage.set(what, (coverage.get(what) ?? 0) + 1)
}
