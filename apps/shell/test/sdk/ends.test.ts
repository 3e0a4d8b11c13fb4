// The helpers for results end the script: nothing is done after an error was reported.

import { existsSync } from "node:fs"
import { join } from "node:path"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { beforeEach, describe, expect, it } from "vitest"
import { quoted, runAll, shells, tryIn } from "./shells.ts"

describe.each(shells)("in $shell", (shell) => {
  beforeEach(tryIn(shell))

  it.each([
    ["success", "mcp_result_success '{}'"],
    ["an error", 'mcp_result_error \'{"type":"declined","message":"No"}\''],
    ["an error from its parts", "mcp_error declined No"],
    ["a value that is not JSON", "mcp_result_success '{nonsense'"],
    ["a result with files", "mcp_result_text_with_resource words"],
  ])("ends the script with %s, from a function, a loop and a pipe too", (_what, code) => {
    const isError = !/ '\{\}'| words/.test(code)
    const marker = join(makeScratchFolder("marker"), "overwritten")
    const after = `printf x > ${quoted(marker)}; mcp_result_success '"written"'`
    const inPipe = `printf 'a\\n' | while read -r _; do ${code}; done`
    const scripts = [
      `${code}`,
      `refuse() { ${code}; }; refuse`,
      `for n in 1 2; do ${code}; done`,
      isError ? inPipe : code,
    ]
    for (const lines of scripts) {
      const script = `. "$MCP_SDK/tool-sdk.sh"; trap 'printf tidied >&2' EXIT; ${lines}; ${after}`
      const [ran] = runAll(shell, [`${shell.command.join(" ")} -c ${quoted(script)}`])
      expect(ran?.stdout.trim().split("\n"), lines).toHaveLength(1)
      expect(JSON.parse(ran?.stdout ?? "")).toMatchObject({ isError })
      expect(existsSync(marker), lines).toBe(false)
    }
  })
})
