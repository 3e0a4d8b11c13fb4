// JSON, results, errors, progress and log lines of tool-sdk.sh, in each shell of this machine.

import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { beforeEach, describe, expect, it } from "vitest"
import { hostile, type Json } from "./asking.ts"
import { check, quoted, runAll, shells, shellsAndJq, tryIn } from "./shells.ts"

const texts = [
  hostile,
  "",
  "-n",
  "--",
  "\\",
  '"',
  "a\n",
  "\n\n",
  "%d%%",
  "*",
  " x ",
  "\\n",
  "é",
  "\u007f",
  `${hostile}\n`.repeat(200),
]

describe.each(shellsAndJq)("in $shell", (shell) => {
  beforeEach(tryIn(shell))

  const parsed = (codes: readonly string[], env: NodeJS.ProcessEnv = {}): readonly unknown[] =>
    runAll(shell, codes, env).map(({ stdout, stderr, exit }) => {
      expect({ stderr, exit }).toEqual({ stderr: "", exit: 0 })
      return JSON.parse(stdout) as unknown
    })

  it("writes every text as JSON", () => {
    const codes = [
      ...texts.map((text) => `mcp_json_escape ${quoted(text)}`),
      `mcp_json_arr ${texts.map(quoted).join(" ")}`,
      "mcp_json_arr",
      `mcp_json_obj ${texts.map((text, index) => `${quoted(`${index}${text}`)} ${quoted(text)}`).join(" ")}`,
      "mcp_json_obj",
    ]
    const object = Object.fromEntries(texts.map((text, index) => [`${index}${text}`, text]))
    expect(parsed(codes)).toEqual([...texts, texts, [], object, {}])
    check(shell, [{ code: "mcp_json_obj a", stdout: "", exit: 1, stderr: "come in pairs" }])
  })

  it("distinguishes JSON from other text", () => {
    const valid = [
      "{}",
      "[]",
      " 1 ",
      "-0.5e-3",
      '"a\\"\\\\"',
      "null",
      '{"a":[{"b":"\\u00e9"},[]],"":1}',
      '["\\\\",","]',
      "[\n1\t,\r2 ]",
    ]
    const invalid = [
      "",
      " ",
      "{",
      '"a',
      '{"a":1,}',
      "[1 2]",
      "tru",
      '"\\x"',
      "1 2",
      "[1,,2]",
      '{"a"}',
      "01",
      "1.",
      ".5",
      "{a:1}",
      "['a']",
      '"a\nb"',
      '"a"b',
      "[1]]",
      "[".repeat(600),
    ]
    const cases = [...valid.map((text) => [text, 0] as const), ...invalid.map((text) => [text, 1] as const)]
    const ran = runAll(
      shell,
      cases.map(([text]) => `mcp_is_valid_json ${quoted(text)}`),
    )
    expect(ran.map(({ exit }, index) => [cases[index]?.[0], exit === 0 ? 0 : 1])).toEqual(cases)
  })

  it("prints results in their envelope, shortens long text, and reports data that is not JSON", () => {
    const data = { files: [hostile, 1.5, { a: null }], "é\n": true }
    const long = Array.from({ length: 3000 }, (_, index) => ({ index, text: '"' }))
    const file = join(makeScratchFolder("results"), "long.json")
    writeFileSync(file, JSON.stringify(long, null, 2))
    const [whole, short, list, wrong] = parsed([
      `mcp_result_success ${quoted(JSON.stringify(data, null, 2))}`,
      `mcp_result_success ${quoted(JSON.stringify(data))} 20`,
      `mcp_result_success "$(cat ${quoted(file)})" 1000`,
      "mcp_result_success '{nonsense'",
    ]) as readonly { content: readonly { text: string }[]; structuredContent: Json; isError: boolean }[]
    expect(whole).toEqual({
      content: [{ type: "text", text: JSON.stringify({ success: true, result: data }) }],
      structuredContent: { success: true, result: data },
      isError: false,
    })
    expect(short).toMatchObject({
      content: [{ text: expect.stringContaining("(members: 2)") }],
      structuredContent: { result: data },
    })
    expect(list).toMatchObject({
      content: [{ text: expect.stringContaining("(items: 3000)") }],
      structuredContent: { result: long },
    })
    expect(wrong).toMatchObject({
      isError: true,
      structuredContent: { success: false, error: { type: "internal_error" } },
    })
  })

  it("prints errors that always have a type and a message", () => {
    const codes = [
      `mcp_result_error ${quoted(JSON.stringify({ type: "not_found", message: hostile, at: 1 }))}`,
      "mcp_result_error '{}'",
      "mcp_result_error ''",
      `mcp_result_error "$(mcp_json_obj error 'No file' hint Look)"`,
      "mcp_result_error 'just words'",
      `mcp_error not_found ${quoted(hostile)} --hint ${quoted(hostile)} --data '{"a": [1]}'`,
      "mcp_error kind words --data nonsense --unknown x",
      "mcp_error",
    ]
    const errors = parsed(codes).map((one) => {
      const { content, structuredContent, isError } = one as {
        content: unknown
        structuredContent: Json
        isError: boolean
      }
      const { error, success } = structuredContent as { error: Json; success: boolean }
      expect({ content, success, isError }).toEqual({
        content: [{ type: "text", text: error.message }],
        success: false,
        isError: true,
      })
      return error
    })
    expect(errors).toEqual([
      { type: "not_found", message: hostile, at: 1 },
      { type: "internal_error", message: "Unknown error" },
      { type: "internal_error", message: "Unknown error" },
      { type: "internal_error", message: "No file", error: "No file", hint: "Look" },
      { type: "internal_error", message: expect.stringContaining("not a JSON object"), raw: "just words" },
      { type: "not_found", message: hostile, hint: hostile, data: { a: [1] } },
      { type: "kind", message: "words", data: { _invalid_json: "nonsense" } },
      { type: "internal_error", message: "Unknown error" },
    ])
  })

  it("shortens lists until they fit", () => {
    const truncate = (json: string, rest = ""): string => `mcp_json_truncate ${quoted(json)} ${rest}`
    expect(
      parsed([
        truncate("[1, 22, 333]", "8"),
        truncate('{"results":["a\\"b",22],"n":1}', "27"),
        truncate('{"d":{"x":[1,22,333]}}', "20 --array-path .d.x"),
        truncate('{"d":{"x":[]}}', "--array-path .d.x 500"),
        truncate('{"d":1}', "100"),
        truncate('["long item"]', "5"),
      ]),
    ).toEqual([
      { result: [1, 22], truncated: true, kept: 2, total: 3 },
      { result: { results: ['a"b'], n: 1 }, truncated: true, kept: 1, total: 2 },
      { result: { d: { x: [1, 22] } }, truncated: true, kept: 2, total: 3 },
      { result: { d: { x: [] } }, truncated: false, kept: 0, total: 0 },
      { result: { d: 1 }, truncated: false },
      { result: [], truncated: true, kept: 0, total: 1 },
    ])
    const types = parsed([
      truncate('{"d":1}', "3"),
      truncate('{"d":1}', "3 --array-path .d"),
      truncate('{"d":1}', "3 --array-path .e"),
      truncate('{"d":1}', "3 --array-path '.d;x'"),
      truncate('{"d":1}', "3 --array-path"),
      truncate("nonsense", "3"),
    ]).map((one) => (one as { error: Json }).error.type)
    expect(types).toEqual([
      ...["output_too_large", "invalid_array_path", "path_not_found"],
      ...["invalid_path_syntax", "invalid_path_syntax", "invalid_json"],
    ])
  })
})

describe.each(shells)("in $shell", (shell) => {
  beforeEach(tryIn(shell))

  it("prints text, JSON and lengths", () => {
    check(shell, [
      { code: "mcp_emit_text -n", stdout: "-n" },
      { code: `mcp_emit_text ${quoted(hostile)}`, stdout: hostile },
      { code: 'mcp_emit_json \'{ "a" : [ 1, " b " ] }\'', stdout: '{"a":[1," b "]}' },
      { code: "mcp_emit_json 'no json'", stdout: "no json" },
      { code: "mcp_byte_length é日", stdout: "5" },
      { code: "mcp_client_supports_ui", exit: 1 },
    ])
  })

  it("fails with a JSON-RPC error", () => {
    const error = join(makeScratchFolder("error"), "a b")
    const env = { MCP_TOOL_ERROR_FILE: error }
    const failures: readonly (readonly [string, Json])[] = [
      [`mcp_fail -32001 ${quoted(hostile)} '{"a": 1}'`, { code: -32001, message: hostile, data: { a: 1 } }],
      ["mcp_fail nonsense", { code: -32603, message: "Tool failed", data: null }],
      ["mcp_fail_invalid_args", { code: -32602, message: "Invalid params", data: null }],
      ["mcp_fail 7 words 'not json'", { code: 7, message: "words", data: "not json" }],
    ]
    for (const [code, wanted] of failures) {
      const script = `. "$MCP_SDK/tool-sdk.sh"; ${code}; printf 'not reached'`
      const [ran] = runAll(shell, [`${shell.command.join(" ")} -c ${quoted(script)}`], env)
      expect(ran).toMatchObject({ exit: 1, stderr: `${wanted.message}\n` })
      expect([JSON.parse(ran?.stdout ?? ""), JSON.parse(readFileSync(error, "utf8"))]).toEqual([wanted, wanted])
    }
  })

  it("lists files to attach", () => {
    const list = join(makeScratchFolder("resources"), "list")
    const code = `mcp_result_text_with_resource ${quoted(hostile)} --path ${quoted(`/a/${hostile}`)} --mime text/plain --path b.txt --uri x:y --path c`
    const [ran] = runAll(shell, [code], { MCP_TOOL_RESOURCES_FILE: list })
    expect(JSON.parse(ran?.stdout ?? "")).toMatchObject({ structuredContent: { result: hostile }, isError: false })
    expect(JSON.parse(readFileSync(list, "utf8"))).toEqual([
      { path: `/a/${hostile}`, mimeType: "text/plain" },
      { path: "b.txt", uri: "x:y" },
      { path: "c" },
    ])
  })

  it("reports progress and log lines", () => {
    const folder = makeScratchFolder("streams")
    const [progress, log] = [join(folder, "progress"), join(folder, "log")]
    const env = { MCP_PROGRESS_STREAM: progress, MCP_LOG_STREAM: log, MCP_PROGRESS_TOKEN: 't"1', MCP_TOOL_NAME: "tool" }
    check(
      shell,
      [{ code: "MCP_PROGRESS_TOKEN=; mcp_progress 1 x; mcp_log_debug l; unset MCP_LOG_STREAM; mcp_log_info a b" }],
      env,
    )
    expect(existsSync(progress)).toBe(false)
    const codes = [
      `mcp_progress 10 ${quoted(hostile)}`,
      "mcp_progress 250 over",
      "mcp_progress 250 of 500",
      "mcp_progress 12.5 part",
      "mcp_progress abc none",
      "MCP_PROGRESS_TOKEN=7; mcp_progress 0 number",
      `mcp_log_info logger ${quoted(hostile)}`,
      "mcp_log_warn logger -n; mcp_log_error logger b; mcp_log_debug logger a",
      'mcp_log NOTICE logger \'{"a": 1,\n"b": 2}\'',
      "mcp_log warn '' 'just words'",
    ]
    check(
      shell,
      [
        ...codes.map((code) => ({ code, stdout: "" })),
        { code: "mcp_log loud logger 1", stderr: "'loud' is not a level" },
      ],
      env,
    )
    const read = (path: string): readonly Json[] =>
      readFileSync(path, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { params: Json }).params)
    const token = { progressToken: 't"1' }
    expect(read(progress)).toEqual([
      { ...token, progress: 10, total: null, message: hostile },
      { ...token, progress: 100, total: null, message: "over" },
      { ...token, progress: 250, total: 500, message: "of" },
      { ...token, progress: 12.5, total: null, message: "part" },
      { ...token, progress: 0, total: null, message: "none" },
      { progressToken: 7, progress: 0, total: null, message: "number" },
    ])
    expect(
      read(log)
        .slice(1)
        .map(({ level, logger, data }) => [level, logger, data]),
    ).toEqual([
      ["info", "logger", hostile],
      ["warning", "logger", "-n"],
      ["error", "logger", "b"],
      ["debug", "logger", "a"],
      ["notice", "logger", { a: 1, b: 2 }],
      ["warning", "tool", "just words"],
      ["info", "logger", 1],
    ])
  })

  it("forwards the progress of a command, its output and its exit code", () => {
    const folder = makeScratchFolder("running")
    const [progress, other, out] = [join(folder, "progress"), join(folder, "other lines"), join(folder, "out")]
    const env = { MCP_PROGRESS_STREAM: progress, MCP_PROGRESS_TOKEN: "t" }
    const print = (...lines: readonly string[]): string =>
      `sh -c ${quoted(`echo result; ${lines.map((line) => `echo ${quoted(line)} >&2`).join("; ")}; exit 3`)}`
    check(
      shell,
      [
        {
          code: `mcp_run_with_progress --pattern '([0-9]+)%' --extract match1 --stderr-file ${quoted(other)} -- ${print("at 40% now", "other: é", "100%")}`,
          stdout: "result\n",
          exit: 3,
        },
        {
          code: `mcp_run_with_progress --pattern '\\[([0-9]+)/([0-9]+)\\]' --extract ratio -- ${print("step [1/4] go", "[0/0]")}`,
          stdout: "result\n",
          exit: 3,
        },
        {
          code: `mcp_run_with_progress --pattern 'n=([0-9]+)' --extract match1 --total 50 --stdout ${quoted(out)} -- ${print("n=10")}`,
          stdout: "",
          exit: 3,
        },
        {
          code: `mcp_run_with_progress --pattern progress -- ${print('{"progress":66.6,"message":"a \\"b\\""}', '{"progress":null}', "progress?")}`,
          stdout: "result\n",
          exit: 3,
        },
        {
          code: `mcp_run_with_progress --pattern '([0-9]+)' --extract match1 --progress-file ${quoted(`${folder}/own`)} --interval 0.05 -- sh -c ${quoted(`echo 77 >>${quoted(`${folder}/own`)}`)}`,
          stdout: "",
        },
        {
          code: `mcp_run_with_progress --pattern '([0-9]+)%' --extract match1 --dry-run -- ${print("5%")}`,
          stdout: "result\n",
          exit: 3,
          stderr: '{"progress":5,"message":"5%"}',
        },
        { code: "set -e; mcp_run_with_progress --pattern x -- sh -c 'exit 4'; echo not reached", stdout: "", exit: 4 },
        { code: "mcp_run_with_progress -- true", exit: 1, stderr: "--pattern is missing" },
        { code: "mcp_run_with_progress --pattern x --extract y -- true", exit: 1, stderr: "--extract must be" },
      ],
      env,
    )
    const reports = readFileSync(progress, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { params: Json }).params)
    expect(reports.map(({ progress: done, message }) => [done, message])).toEqual([
      [40, "at 40% now"],
      [100, "100%"],
      [25, "step [1/4] go"],
      [20, "n=10"],
      [66, 'a "b"'],
      [77, "77"],
    ])
    expect([readFileSync(other, "utf8"), readFileSync(out, "utf8")]).toEqual(["other: é\n", "result\n"])
  })

  it("retries after exit codes above 2", () => {
    const count = join(makeScratchFolder("retry"), "count")
    const run = `sh -c 'echo x >>${count}; [ "$(wc -l <${count})" -ge "$1" ] || exit "$2"' sh`
    check(shell, [
      { code: `mcp_with_retry 5 0.001 -- ${run} 3 7; rm ${count}`, exit: 0 },
      { code: `mcp_with_retry 2 0.001 -- ${run} 3 7`, exit: 7 },
      { code: `rm ${count}; mcp_with_retry 5 0.001 -- ${run} 9 2`, exit: 2 },
      { code: `wc -l <${count} | tr -d ' '`, stdout: "1\n" },
      { code: "mcp_with_retry x 1 -- true", exit: 1, stderr: "must come first" },
    ])
  })

  it("extracts the error message of another program", () => {
    check(shell, [
      { code: `mcp_extract_cli_error '{"error":{"message":"a \\"b\\""}}' stderr 1`, stdout: 'a "b"' },
      { code: `mcp_extract_cli_error '{"error":"text"}' stderr 1`, stdout: "text" },
      { code: `mcp_extract_cli_error '{"ok":false,"message":"m"}' stderr 1`, stdout: "m" },
      { code: `mcp_extract_cli_error '{"errors":[{"message":"first"}]}' stderr 1`, stdout: "first" },
      { code: `mcp_extract_cli_error '{"message":"all is well"}' stderr 1`, stdout: "stderr" },
      { code: "mcp_extract_cli_error nonsense '' 9", stdout: "CLI exited with code 9" },
    ])
  })

  it("knows whether a call was cancelled, and writes debug lines", () => {
    const file = join(makeScratchFolder("cancel"), "cancelled")
    check(shell, [
      { code: "mcp_is_cancelled", exit: 1 },
      { code: `MCP_CANCEL_FILE=${file}; mcp_is_cancelled`, exit: 1 },
      { code: `MCP_CANCEL_FILE=${file}; : >"$MCP_CANCEL_FILE"; mcp_is_cancelled` },
      { code: `MCPBASH_DEBUG_LOG=${file}; IFS=,; mcp_debug a 'b  c'; cut -c 12- ${file}`, stdout: "a b  c\n" },
      { code: "mcp_debug a" },
    ])
  })
})
