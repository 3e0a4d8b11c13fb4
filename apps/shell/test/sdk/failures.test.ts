// Where shell scripts that ask are known to fail: a No ends them, quotes break their questions, colons cut their
// values, and an accepted link passes for a finished one. Each has a test.

import { describe, expect, it } from "vitest"
import { accepted, answerEach, ask, type Json, printedBy, printing, requestsOf } from "./asking.ts"
import { check, shells } from "./shells.ts"

const [bash] = shells
if (bash === undefined) throw new Error("bash is the first of the shells")
const shell = bash

const propertiesOf = (request: Json): Json => (request.schema as { properties: Json }).properties

describe("a script under set -euo pipefail", () => {
  const lines = [
    "answer=$(mcp_elicit_confirm 'Overwrite?')",
    'printf "%s: kept" "$(mcp_json_get "$answer" ".reason // .action")"',
  ]

  it.each([
    ["timed_out", { action: "error", content: null, reason: "timed_out" }],
    ["expired", { action: "error", content: null, reason: "expired" }],
    ["cancel", { action: "cancel", content: null }],
    ["decline", { action: "decline", content: null }],
    ["client_error", { action: "error", content: null, reason: "client_error" }],
  ])("continues after %s", async (reason, answer) => {
    const { ended } = await ask(lines, { shell, answer: answerEach(() => answer) })
    expect(ended).toEqual([{ code: 0, stdout: `${reason}: kept`, stderr: "" }])
  })

  it("continues when the client cannot ask at all", async () => {
    const { ended } = await ask(lines, { shell, environment: { MCP_ELICIT_SUPPORTED: "0" } })
    expect(ended).toEqual([{ code: 0, stdout: "unsupported: kept", stderr: "" }])
  })
})

describe("a script that uses mcp_confirm as a condition", () => {
  it("asks nothing more after a decline", async () => {
    const lines = ["mcp_confirm 'Begin?' || { printf stopped; exit 0; }", "mcp_elicit_string 'Name?'"]
    const played = await ask(lines, { shell, answer: answerEach(() => ({ action: "decline", content: null })) })
    expect([played.ended[0]?.stdout, played.asked.length]).toEqual(["stopped", 1])
  })
})

describe("the answer to a link", () => {
  it("says whether the page is completed, and --wait asks to wait for that", async () => {
    const codes = ["mcp_elicit_url Pay https://pay.example/", "mcp_elicit_url Pay https://pay.example/ --wait"]
    const answer = answerEach((_index, { wait = false }) => ({ ...accepted(), completed: wait }))
    const played = await ask(printing(codes), { shell, answer })
    expect(printedBy(played)).toEqual([
      { action: "accept", content: null, completed: false },
      { action: "accept", content: null, completed: true },
    ])
  })
})

describe("a multiple choice with titles", () => {
  it("has its values in items.anyOf, as the specification says", async () => {
    const played = await ask(printing(["mcp_elicit_titled_multi_choice Which a:A b:B"]), {
      shell,
      answer: answerEach(() => accepted()),
    })
    const items = requestsOf(played).map((request) => (propertiesOf(request).choices as { items: Json }).items)
    expect(items.map(Object.keys)).toEqual([["anyOf"]])
  })
})

describe("a question with quotes, colons and newlines", () => {
  it.each([
    ["a field's name", "mcp_elicit_string Name 'a\"b'", { 'a"b': { type: "string" } }],
    [
      "a value with colons",
      "mcp_elicit_titled_choice Where 'http\\://a\\:1:Label: A'",
      { choice: { type: "string", oneOf: [{ const: "http://a:1", title: "Label: A" }] } },
    ],
    [
      "a value of several lines",
      "mcp_elicit_choice Which 'a\nb' c",
      { choice: { type: "string", enum: ["a\nb", "c"] } },
    ],
  ])("is not broken: %s arrives unchanged", async (_what, code, properties) => {
    const played = await ask(printing([code]), { shell, answer: answerEach(() => accepted()) })
    expect(requestsOf(played).map(propertiesOf)).toEqual([properties])
  })
})

describe("a time that is not a whole number", () => {
  it("is part of the question, and does not break the script", async () => {
    const codes = [
      "mcp_elicit A '{}' 0.5",
      "mcp_elicit_url A https://a.example/ 2.5",
      "mcp_elicit_confirm A --timeout .5",
      "mcp_elicit_confirm A --timeout soon",
    ]
    const played = await ask(printing(codes), { shell, answer: answerEach(() => accepted()) })
    expect(requestsOf(played).map(({ timeout }) => timeout)).toEqual([0.5, 2.5, ".5", "soon"])
    expect(played.ended[0]?.stderr).toBe("")
  })
})

describe("the default of an argument", () => {
  it("is printed instead of null", () => {
    check(shell, [{ code: "mcp_args_get .name --default World", stdout: "World" }])
  })
})
