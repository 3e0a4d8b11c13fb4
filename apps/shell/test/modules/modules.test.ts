// The modules for Python and Node, as programs, against the file contract: what they write, and what they make of
// answers. A language that this machine does not have is reported as not tried.

import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { beforeEach, describe, expect, it } from "vitest"
import { type AskedQuestion, type Call, type Exchange, runExchange } from "./exchange.ts"

type Json = Readonly<Record<string, unknown>>
type Answers = NonNullable<Call["answer"]>

interface OneCall {
  readonly name: string
  readonly args?: readonly unknown[]
  readonly options?: Json
  /** Seconds after which the program withdraws the question. */
  readonly withdrawn?: number
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 8))"]).status === 0

const languages = [
  {
    language: "Python",
    program: ["python3", here("asks.py")],
    hasWake: true,
    missing: hasPython ? undefined : "no Python 3.8 here",
  },
  { language: "Node", program: [process.execPath, here("asks.mjs")], hasWake: false, missing: undefined },
] as const

const hostile = 'it\'s "quoted", \\back\\slashed, -- $(id) `id`\n\ttwo: lines\r\n%s é 日本 🎉 \u0001 </script>'
const required = (properties: Json): Json => ({ type: "object", properties, required: Object.keys(properties) })
const confirmed = required({ confirmed: { type: "boolean" } })

const questions: readonly { readonly call: OneCall; readonly request: Json; readonly content?: Json }[] = [
  {
    call: { name: "ask", args: ["Which?", required({ a: { type: "string", title: hostile } })] },
    request: { message: "Which?", schema: required({ a: { type: "string", title: hostile } }), mode: "form" },
    content: { a: hostile },
  },
  {
    call: { name: "askConfirm", args: [hostile], options: { yes: "Deploy", no: "Not now", timeout: 1.5 } },
    request: { message: hostile, schema: confirmed, mode: "form", yes: "Deploy", no: "Not now", timeout: 1.5 },
    content: { confirmed: false },
  },
  {
    call: { name: "askChoice", args: ["Size?", ["s", "m", hostile]], options: { default: "m" } },
    request: {
      message: "Size?",
      schema: required({ choice: { type: "string", enum: ["s", "m", hostile], default: "m" } }),
      mode: "form",
    },
    content: { choice: "m" },
  },
  {
    call: { name: "askChoice", args: ["Where?", [["https://a:1", "Place: A"], "b"]] },
    request: {
      message: "Where?",
      schema: required({
        choice: {
          type: "string",
          oneOf: [
            { const: "https://a:1", title: "Place: A" },
            { const: "b", title: "b" },
          ],
        },
      }),
      mode: "form",
    },
    content: { choice: "https://a:1" },
  },
  {
    call: { name: "askChoices", args: ["Which?", ["a", "b"]], options: { minItems: 1, maxItems: 2, default: ["a"] } },
    request: {
      message: "Which?",
      schema: required({
        choices: {
          type: "array",
          items: { type: "string", enum: ["a", "b"] },
          minItems: 1,
          maxItems: 2,
          default: ["a"],
        },
      }),
      mode: "form",
    },
    content: { choices: ["a", "b"] },
  },
  {
    call: { name: "askChoices", args: ["Which?", { a: "The first", b: "The second" }] },
    request: {
      message: "Which?",
      schema: required({
        choices: {
          type: "array",
          items: {
            anyOf: [
              { const: "a", title: "The first" },
              { const: "b", title: "The second" },
            ],
          },
        },
      }),
      mode: "form",
    },
    content: { choices: [] },
  },
  {
    call: { name: "askText", args: ["Name?"], options: { field: 'a "b"', maxLength: 40, default: "x", timeout: 2 } },
    request: {
      message: "Name?",
      schema: required({ 'a "b"': { type: "string", maxLength: 40, default: "x" } }),
      mode: "form",
      timeout: 2,
    },
    content: { 'a "b"': hostile },
  },
  {
    call: { name: "askNumber", args: ["How many?"], options: { whole: true, minimum: 1, required: false } },
    request: {
      message: "How many?",
      schema: { type: "object", properties: { value: { type: "integer", minimum: 1 } }, required: [] },
      mode: "form",
    },
    content: { value: 3 },
  },
  {
    call: { name: "askDate", args: ["When?"], options: { field: "day" } },
    request: { message: "When?", schema: required({ day: { type: "string", format: "date" } }), mode: "form" },
    content: { day: "2026-01-31" },
  },
  {
    call: {
      name: "askForm",
      args: ["Who?", { name: { type: "string" }, age: { type: "integer" } }],
      options: { optional: ["age"] },
    },
    request: {
      message: "Who?",
      schema: {
        type: "object",
        properties: { name: { type: "string" }, age: { type: "integer" } },
        required: ["name"],
      },
      mode: "form",
    },
    content: { name: "Zoë" },
  },
  {
    call: { name: "askUrl", args: ["Sign it", "https://sign.example/a?b=c&d"], options: { wait: true } },
    request: { message: "Sign it", url: "https://sign.example/a?b=c&d", mode: "url", wait: true },
  },
  {
    call: { name: "askUrl", args: ["Sign it", "https://sign.example/"] },
    request: { message: "Sign it", url: "https://sign.example/", mode: "url" },
  },
  {
    call: { name: "askConnection", args: ["notes"], options: { scopes: ["notes.read"], message: "To list them" } },
    request: { message: "To list them", mode: "connection", provider: "notes", scopes: ["notes.read"] },
    content: { provider: "notes", account: "alice", scopes: ["notes.read"], socket: "/x/socket" },
  },
]

const noAnswers: readonly Json[] = [
  { action: "accept", content: { confirmed: false } },
  { action: "decline", content: null },
  { action: "cancel", content: null, reason: "withdrawn" },
  { action: "error", content: null, reason: "unsupported", message: "This client cannot ask." },
  { action: "error", content: null, reason: "timed_out" },
]

describe.each(languages)("the module for $language", ({ program, hasWake, missing }) => {
  beforeEach((context) => {
    if (missing !== undefined) context.skip(`not tried: ${missing}`)
  })

  const run = (
    calls: readonly OneCall[],
    options: Partial<Call> & { readonly plan?: Json } = {},
  ): Promise<Exchange> => {
    const { plan, ...rest } = options
    return runExchange({ programs: [program], args: { calls, ...plan }, ...rest })
  }

  it("asks each kind of question as the contract says, and returns the whole answer", async () => {
    const played = await run(
      questions.map(({ call }) => call),
      { answer: firstWith((index) => ({ action: "accept", content: questions[index]?.content ?? null })) },
    )
    expect(played.asked.map(({ number: _number, hasWake: _hasWake, ...request }) => request)).toEqual(
      questions.map(({ request }) => request),
    )
    expect(returnedBy(played)).toEqual(
      questions.map(({ content }) => ({ action: "accept", accepted: true, content: content ?? null })),
    )
  })

  it("returns reason, message and completed", async () => {
    const answers: readonly Json[] = [
      { action: "error", content: null, reason: "invalid_request", message: hostile },
      { action: "accept", content: null, completed: false },
    ]
    const calls = answers.map(() => ({ name: "askUrl", args: ["Pay", "https://pay.example/"] }))
    const played = await run(calls, { answer: firstWith((index) => answers[index] ?? {}) })
    expect(returnedBy(played)).toEqual(answers.map((one) => ({ ...one, accepted: one.action === "accept" })))
  })

  it("returns true from confirm() only for a Yes, and raises nothing for other answers", async () => {
    const answers = [...noAnswers, { action: "accept", content: { confirmed: true } }]
    const calls = answers.map(() => ({ name: "confirm", args: ["Sure?"], options: { no: "Keep" } }))
    const played = await run(calls, { answer: firstWith((index) => answers[index] ?? {}) })
    expect(returnedBy(played)).toEqual([...noAnswers.map(() => false), true])
    expect(played.ended[0]?.stderr).toBe("")
  })

  it.each([
    ["the server says so", { MCP_ELICIT_SUPPORTED: "0", MCP_ELICIT_REQUEST_FILE: undefined }],
    ["it runs outside a server", { MCP_ELICIT_SUPPORTED: undefined, MCP_ELICIT_REQUEST_FILE: undefined }],
    ["there is no request file", { MCP_ELICIT_REQUEST_FILE: undefined }],
  ])("answers unsupported, and continues, when %s", async (_case, environment) => {
    const calls = [{ name: "askText", args: ["Name?"] }, { name: "confirm", args: ["Sure?"] }, { name: "canAsk" }]
    const played = await run(calls, { environment: { MCP_ELICIT_FORM: "0", ...environment } })
    const message = expect.stringContaining("no way to ask")
    const answer = { action: "error", accepted: false, content: null, reason: "unsupported", message }
    expect(returnedBy(played)).toEqual([answer, false, false])
    expect(played.asked).toEqual([])
  })

  it("has several questions open at the same time, and gives each its own answer", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `question ${index}`)
    const calls = names.map((name) => ({ name: "askText", args: [name] }))
    const backwards: Answers = (open) =>
      open.length < names.length && left.size === names.length ? {} : answerLast(open, left)
    const left = new Set(names)
    const played = await run(calls, { plan: { atOnce: true }, answer: backwards })
    expect(returnedBy(played)).toEqual(names.map((value) => accepted({ value })))
  })

  it("shares the call with another program that asks", async () => {
    const calls = Array.from({ length: 5 }, (_, index) => ({ name: "askText", args: [`question ${index}`] }))
    const answer = firstWith((_index, { message }) => ({ action: "accept", content: { value: message } }))
    const played = await runExchange({ programs: [program, program], args: { calls }, answer })
    expect(new Set(played.asked.map(({ number }) => number)).size).toBe(10)
    for (const { stdout } of played.ended) {
      expect(JSON.parse(stdout)).toEqual(calls.map(({ args: [value] }) => accepted({ value })))
    }
  })

  it("notices an answer immediately: 20 questions do not wait for 20 polls", async () => {
    const calls = Array.from({ length: 20 }, () => ({ name: "confirm", args: ["Sure?"] }))
    const started = performance.now()
    const played = await run(calls, { answer: firstWith(() => ({ action: "decline", content: null })) })
    expect(returnedBy(played)).toEqual(calls.map(() => false))
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(new Set(played.asked.map((asked) => asked.hasWake))).toEqual(new Set([hasWake]))
  })

  it("polls for the answer where there are no notifications", async () => {
    const answer = firstWith(() => ({ action: "accept", content: { value: 1 } }))
    const played = await run([{ name: "askNumber", args: ["How many?"] }], { plan: { blind: true }, answer })
    expect(returnedBy(played)).toEqual([accepted({ value: 1 })])
    expect(played.asked.map(({ hasWake }) => hasWake)).toEqual([false])
  })

  it("withdraws a question", async () => {
    const played = await run([{ name: "askText", args: ["Name?"], withdrawn: 0.1 }])
    expect(returnedBy(played)).toEqual([{ action: "cancel", accepted: false, content: null, reason: "withdrawn" }])
    expect(played.withdrawn).toEqual(played.asked.map(({ number }) => number))
  })

  it("leaves no answer and no half-written file behind", async () => {
    const calls = [
      { name: "askText", args: ["Name?"] },
      { name: "confirm", args: ["Sure?"] },
    ]
    const { left } = await run(calls, { answer: firstWith(() => ({ action: "decline", content: null })) })
    expect(left.filter((name) => /response|tmp/.test(name))).toEqual([])
  })

  it("reads arguments, _meta and roots", async () => {
    const calls = [{ name: "meta" }, { name: "roots" }, { name: "require", args: ["calls"] }]
    const environment = { MCP_TOOL_META_JSON: '{"trace":"é"}', MCP_ROOTS_PATHS: "/a b\n/c" }
    const [meta, roots, args] = returnedBy(await run(calls, { environment })) as readonly unknown[]
    expect([meta, roots, args]).toEqual([{ trace: "é" }, ["/a b", "/c"], calls])
  })

  it("ends the call with invalid params when a required argument is missing", async () => {
    const played = await run([{ name: "require", args: ["path"] }])
    expect(played.ended[0]).toMatchObject({ code: 1, stdout: "", stderr: "The argument “path” is required.\n" })
    expect(played.error).toEqual({ code: -32602, message: "The argument “path” is required.", data: null })
  })

  it("reports log lines, and progress to a client that wants it", async () => {
    const calls = [
      { name: "progress", args: [1, hostile, 3] },
      { name: "progress", args: [2.5] },
      { name: "log", args: ["warning", { files: [hostile] }] },
    ]
    const exchange = await run(calls, { environment: { MCP_PROGRESS_TOKEN: "t" } })
    expect(exchange.progress.map((line) => (line as Json).params)).toEqual([
      { progressToken: "t", progress: 1, total: 3, message: hostile },
      { progressToken: "t", progress: 2.5, total: null, message: null },
    ])
    expect(exchange.logs).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/message",
        params: { level: "warning", logger: "asks", data: { files: [hostile] } },
      },
    ])
    expect((await run(calls, { environment: { MCP_PROGRESS_TOKEN: "" } })).progress).toEqual([])
  })

  it.each([
    ["is not cancelled", undefined, false],
    ["is cancelled", here("modules.test.ts"), true],
  ])("knows that a call %s", async (_case, MCP_CANCEL_FILE, expected) => {
    const environment = MCP_CANCEL_FILE === undefined ? {} : { MCP_CANCEL_FILE }
    expect(returnedBy(await run([{ name: "cancelled" }], { environment }))).toEqual([expected])
  })

  it("prints a result or an error in the envelope of the shell helpers, and ends the program there", async () => {
    const done = await run(
      [
        { name: "result", args: [{ files: [hostile] }] },
        { name: "result", args: [2] },
      ],
      { plan: { silent: true } },
    )
    const envelope = { success: true, result: { files: [hostile] } }
    expect(JSON.parse(done.ended[0]?.stdout ?? "")).toEqual({
      content: [{ type: "text", text: expect.any(String) }],
      structuredContent: envelope,
      isError: false,
    })
    const refusal = { name: "error", args: ["not_found", hostile], options: { hint: "Look again." } }
    const failed = await run([refusal, { name: "result", args: [2] }], { plan: { silent: true } })
    expect(JSON.parse(failed.ended[0]?.stdout ?? "")).toEqual({
      content: [{ type: "text", text: hostile }],
      structuredContent: { success: false, error: { type: "not_found", message: hostile, hint: "Look again." } },
      isError: true,
    })
  })
})

const accepted = (content: Json): Json => ({ action: "accept", accepted: true, content })

const returnedBy = ({ ended }: Exchange): unknown => {
  expect(ended[0]?.code, ended[0]?.stderr).toBe(0)
  return JSON.parse(ended[0]?.stdout ?? "")
}

/** Answers each question when it arrives. `index` is the number of questions before it. */
function firstWith(respond: (index: number, asked: AskedQuestion) => Json): Answers {
  let index = 0
  return (open) => Object.fromEntries(open.map((asked) => [asked.number, respond(index++, asked)]))
}

function answerLast(open: readonly AskedQuestion[], left: Set<string>): Readonly<Record<string, Json>> {
  const last = open.at(-1)
  if (last === undefined) return {}
  left.delete(String(last.message))
  return { [last.number]: { action: "accept", content: { value: last.message } } }
}
