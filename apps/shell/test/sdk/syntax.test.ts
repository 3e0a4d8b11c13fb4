// What tool-sdk.sh is written in: syntax of bash 3.2, checked by shellcheck, with a line of help above each function,
// and without a trace in the script that sources it.

import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, describe, expect, it } from "vitest"
import { check, findProgram, runAll, sdk, shells, tryIn } from "./shells.ts"

const parts = readdirSync(join(sdk, "tool-sdk")).filter((name) => name.endsWith(".sh"))
const files = [join(sdk, "tool-sdk.sh"), ...parts.map((name) => join(sdk, "tool-sdk", name))]
const functions = files.flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/^(mcp_\w+)\(\) \{/gm)].map(([, name = ""]) => name),
)

/** Syntax of bash 4 or later, which is an error or has another meaning in bash 3.2 of macOS. */
const laterSyntax: readonly (readonly [what: string, pattern: RegExp, example: string])[] = [
  ["associative arrays", /\b(?:declare|local|typeset)\s+-\w*A/, "declare -A map"],
  ["references", /\b(?:declare|local|typeset)\s+-\w*n/, "local -n name=$1"],
  ["changing case", /\$\{\w+(?:\^|,)/, `echo "\${x,,}"`],
  ["mapfile", /\b(?:mapfile|readarray)\b/, "mapfile -t lines"],
  ["&>>", /&>>/, "run &>>log"],
  ["|&", /\|&/, "run |& tee log"],
  ["transformations", /\$\{!?\w+@/, `echo "\${x@Q}"`],
  ["negative substrings and indexes", /\$\{\w+(?::\s*\d+:\s*-|\[-)/, `echo "\${x:0:-1}"`],
  ["coproc", /\bcoproc\b/, "coproc run"],
  [";& and ;;&", /;;?&/, "a) run ;;&"],
  ["descriptors by name", /\{\w+\}[<>]/, 'exec {fd}<>"$file"'],
  ["new variables", /\b(?:BASHPID|EPOCHSECONDS|EPOCHREALTIME|SRANDOM|BASH_ARGV0)\b/, 'echo "$BASHPID"'],
  ["times by printf", /printf\b.*%\(/, "printf '%(%s)T'"],
  ["wait -n and read -i", /\b(?:wait -n|read -\w*[iN])\b/, "wait -n"],
  ["sequences with steps", /\{\w+\.\.\w+\.\.\w+\}/, "echo {1..9..2}"],
]

const codeOf = (file: string): string => readFileSync(file, "utf8").replaceAll(/^\s*#.*$|\s#\s.*$/gm, "")

describe("the syntax of bash 3.2", () => {
  it.each(laterSyntax)("has no %s, and tool-sdk.sh uses none", (_what, pattern, example) => {
    expect(example).toMatch(pattern)
    expect(files.filter((file) => pattern.test(codeOf(file)))).toEqual([])
  })
})

it("shellcheck finds nothing", (context) => {
  if (findProgram("shellcheck") === undefined) context.skip("not tried: no shellcheck here")
  // Checks each file alone: following the sources takes many times as long, and finds no more.
  const { stdout, status } = spawnSync("shellcheck", ["--exclude=SC1091", ...files], { encoding: "utf8" })
  expect({ stdout, status }).toEqual({ stdout: "", status: 0 })
}, 60_000)

it("the comments of tool-sdk.sh name every function", () => {
  const comments = files.flatMap((file) => readFileSync(file, "utf8").match(/^#.*$/gm) ?? []).join("\n")
  expect(functions.filter((name) => !new RegExp(`\\b${name}\\b`).test(comments))).toEqual([])
})

it("tool-sdk.sh has every function of mcp-bash except those for user interfaces", () => {
  const names =
    "mcp_elicit mcp_elicit_url mcp_elicit_string mcp_elicit_confirm mcp_elicit_choice mcp_elicit_titled_choice " +
    "mcp_elicit_multi_choice mcp_elicit_titled_multi_choice mcp_args_raw mcp_args_get mcp_args_require mcp_args_bool " +
    "mcp_args_int mcp_require_path mcp_meta_raw mcp_meta_get mcp_progress mcp_run_with_progress mcp_log mcp_log_debug " +
    "mcp_log_info mcp_log_warn mcp_log_error mcp_debug mcp_is_cancelled mcp_emit_text mcp_emit_json mcp_result_success " +
    "mcp_result_error mcp_error mcp_result_text_with_resource mcp_json_obj mcp_json_arr mcp_json_escape mcp_json_truncate " +
    "mcp_is_valid_json mcp_byte_length mcp_fail mcp_fail_invalid_args mcp_roots_list mcp_roots_count mcp_roots_contains " +
    "mcp_config_load mcp_config_get mcp_download_safe mcp_download_safe_or_fail mcp_with_retry mcp_extract_cli_error " +
    "mcp_path_normalize mcp_client_supports_ui"
  expect(names.split(" ").filter((name) => !functions.includes(name))).toEqual([])
})

describe.each(shells)("in $shell", (shell) => {
  beforeEach(tryIn(shell))

  it("leaves the script's options, IFS, traps and output alone, and its own variables begin with _mcp", () => {
    const look = 'printf "%s|" "$-"; printf %s "$IFS" | od -c; trap'
    const [before, after] = runAll(shell, [look, `. "$MCP_SDK/tool-sdk.sh"; ${look}`])
    expect(after).toEqual(before)
    const [names] = runAll(shell, ["set | tr -d '\\000'"])
    const own = (names?.stdout ?? "")
      .match(/^_?mcp_?\w*(?==)/gim)
      ?.filter((name) => !/^(?:_mcp_|MCP_|MCPBASH_)/.test(name))
    expect(own ?? []).toEqual([])
  })

  it("can be sourced twice, and does not replace functions of the script", () => {
    const own = "log() { echo mine; }; error() { echo mine; }; value() { echo mine; }"
    check(shell, [
      { code: `${own}; . "$MCP_SDK/tool-sdk.sh"; mcp_json_arr a; log; value`, stdout: '["a"]mine\nmine\n' },
    ])
  })

  it("says to set MCP_SDK when it cannot find its own folder", () => {
    check(shell, [
      {
        code: 'SDK=$MCP_SDK; MCP_SDK=/nonexistent; . "$SDK/tool-sdk.sh"',
        exit: 1,
        stderr: "set MCP_SDK to the folder of tool-sdk.sh",
      },
    ])
  })
})

it.for(shells.filter(({ command }) => command[0] === "bash" || command[0] === "zsh"))(
  "finds its own folder without MCP_SDK in $shell",
  (shell, context) => {
    tryIn(shell)(context)
    const code = `SDK=$MCP_SDK; unset MCP_SDK; . "$SDK/tool-sdk.sh"; mcp_json_arr a; printf %s "\${MCP_SDK#"$SDK"}"`
    check(shell, [{ code, stdout: '["a"]' }])
  },
)

describe("in a restricted bash, which cannot write files", () => {
  const run = (code: string) =>
    spawnSync("bash", ["-r", "-c", code], {
      encoding: "utf8",
      // With a socket as standard input, bash would act as if started by a remote login.
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...{
          PATH: process.env.PATH,
          MCP_SDK: sdk,
          BASH_ENV: join(sdk, "tool-sdk.sh"),
          MCP_TOOL_ARGS_JSON: '{"a":"\\u00e9"}',
        },
        ...{ MCP_ELICIT_SUPPORTED: "1", MCP_ELICIT_REQUEST_FILE: "/tmp/elicit.k.request" },
      },
    })

  it("reads arguments and prints results", () => {
    const { stdout, stderr } = run('mcp_result_success "$(mcp_json_obj a "$(mcp_args_get .a)" b \'"\')"')
    expect(stderr).toBe("")
    expect(JSON.parse(stdout)).toMatchObject({ structuredContent: { result: { a: "é", b: '"' } } })
  })

  it("answers failed, with exit code 0, when a question cannot be written", () => {
    const { stdout, status } = run("mcp_elicit_confirm 'Sure?'")
    expect([JSON.parse(stdout), status]).toEqual([
      { action: "error", content: null, reason: "failed", message: expect.any(String) },
      0,
    ])
  })
})
