// Arguments, _meta, roots and configuration in tool-sdk.sh, in each shell of this machine, with jq and without it.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { beforeEach, describe, expect, it } from "vitest"
import { hostile } from "./asking.ts"
import { check, quoted, shellsAndJq, tryIn } from "./shells.ts"

const args = {
  name: hostile,
  empty: "",
  no: false,
  yes: true,
  nothing: null,
  zero: 0,
  count: 12,
  deep: { "a b": { list: [1, { x: "é" }, null], é: "accent" } },
  list: ["first", "second\nline", 3],
  word: "null",
  long: 'x\\"\n'.repeat(3000),
}
const json = JSON.stringify(args)

describe.each(shellsAndJq)("in $shell", (shell) => {
  beforeEach(tryIn(shell))

  it("reads arguments by path", () => {
    const cases = [
      { code: "mcp_args_raw", stdout: json },
      { code: "mcp_args_get .name", stdout: hostile },
      { code: "mcp_args_get .empty", stdout: "" },
      { code: "mcp_args_get .no", stdout: "false" },
      { code: "mcp_args_get .nothing", stdout: "null" },
      { code: "mcp_args_get .missing", stdout: "null" },
      { code: "mcp_args_get .long", stdout: args.long.trimEnd() },
      { code: `mcp_args_get '.missing // "a \\"b\\" é"'`, stdout: 'a "b" é' },
      { code: "mcp_args_get '.missing // empty'", stdout: "" },
      { code: "mcp_args_get '.no // .missing // .zero'", stdout: "0" },
      { code: "mcp_args_get '.empty // \"x\"'", stdout: "" },
      { code: "mcp_args_get '.name.deeper // 7'", stdout: "7" },
      { code: `mcp_args_get '.deep."a b".list[1].x'`, stdout: "é" },
      { code: `mcp_args_get '.deep["a b"]["é"]'`, stdout: "accent" },
      { code: `mcp_args_get '.deep["a b"].list'`, stdout: JSON.stringify(args.deep["a b"].list) },
      { code: "mcp_args_get '.list[0]'", stdout: "first" },
      { code: "mcp_args_get '.list[-1]'", stdout: "3" },
      { code: "mcp_args_get '.list[9]'", stdout: "null" },
      { code: "mcp_args_get '.list[]'", stdout: "first\nsecond\nline\n3" },
      { code: "mcp_args_get .", stdout: json },
      { code: "mcp_args_get .missing --default 'a b'", stdout: "a b" },
      { code: "mcp_args_get .no --default x", stdout: "false" },
      { code: "mcp_args_get .empty --default x", stdout: "" },
      { code: "mcp_args_get '.missing // empty' --default x", stdout: "x" },
      { code: "mcp_args_get .name.deeper", stdout: "", exit: 1, stderr: "has no parts" },
      { code: "mcp_meta_get .trace", stdout: "t" },
      { code: "mcp_meta_raw", stdout: '{"trace":"t"}' },
      { code: "unset MCP_TOOL_ARGS_JSON; mcp_args_raw", stdout: "{}" },
    ]
    check(shell, cases, { MCP_TOOL_ARGS_JSON: json, MCP_TOOL_META_JSON: '{"trace":"t"}' })
  })

  it("reads long arguments from their file", () => {
    const file = join(makeScratchFolder("arguments"), "a b.json")
    writeFileSync(file, JSON.stringify({ text: "é".repeat(100_000), last: "z" }))
    const env = { MCP_TOOL_ARGS_FILE: file, MCP_TOOL_ARGS_JSON: "{}" }
    check(
      shell,
      [
        { code: "mcp_args_get .last", stdout: "z" },
        { code: "mcp_args_get .text", stdout: "é".repeat(100_000) },
      ],
      env,
    )
  })

  it("passes an expression that is more than a path to jq, or says that jq is missing", () => {
    const env = { MCP_TOOL_ARGS_JSON: '{"list":[1,2]}' }
    const without = { stdout: "", exit: 1, stderr: "needs jq, and there is no jq here" }
    check(shell, [{ code: "mcp_args_get '.list | length'", ...(shell.hasJq ? { stdout: "2" } : without) }], env)
  })

  it("reads parts of any JSON, such as an answer", () => {
    check(shell, [
      { code: `mcp_json_get '{"content":{"name":"\\u00e9\\ud83c\\udf89\\/\\t|"}}' .content.name`, stdout: "é🎉/\t|" },
      { code: `mcp_json_get '{"content":null}' '.content.name // "x"'`, stdout: "x" },
      { code: "mcp_json_get '{' .a", stdout: "", exit: 1, stderr: "not JSON" },
      { code: "mcp_json_get '' .a", stdout: "", exit: 1, stderr: "not JSON" },
    ])
  })

  it("reads required, boolean and integer arguments", () => {
    const cases = [
      { code: "mcp_args_require .word", stdout: "null" },
      { code: "mcp_args_require .zero", stdout: "0" },
      { code: "mcp_args_require .name", stdout: hostile },
      { code: "mcp_args_bool .yes", stdout: "true" },
      { code: "mcp_args_bool .no", stdout: "false" },
      { code: "mcp_args_bool .missing --default 1", stdout: "true" },
      { code: "mcp_args_int .count --min 1 --max 12", stdout: "12" },
      { code: "mcp_args_int .missing --default -3", stdout: "-3" },
    ]
    check(shell, cases, { MCP_TOOL_ARGS_JSON: json })
  })

  it("ends the whole script on a bad argument, even within $(…) and without set -e", () => {
    const folder = makeScratchFolder("error")
    const refused: readonly (readonly [code: string, words: string])[] = [
      ["mcp_args_require .missing", ".missing is required"],
      ["mcp_args_require .empty 'Give it'", "Give it"],
      ["mcp_args_bool .missing", ".missing is required"],
      ["mcp_args_int .name", ".name must be an integer"],
      ["mcp_args_int .count --min 13", ".count must be >= 13"],
      ["mcp_args_int .count --max 11", ".count must be <= 11"],
    ]
    // Runs each case in its own shell, because a refused argument ends the script.
    const cases = refused.map(([code, words], index) => {
      const script = `. "$MCP_SDK/tool-sdk.sh"; x=$(${code}); printf 'not reached'`
      const start = `MCP_TOOL_ERROR_FILE=${folder}/${index} ${shell.command.join(" ")} -c ${quoted(script)}`
      return { code: start, stdout: "", exit: 143, stderr: words }
    })
    check(shell, cases, { MCP_TOOL_ARGS_JSON: json })
    const errors = refused.map((_refused, index) => JSON.parse(readFileSync(join(folder, String(index)), "utf8")))
    expect(errors).toEqual(refused.map(([, message]) => ({ code: -32602, message, data: null })))
  })

  it("keeps paths within the client's roots, wherever links lead", () => {
    const folder = makeScratchFolder("roots")
    const root = join(folder, "a [b] *")
    for (const name of ["sub", "../a [b] *x", "../other"]) mkdirSync(join(root, name), { recursive: true })
    symlinkSync(join(folder, "other"), join(root, "out"))
    symlinkSync("sub/../sub", join(root, "in"))
    symlinkSync("loop", join(root, "loop"))
    const contains = (path: string, exit: number) => ({ code: `cd /; mcp_roots_contains ${quoted(path)}`, exit })
    const path = (value: string, rest: object) => ({
      code: `MCP_TOOL_ARGS_JSON=${quoted(JSON.stringify({ path: value }))} mcp_require_path .path`,
      ...rest,
    })
    check(
      shell,
      [
        contains(root, 0),
        contains(`${root}/`, 0),
        contains(`${root}/sub/new/file`, 0),
        contains(`${root}/in/file`, 0),
        contains(`${root}/./sub//x`, 0),
        contains(`${root}x`, 1),
        contains(`${root}/..`, 1),
        contains(`${root}/sub/../../other`, 1),
        contains(`${root}/out`, 1),
        contains(`${root}/out/file`, 1),
        contains(`${folder}/a b x/sub`, 1),
        contains("/", 1),
        { code: `cd ${quoted(root)}; mcp_roots_contains sub`, stdout: "" },
        { code: `mcp_path_normalize --physical ${quoted(`${root}/in/../new`)}`, stdout: `${root}/new` },
        { code: "mcp_roots_count; mcp_roots_list", stdout: `2${root}\n/nonexistent` },
        path(`${root}/in`, { stdout: `${root}/sub` }),
        { code: "mcp_require_path .none --allow-empty", stdout: "" },
        { code: "MCP_ROOTS_COUNT=1; mcp_require_path .none --default-to-single-root", stdout: root },
      ],
      { MCP_ROOTS_PATHS: `${root}\n/nonexistent`, MCP_ROOTS_COUNT: "2" },
    )
  })

  it("merges configurations and reads their values", () => {
    const folder = makeScratchFolder("config")
    const [file, example] = [join(folder, "c.json"), join(folder, "e.json")]
    writeFileSync(file, '{"host": "file", "n": 2}\n')
    writeFileSync(example, '{"host": "example", "n": 1, "deep": {"a": [1]}}')
    const load = `mcp_config_load --env SETTINGS --file ${quoted(file)} --example ${quoted(example)} --defaults '{"d": false, "host": "d"}'`
    check(
      shell,
      [
        {
          code: `${load}; printf %s "$MCP_CONFIG_JSON"`,
          stdout: '{"d":false,"host":"env \\"q\\"","n":2,"deep":{"a":[1]}}',
        },
        { code: `${load}; mcp_config_get .host`, stdout: 'env "q"' },
        { code: `${load}; mcp_config_get .d --default true`, stdout: "false" },
        { code: `${load}; mcp_config_get .deep.a`, stdout: "[1]" },
        { code: `${load}; mcp_config_get .none --default 'x y'`, stdout: "x y" },
        { code: `${load}; mcp_config_get .none`, stdout: "", exit: 1 },
        { code: `SETTINGS=${quoted(file)}; mcp_config_load --env SETTINGS; mcp_config_get .host`, stdout: "file" },
        { code: "mcp_config_load --file /nonexistent", exit: 1 },
        { code: "mcp_config_load --defaults nonsense", exit: 1 },
        { code: "mcp_config_load --env 'x;id' --defaults '{\"a\":1}'; mcp_config_get .a", stdout: "1" },
      ],
      { SETTINGS: '{"host": "env \\"q\\""}' },
    )
  })
})
