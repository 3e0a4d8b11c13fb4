// All operations on two hubs on one storage, as data that can be printed, shrunk and replayed. Targets are numbers,
// taken modulo what exists at that moment.

import fc from "fast-check"

export type Operation =
  | { readonly type: "nothing" }
  | {
      readonly type: "ask"
      readonly hub: number
      readonly mode: "form" | "url"
      readonly audience: number
      readonly key?: number
      readonly reuse: "always" | "open"
      readonly message: number
      readonly lifetimeMs: number
      readonly parent: number
    }
  | StepOperation
  | { readonly type: "race"; readonly target: number; readonly first: StepOperation; readonly second: StepOperation }
  | { readonly type: "wait"; readonly hub: number; readonly target: number; readonly onAbort: "cancel" | "leave" }
  | { readonly type: "abort"; readonly which: number }
  | { readonly type: "watch"; readonly hub: number; readonly which: number; readonly target: number }
  | {
      readonly type: "list"
      readonly hub: number
      readonly by: number
      readonly parent: number
      readonly state: "open" | "settled" | "all"
    }
  | { readonly type: "get"; readonly hub: number; readonly target: number }
  | { readonly type: "sweep" }
  | { readonly type: "advance" | "jump" | "back"; readonly ms: number }
  | { readonly type: "restart"; readonly hub: number }

export type StepOperation =
  | {
      readonly type: "answer"
      readonly hub: number
      readonly target: number
      readonly by: number
      readonly action: "accept" | "decline" | "cancel"
      readonly content: number
      readonly isFlow: boolean
    }
  | { readonly type: "open"; readonly hub: number; readonly target: number; readonly by: number }
  | { readonly type: "complete" | "fail" | "cancel"; readonly hub: number; readonly target: number }

const hub = fc.nat({ max: 1 })
/** Usually an open question: see `targetOf`. */
const target = fc.nat({ max: 8 })
/** 0 means no parent. */
const parent = fc.constantFrom(0, 0, 1, 2)
const person = fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3)
const sometimes = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 })
const minute = 60_000
const day = 24 * 60 * minute

const ask = fc
  .record({
    type: fc.constant("ask" as const),
    hub,
    mode: fc.constantFrom("form" as const, "url" as const),
    audience: fc.nat({ max: 3 }),
    key: sometimes(fc.nat({ max: 1 })),
    reuse: fc.constantFrom("always" as const, "open" as const),
    message: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
    lifetimeMs: fc.constantFrom(minute, 10 * minute, 10 * minute),
    parent,
  })
  .map(({ key, ...rest }): Operation => (key === undefined ? rest : { ...rest, key, audience: rest.audience % 2 }))

const answer: fc.Arbitrary<StepOperation> = fc.record({
  type: fc.constant("answer" as const),
  hub,
  target,
  by: person,
  action: fc.constantFrom("accept" as const, "accept" as const, "decline" as const, "cancel" as const),
  content: fc.nat({ max: 3 }),
  isFlow: fc.boolean(),
})
const open: fc.Arbitrary<StepOperation> = fc.record({
  type: fc.constant("open" as const),
  hub,
  target,
  by: fc.oneof(person, fc.constant(4)),
})
const settle: fc.Arbitrary<StepOperation> = fc.record({
  type: fc.constantFrom("complete" as const, "complete" as const, "fail" as const, "fail" as const, "cancel" as const),
  hub,
  target,
})
const step = fc.oneof(
  { weight: 6, arbitrary: answer },
  { weight: 2, arbitrary: open },
  { weight: 3, arbitrary: settle },
)

/** Usually steps that do not expire open questions. */
const ms = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(1, 1_000, 10_000) },
  { weight: 4, arbitrary: fc.constantFrom(minute - 1, minute, minute + 1) },
  { weight: 2, arbitrary: fc.constantFrom(10 * minute, day + 1, 31 * day) },
)
const advance = fc.record({
  type: fc.constantFrom("advance" as const, "jump" as const, "jump" as const, "back" as const),
  ms,
})

const weighted: readonly (readonly [number, fc.Arbitrary<Operation>])[] = [
  [1, fc.constant({ type: "nothing" })],
  [24, ask],
  [40, step],
  [6, fc.record({ type: fc.constant("race" as const), target, first: step, second: step })],
  [
    10,
    fc.record({
      type: fc.constant("wait" as const),
      hub,
      target,
      onAbort: fc.constantFrom("cancel" as const, "cancel" as const, "leave" as const),
    }),
  ],
  [6, fc.record({ type: fc.constant("abort" as const), which: target })],
  [8, fc.record({ type: fc.constant("watch" as const), hub, which: fc.nat({ max: 3 }), target })],
  [
    5,
    fc.record({
      type: fc.constant("list" as const),
      hub,
      by: fc.nat({ max: 4 }),
      parent,
      state: fc.constantFrom("open" as const, "settled" as const, "all" as const),
    }),
  ],
  [3, fc.record({ type: fc.constant("get" as const), hub, target })],
  [3, fc.record({ type: fc.constant("sweep" as const) })],
  [8, advance],
  [2, fc.record({ type: fc.constant("restart" as const), hub })],
]

/** Nearly always at least 20 effective operations; shrinking replaces unneeded ones with nothing. */
export const sequence: fc.Arbitrary<readonly Operation[]> = fc.array(
  fc.oneof({ withCrossShrink: true }, ...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary }))),
  { minLength: 24, maxLength: 36 },
)

export const stepsOf = (operations: readonly Operation[]): readonly Operation[] =>
  operations.filter(({ type }) => type !== "nothing")
