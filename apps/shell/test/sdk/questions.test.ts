// The functions of tool-sdk.sh that ask, run by scripts in each shell of this machine: their requests and their output.

import { beforeEach, describe, expect, it } from "vitest"
import type { AskedQuestion } from "../modules/exchange.ts"
import { accepted, answerEach, ask, hostile, type Json, printedBy, printing, requestsOf, values } from "./asking.ts"
import { pathWithout, quoted, shells, tryIn } from "./shells.ts"

const form = (properties: Json, required = Object.keys(properties)): Json => ({
  ...{ schema: { type: "object", properties, required }, mode: "form" },
})
const words = (list: readonly string[]): string => list.map(quoted).join(" ")
const labelled = values.map((value) => ({ const: value, title: `Label: ${value}` }))
const escaped = (text: string): string => text.replaceAll(":", "\\:")
// A backslash before the colon would make it part of the value.
const titled = labelled.filter((one) => !one.const.endsWith("\\"))
const pairs = words(titled.map((one) => `${escaped(one.const)}:${one.title}`))
const named = (field: string): Json => form({ [field]: { type: "string" } })

const questions: readonly (readonly [code: string, request: Json])[] = [
  [`mcp_elicit ${quoted(hostile)} '{"type":"object"}'`, { message: hostile, schema: { type: "object" }, mode: "form" }],
  [
    `mcp_elicit 'Which?' ${quoted('\n {"type":"object",\n"title":"é"}\n')} 1.5`,
    { message: "Which?", schema: { type: "object", title: "é" }, mode: "form", timeout: 1.5 },
  ],
  ["mcp_elicit 'Which?' '{}' 30 form", { message: "Which?", schema: {}, mode: "form", timeout: 30 }],
  [`mcp_elicit_confirm ${quoted(hostile)}`, { message: hostile, ...form({ confirmed: { type: "boolean" } }) }],
  [
    `mcp_elicit_confirm --yes --yes ${quoted(hostile)} --no --yes --timeout 0.5`,
    { message: "--yes", ...form({ confirmed: { type: "boolean" } }), yes: hostile, no: "--yes", timeout: 0.5 },
  ],
  [`mcp_elicit_string ${quoted(hostile)}`, { message: hostile, ...named("value") }],
  ...values
    .filter((value) => !value.startsWith("--"))
    .map((value) => [`mcp_elicit_string -- ${quoted(value)}`, { message: "--", ...named(value) }] as const),
  [
    `mcp_elicit_string 'Name?' name --title ${quoted(hostile)} --description --title --default -1 --min 1 --max 40 --optional --timeout 2`,
    {
      message: "Name?",
      ...form(
        {
          name: { type: "string", title: hostile, description: "--title", default: "-1", minLength: 1, maxLength: 40 },
        },
        [],
      ),
      timeout: 2,
    },
  ],
  ["mcp_elicit_email 'Mail?'", { message: "Mail?", ...form({ value: { type: "string", format: "email" } }) }],
  [
    "mcp_elicit_date 'When?' day --default 2026-01-31",
    { message: "When?", ...form({ day: { type: "string", format: "date", default: "2026-01-31" } }) },
  ],
  [
    "mcp_elicit_number 'How much?' --min -1.5 --max 1e3 --default 0.25",
    { message: "How much?", ...form({ value: { type: "number", minimum: -1.5, maximum: 1000, default: 0.25 } }) },
  ],
  [
    "mcp_elicit_integer 'How many?' n --min 0",
    { message: "How many?", ...form({ n: { type: "integer", minimum: 0 } }) },
  ],
  [
    `mcp_elicit_choice 'Which?' ${words(values)}`,
    { message: "Which?", ...form({ choice: { type: "string", enum: values } }) },
  ],
  [
    `mcp_elicit_choice 'Which?' --default -n --title ${quoted(hostile)} --timeout 9 -- ${words(values)}`,
    {
      message: "Which?",
      ...form({ choice: { type: "string", enum: values, default: "-n", title: hostile } }),
      timeout: 9,
    },
  ],
  [
    "mcp_elicit_choice 'Which?' --default x",
    { message: "Which?", ...form({ choice: { type: "string", enum: ["--default", "x"] } }) },
  ],
  [
    `mcp_elicit_titled_choice 'Which?' ${pairs}`,
    { message: "Which?", ...form({ choice: { type: "string", oneOf: titled } }) },
  ],
  [
    "mcp_elicit_titled_choice 'Which?' plain ':empty' 'a:b:c' 'a\\:b:c' 'a\\\\:b'",
    {
      message: "Which?",
      ...form({
        choice: {
          type: "string",
          oneOf: [
            { const: "plain", title: "plain" },
            { const: "", title: "empty" },
            { const: "a", title: "b:c" },
            { const: "a:b", title: "c" },
            { const: "a\\:b", title: "a\\:b" },
          ],
        },
      }),
    },
  ],
  [
    `mcp_elicit_multi_choice 'Which?' --min 1 --max 2 --default -n --default '*' -- ${words(values)}`,
    {
      message: "Which?",
      ...form({
        choices: {
          type: "array",
          items: { type: "string", enum: values },
          minItems: 1,
          maxItems: 2,
          default: ["-n", "*"],
        },
      }),
    },
  ],
  [
    `mcp_elicit_titled_multi_choice 'Which?' ${pairs}`,
    { message: "Which?", ...form({ choices: { type: "array", items: { anyOf: titled } } }) },
  ],
  [
    `mcp_form --string ${quoted(hostile)} --title ${quoted(hostile)} --email mail --optional --uri link --number price --min 0.5 --integer n --default 3 ` +
      "--boolean urgent --default true --date due --date-time at --choice size --option s:Small --option l:Large --default l " +
      "--choices tags --option a --option 'b\\:c' --max 1 | mcp_elicit_form 'Order?' --timeout 60",
    {
      message: "Order?",
      ...form(
        {
          [hostile]: { type: "string", title: hostile },
          mail: { type: "string", format: "email" },
          link: { type: "string", format: "uri" },
          price: { type: "number", minimum: 0.5 },
          n: { type: "integer", default: 3 },
          urgent: { type: "boolean", default: true },
          due: { type: "string", format: "date" },
          at: { type: "string", format: "date-time" },
          size: {
            type: "string",
            oneOf: [
              { const: "s", title: "Small" },
              { const: "l", title: "Large" },
            ],
            default: "l",
          },
          tags: {
            type: "array",
            items: {
              anyOf: [
                { const: "a", title: "a" },
                { const: "b:c", title: "b:c" },
              ],
            },
            maxItems: 1,
          },
        },
        [hostile, "link", "price", "n", "urgent", "due", "at", "size", "tags"],
      ),
      timeout: 60,
    },
  ],
  [
    `mcp_elicit_url ${quoted(hostile)} 'https://a.example/?b="c"&d'`,
    { message: hostile, url: 'https://a.example/?b="c"&d', mode: "url" },
  ],
  [
    "mcp_elicit_url Sign https://a.example/ 30",
    { message: "Sign", url: "https://a.example/", mode: "url", timeout: 30 },
  ],
  [
    "mcp_elicit_url Sign https://a.example/ 2.5 --wait",
    { message: "Sign", url: "https://a.example/", mode: "url", wait: true, timeout: 2.5 },
  ],
  [
    "mcp_elicit_url Sign https://a.example/ --wait --timeout 7",
    { message: "Sign", url: "https://a.example/", mode: "url", wait: true, timeout: 7 },
  ],
  ["mcp_connection notes", { message: "Connect your notes account.", mode: "connection", provider: "notes" }],
  [
    `mcp_connection notes --scopes 'notes.read  notes.write,x:{y' --message ${quoted(hostile)} --timeout 60`,
    {
      message: hostile,
      mode: "connection",
      provider: "notes",
      scopes: ["notes.read", "notes.write", "x:{y"],
      timeout: 60,
    },
  ],
]

describe.each(shells)("in $shell", (shell) => {
  beforeEach(tryIn(shell))

  it("asks each kind of question as the contract says, and prints the whole answer", async () => {
    const answer = answerEach((index) => ({ action: "accept", content: { index, text: hostile }, completed: false }))
    const played = await ask(printing(questions.map(([code]) => code)), { shell, answer })
    expect(played.ended[0]).toMatchObject({ code: 0, stderr: "" })
    expect(requestsOf(played)).toEqual(questions.map(([, request]) => request))
    expect(printedBy(played)).toEqual(
      questions.map((_question, index) => ({ action: "accept", content: { index, text: hostile }, completed: false })),
    )
    expect(played.asked.every(({ hasWake }) => hasWake)).toBe(true)
    expect(played.left.filter((name) => name.startsWith("elicit"))).toEqual([])
  })

  it("exits 0 for every answer, and mcp_confirm is true only for a Yes", async () => {
    const answers: readonly Json[] = [
      accepted({ confirmed: true }),
      accepted({ confirmed: false }),
      { action: "decline", content: null, message: hostile },
      { action: "cancel", content: null, reason: "withdrawn" },
      { action: "error", content: null, reason: "expired" },
      { action: "error", content: null, reason: "client_error", message: "It broke." },
    ]
    const codes = answers.map(() => "mcp_elicit_confirm 'Sure?'")
    const printed = await ask(printing(codes), { shell, answer: answerEach((index) => answers[index] ?? {}) })
    expect(printedBy(printed)).toEqual(answers)
    const confirming = answers.map(() => "if mcp_confirm 'Sure?' --no Keep; then printf 'yes '; else printf 'no '; fi")
    const confirmed = await ask(confirming, { shell, answer: answerEach((index) => answers[index] ?? {}) })
    expect(confirmed.ended[0]).toEqual({ code: 0, stdout: "yes no no no no no ", stderr: "" })
  })

  it("answers invalid_request without asking when a question is incomplete or has a wrong option", async () => {
    const codes = [
      "mcp_elicit_choice 'Which?'",
      "mcp_elicit_choice 'Which?' --default a --",
      "mcp_elicit_confirm 'Sure?' --maybe x",
      "mcp_elicit_confirm 'Sure?' --yes",
      "mcp_elicit_string 'Name?' name --option a",
      "mcp_elicit_date 'When?' --min 1",
      "mcp_elicit 'Which?' ''",
      "mcp_form --string | mcp_elicit_form 'Who?'",
    ]
    const played = await ask(["set +e", ...printing(codes)], { shell })
    const answers = printedBy(played).filter((one) => typeof one === "object")
    expect(answers).toEqual(
      codes.map(() => ({ action: "error", content: null, reason: "invalid_request", message: expect.any(String) })),
    )
    expect(played.asked).toEqual([])
  })

  it.each([
    ["the server says so", { MCP_ELICIT_SUPPORTED: "0", MCP_ELICIT_REQUEST_FILE: undefined }],
    ["it runs outside of a server", { MCP_ELICIT_SUPPORTED: undefined, MCP_ELICIT_REQUEST_FILE: undefined }],
    ["there is no request file", { MCP_ELICIT_REQUEST_FILE: undefined }],
  ])("answers unsupported with exit code 0 when %s", async (_case, environment) => {
    const codes = ["mcp_elicit_confirm 'Sure?'", "mcp_elicit_url Sign https://a.example/", "mcp_connection notes"]
    const played = await ask(printing(codes), { shell, environment: { MCP_ELICIT_FORM: "0", ...environment } })
    const message = expect.stringContaining("no way to ask")
    expect(printedBy(played)).toEqual(
      codes.map(() => ({ action: "error", content: null, reason: "unsupported", message })),
    )
  })

  it("answers failed when the server's folder is gone", async () => {
    const environment = { MCP_ELICIT_REQUEST_FILE: "/nonexistent folder/elicit.k.request" }
    const played = await ask(printing(["mcp_elicit_confirm 'Sure?'"]), { shell, environment })
    expect(printedBy(played)).toEqual([expect.objectContaining({ action: "error", reason: "failed" })])
  })

  it("asks from several subshells and programs at the same time, and gives each its own answer", async () => {
    const count = 6
    const lines = [
      `folder=\${MCP_ELICIT_REQUEST_FILE%/*}`,
      'for n in 1 2 3 4 5 6; do mcp_elicit_string "question $$ $n" >"$folder/out.$$.$n" & done',
      "wait",
      `for n in 1 2 3 4 5 6; do cat "$folder/out.$$.$n"; printf '\\0question %s %s\\0' "$$" "$n"; done`,
    ]
    let isComplete = false
    const backwards = (open: readonly AskedQuestion[]): Readonly<Record<string, Json>> => {
      isComplete ||= open.length === count * 2
      const last = open.at(-1)
      return isComplete && last !== undefined ? { [last.number]: accepted({ value: last.message }) } : {}
    }
    const played = await ask(lines, { shell, times: 2, answer: backwards })
    expect(new Set(played.asked.map(({ number }) => number)).size).toBe(count * 2)
    for (const { stdout, stderr } of played.ended) {
      expect(stderr).toBe("")
      const parts = stdout.split("\0").slice(0, -1)
      expect(parts).toHaveLength(count * 2)
      for (let at = 0; at < parts.length; at += 2)
        expect(JSON.parse(parts[at] ?? "")).toEqual(accepted({ value: parts[at + 1] }))
    }
  })

  it("never hands the answer for a killed script to another question", async () => {
    const lines = [
      "mcp_elicit_string first >/dev/null & pid=$!",
      `until [ -e "\${MCP_ELICIT_REQUEST_FILE%/*}/seen" ]; do sleep 0.01; done`,
      "kill -KILL $pid; wait $pid 2>/dev/null || :",
      ...printing(["mcp_elicit_string second", "mcp_elicit_string third"]),
    ]
    let isFirstAnswered = false
    const answer = (open: readonly AskedQuestion[]): Readonly<Record<string, Json>> => {
      const [first, next] = [
        open.find(({ message }) => message === "first"),
        open.find(({ message }) => message !== "first"),
      ]
      if (next === undefined) return {}
      if (first !== undefined && !isFirstAnswered) {
        isFirstAnswered = true
        return { [first.number]: accepted({ value: "late" }) }
      }
      return { [next.number]: accepted({ value: next.message }) }
    }
    const played = await ask(lines, { shell, answer, seen: "first" })
    expect(printedBy(played)).toEqual([accepted({ value: "second" }), accepted({ value: "third" })])
  })

  it("asks without FIFOs, and without TMPDIR", async () => {
    const answer = answerEach((index) => accepted({ value: index }))
    const environment = { PATH: pathWithout("jq", "mkfifo"), TMPDIR: undefined }
    // busybox has its own mkfifo, so PATH cannot hide it.
    const hide = shell.command[0] === "busybox" ? ["mkfifo() { return 1; }"] : []
    const played = await ask([...hide, ...printing(["mcp_elicit_string a", "mcp_elicit_string b"])], {
      shell,
      answer,
      environment,
    })
    expect(printedBy(played)).toEqual([accepted({ value: 0 }), accepted({ value: 1 })])
    expect(played.asked.map(({ hasWake }) => hasWake)).toEqual([false, false])
    expect(played.left.filter((name) => name.startsWith("elicit"))).toEqual([])
  })

  it("uses the exit codes of mcp-bash when MCP_ELICIT_STRICT is 1", async () => {
    const answers: readonly (readonly [Json, number])[] = [
      [accepted({ confirmed: true }), 0],
      [{ action: "decline", content: null }, 0],
      [{ action: "cancel", content: null }, 0],
      [{ action: "error", content: null, reason: "client_error" }, 0],
      [{ action: "error", content: null, reason: "unsupported" }, 0],
      [{ action: "error", content: null, reason: "expired" }, 1],
      [{ action: "error", content: null, reason: "timed_out" }, 1],
      [{ action: "cancel", content: null, reason: "withdrawn" }, 1],
    ]
    const environment = { MCP_ELICIT_STRICT: "1" }
    const codes = answers.map(() => "mcp_elicit_confirm 'Sure?'")
    const played = await ask(printing(codes), {
      shell,
      environment,
      answer: answerEach((index) => answers[index]?.[0] ?? {}),
    })
    expect(printedBy(played)).toEqual(answers.flatMap(([answer, code]) => (code === 0 ? [answer] : [answer, code])))
    const alone = await ask(printing(["mcp_elicit_confirm 'Sure?'"]), {
      shell,
      environment: { ...environment, MCP_ELICIT_SUPPORTED: "0" },
    })
    expect(printedBy(alone)).toEqual([expect.objectContaining({ reason: "unsupported" }), 1])
  })

  it("takes the time limit from MCPBASH_ELICITATION_TIMEOUT, unless the script sets one", async () => {
    const environment = { MCPBASH_ELICITATION_TIMEOUT: "45" }
    const codes = ["mcp_elicit_confirm a", "mcp_elicit_confirm b --timeout 5", "mcp_elicit_url c https://a.example/"]
    const played = await ask(printing(codes), { shell, environment, answer: answerEach(() => accepted()) })
    expect(requestsOf(played).map(({ timeout }) => timeout)).toEqual([45, 5, 45])
  })
})
