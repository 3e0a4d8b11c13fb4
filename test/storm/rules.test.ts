// Each rule of the storm finds the fault that it is for, in facts that are made up, and nothing in facts that are right.

import { describe, expect, it } from "vitest"
import type { AnswerFact, Facts, QuestionFact, WorkFact } from "./facts.ts"
import { hasSlackEnd, joinSlackReply, outcomeIn } from "./history.ts"
import { createRandom } from "./random.ts"
import { reconcile } from "./reconcile.ts"

const none: Facts = {
  owedPlaces: new Set(),
  ...{ questions: [], effects: [], answers: [], ends: [], works: [], streams: [] },
  ...{ open: [], webhooks: [], messages: [], processes: [], outputs: [] },
}

const question = (said: "yes" | "no"): QuestionFact => ({
  ...{ id: "q1", message: "Transfer k1x?" },
  ...(said === "yes" ? { status: "completed", said } : { status: "declined" }),
})

const answer = (said: "yes" | "no", more: Partial<AnswerFact> = {}): AnswerFact => ({
  ...{ question: "q1", by: "ada", said, via: "run", sentAt: 10, heardAt: 20, httpStatus: 200, words: "" },
  told: said === "yes" ? "completed" : "declined",
  ...more,
})

const work = (more: Partial<WorkFact> = {}): WorkFact => ({
  ...{ key: "k1x", surface: "chat", told: "done", words: "done k1x", isBegun: true, hasEffect: true, needsYes: true },
  ...more,
})

const events = (...numbers: number[]) => numbers.map((number) => ({ number, data: `{"n":${number}}` }))

const approved: Facts = {
  ...none,
  questions: [question("yes")],
  answers: [answer("yes")],
  ends: [{ question: "q1", status: "completed", where: "the stream" }],
  effects: [{ key: "k1x", at: 30 }],
  works: [work()],
  streams: [{ id: "s1", where: "run stream", events: events(1, 2), hasEnd: true, log: events(1, 2) }],
}

const rulesOf = (facts: Facts): readonly string[] => reconcile(facts).map(({ rule }) => rule)

it("finds nothing when an approved act was done once and said to be done", () => {
  expect(reconcile(approved)).toEqual([])
})

it("finds nothing when a refused act was not done", () => {
  const refused = { questions: [question("no")], answers: [answer("no")], ends: [], effects: [] }
  expect(reconcile({ ...approved, ...refused, works: [work({ told: "not done" })] })).toEqual([])
})

it("finds nothing when a reply waits for the lease of a dead process", () => {
  const works = [work({ told: undefined, place: "T0:C0:1.2" })]
  expect(reconcile({ ...approved, works, owedPlaces: new Set(["T0:C0:1.2"]) })).toEqual([])
})

it("finds nothing in a stream that is still open, and in work that never began", () => {
  const works = [work({ told: undefined, isBegun: false })]
  const streams = [{ id: "s1", where: "run stream", events: events(1), hasEnd: false }]
  expect(reconcile({ ...none, works, streams })).toEqual([])
})

describe("questions", () => {
  it.each<[string, Partial<Facts>]>([
    ["two truths", { ends: [{ question: "q1", status: "declined", where: "the stream" }] }],
    ["two truths", { ends: [{ question: "q1", status: "completed", said: "no", where: "the program" }] }],
    ["question lost", { ends: [{ question: "q2", status: "completed", where: "the stream" }] }],
    ["answer accepted and lost", { answers: [answer("yes"), answer("no")] }],
  ])("finds “%s”", (rule, facts) => {
    expect(rulesOf({ ...approved, ...facts })).toEqual([rule])
  })
})

describe("effects", () => {
  const late = (more: Partial<AnswerFact>): AnswerFact =>
    answer("no", { httpStatus: 409, told: "completed", heardAt: 100, ...more })

  it.each<[string, Partial<Facts>]>([
    ["effect done twice", { effects: [...approved.effects, { key: "k1x", at: 31 }] }],
    ["effect without a Yes", { questions: [], answers: [], ends: [] }],
    ["effect without a Yes", { questions: [question("no")], answers: [], ends: [] }],
    ["effect after a No", { answers: [late({ words: "The No came in time: it stops." })] }],
    ["effect after a No", { answers: [late({})], effects: [{ key: "k1x", at: 19_000 }] }],
  ])("finds “%s”", (rule, facts) => {
    expect(rulesOf({ ...approved, ...facts })).toEqual([rule])
  })

  it("takes a Yes to the same words when the same was asked again and agreed to", () => {
    const left = { ...question("no"), id: "q0", status: "pending" }
    expect(rulesOf({ ...approved, questions: [left, question("yes")] })).toEqual([])
    expect(rulesOf({ ...approved, questions: [left], answers: [], ends: [] })).toEqual(["effect without a Yes"])
  })

  const refused = (isFirst: boolean): Partial<Facts> => ({
    questions: [{ ...question("yes"), noes: [{ by: "ada", isFirst }] }],
    answers: [late({})],
  })

  it("finds an effect that began after a No at any time, and a No that was answered and not stored", () => {
    expect(rulesOf({ ...approved, ...refused(true) })).toEqual(["effect after a No"])
    expect(rulesOf({ ...approved, ...refused(false) })).toEqual([])
    expect(rulesOf({ ...approved, ...refused(true), effects: [], works: [work({ told: "not done" })] })).toEqual([])
    const lost = { ...question("yes"), noes: [{ by: "ben", isFirst: false }] }
    expect(rulesOf({ ...approved, ...refused(true), questions: [lost] })).toEqual(["No lost"])
  })

  it("finds nothing when a No came too late, and said so", () => {
    const answers = [late({ words: "The No came too late: what was agreed to had begun at 12:00." })]
    expect(rulesOf({ ...approved, answers, effects: [{ key: "k1x", at: 19_000 }] })).toEqual([])
  })

  it("finds nothing when an effect needs no Yes", () => {
    expect(rulesOf({ ...approved, questions: [], answers: [], ends: [], works: [work({ needsYes: false })] })).toEqual(
      [],
    )
  })
})

describe("what is said in the end", () => {
  it.each<[string, Partial<Facts>]>([
    ["done, and said otherwise", { works: [work({ told: "failed", words: "The model could not be used." })] }],
    ["done, and said otherwise", { works: [work({ told: "not done" })] }],
    ["person never asked", { effects: [], questions: [], answers: [], ends: [], works: [work({ told: "not done" })] }],
    ["said to be done, and not done", { effects: [] }],
    ["work without an end", { works: [work({ told: undefined })] }],
  ])("finds “%s”", (rule, facts) => {
    expect(rulesOf({ ...approved, ...facts })).toEqual([rule])
  })

  it("finds nothing when it is said that the outcome is unknown", () => {
    expect(rulesOf({ ...approved, works: [work({ told: "unknown" })] })).toEqual([])
    expect(rulesOf({ ...approved, works: [work({ told: "unknown" })], effects: [] })).toEqual([])
  })
})

describe("streams", () => {
  const stream = { id: "s1", where: "run stream", hasEnd: true }
  it.each<[string, object]>([
    ["event lost", { events: events(1, 3) }],
    ["event twice", { events: events(1, 1, 2) }],
    ["stream without its end", { events: [...events(1), { number: -1, data: "[DONE] without an end" }] }],
    ["stream differs from the log", { events: events(1, 2), log: events(1, 2, 3) }],
    ["stream differs from the log", { events: events(1, 2), log: [...events(1), { number: 2, data: "other" }] }],
  ])("finds “%s”", (rule, more) => {
    expect(rulesOf({ ...approved, streams: [{ ...stream, events: [], ...more }] })).toEqual([rule])
  })
})

describe("votes", () => {
  const votes = [
    { by: "ada", said: "yes" },
    { by: "ben", said: "yes" },
  ]
  const voted: Facts = {
    ...approved,
    questions: [{ ...question("yes"), approvals: 2, votes }],
    answers: [answer("yes"), answer("yes", { by: "ben" })],
  }

  it("finds nothing when two people agreed", () => {
    expect(reconcile(voted)).toEqual([])
  })

  it.each<[string, Partial<Facts>]>([
    ["agreed with too few votes", { questions: [{ ...question("yes"), approvals: 3, votes }] }],
    ["vote counted twice", { questions: [{ ...question("yes"), votes: [...votes, { by: "ada", said: "yes" }] }] }],
    ["vote that no person cast", { answers: [answer("yes")] }],
    ["vote lost", { answers: [...voted.answers, answer("yes", { by: "cleo" })] }],
    [
      "question asked twice",
      {
        works: [work({ surface: "program votes", hasEffect: false }), work()],
        questions: [...voted.questions, { ...question("yes"), id: "q2" }],
      },
    ],
  ])("finds “%s”", (rule, facts) => {
    expect(rulesOf({ ...voted, ...facts })).toEqual([rule])
  })
})

describe("webhooks and messages", () => {
  const webhook = {
    endpoint: "shop",
    question: "q1",
    type: "question.settled",
    received: 0,
    overdueMs: 0,
    hangs: false,
  }

  it.each<[string, Partial<Facts>]>([
    ["webhook lost", { webhooks: [webhook] }],
    ["webhook lost", { webhooks: [{ ...webhook, delivery: "accepted" }] }],
    ["webhook given up", { webhooks: [{ ...webhook, delivery: "failed" }] }],
    ["webhook stuck", { webhooks: [{ ...webhook, delivery: "owed", overdueMs: 20_000 }] }],
    [
      "message never withdrawn",
      { messages: [{ outlet: "a mailbox", about: "k1x", isWithdrawn: false, isOwed: false }] },
    ],
  ])("finds “%s”", (rule, facts) => {
    expect(rulesOf({ ...approved, ...facts })).toEqual([rule])
  })

  it("finds nothing when an event was received, or its receiver hangs", () => {
    const webhooks = [
      { ...webhook, received: 1 },
      { ...webhook, delivery: "owed" },
      { ...webhook, hangs: true, delivery: "owed", overdueMs: 20_000 },
    ]
    expect(reconcile({ ...approved, webhooks })).toEqual([])
  })
})

describe("what is left", () => {
  const failed = { node: "node 1", isAsked: true, how: "1", lastWords: "holdpoint: Postgres cannot be reached: …" }

  it("finds a question that was asked again after its process died, and left open", () => {
    const left = { ...question("yes"), id: "q0", status: "pending", said: undefined }
    const open = [{ kind: "question", id: "q0", state: left.message }]
    expect(rulesOf({ ...approved, questions: [left, question("yes")], open })).toEqual(["question stuck"])
  })

  it("finds nothing in a question whose client gave up its call", () => {
    const works = [work({ told: "unknown", isBegun: false })]
    const open = [{ kind: "question", id: "q1", state: "Transfer k1x?" }]
    expect(reconcile({ ...approved, works, open })).toEqual([])
    expect(rulesOf({ ...approved, open })).toEqual(["question stuck"])
  })

  it("finds nothing in a run that asks for a message whose client did not learn that it was accepted", () => {
    const works = [work({ told: undefined, isBegun: false })]
    const run = { kind: "run", id: "r1", state: "waiting, with a call, asks “Transfer k1x?”" }
    expect(reconcile({ ...none, works, open: [run] })).toEqual([])
    expect(rulesOf({ ...none, works, open: [{ ...run, state: "waiting, with a call" }] })).toEqual(["run stuck"])
  })

  it("finds nothing when another program took the port of a node", () => {
    const lastWords = "holdpoint: Port 20607 of 127.0.0.1 is taken.\nStop the program that uses it."
    expect(reconcile({ ...approved, processes: [{ node: "node 1", isAsked: false, how: "2", lastWords }] })).toEqual([])
  })

  it("finds nothing when a process that is asked to end cannot reach its database", () => {
    expect(reconcile({ ...approved, processes: [failed] })).toEqual([])
  })

  it.each<[string, Partial<Facts>]>([
    ["run stuck", { open: [{ kind: "run", id: "r1", state: "running, without a call" }] }],
    ["process ended by itself", { processes: [{ node: "node 1", isAsked: false, how: "1", lastWords: "" }] }],
    ["process ended wrongly", { processes: [{ node: "node 1", isAsked: true, how: "SIGABRT", lastWords: "" }] }],
    ["process ended by itself", { processes: [{ ...failed, isAsked: false }] }],
    ["output of a fault", { outputs: [{ node: "node 1", line: "TypeError: x is undefined" }] }],
  ])("finds “%s”", (rule, facts) => {
    expect(rulesOf({ ...approved, ...facts })).toEqual([rule])
  })
})

describe("what a person reads", () => {
  it("says nothing about the person when no process lived long enough to ask them", () => {
    const words = "ERROR: The server stopped 2 times while it worked on this step, so the step was given up."
    expect(outcomeIn(words, "k1x")).toBe("failed")
    expect(outcomeIn(`${words} “pay” was called before: check what it has done.`, "k1x")).toBe("unknown")
    expect(outcomeIn(`The result is: done k1x ${words}`, "k1x")).toBe("done")
    expect(outcomeIn("The reply was stopped.", "k1x")).toBe("not done")
  })

  it("does not end in Slack while the result is not written yet", () => {
    expect(hasSlackEnd("The result is: \nAnswered: Pay.")).toBe(false)
    expect(hasSlackEnd("One moment. The result is: done k1x\nAnswered: Pay.")).toBe(true)
    const split = "The result is: done \nAnswered by <@U0EMIL>: Pay.\nk1x"
    expect([hasSlackEnd(split), outcomeIn(joinSlackReply(split), "k1x")]).toEqual([true, "done"])
    expect(hasSlackEnd("One moment. The result \nAnswered by <@U0ADA>: Pay.\nis: done k1x")).toBe(true)
  })
})

it("takes everything random from the seed", () => {
  const draw = (seed: number) => {
    const random = createRandom(seed).fork("an actor")
    return [random.next(), random.between(1, 1_000), random.pick(["a", "b", "c"]), random.chance(0.5)]
  }
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
})
