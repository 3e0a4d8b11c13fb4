// A world with a folder of scripts for the command `holdpoint shell`, without a process for the command itself.

import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createWorld, type Ran, type RunningCommand, type WorldOptions } from "@holdpoint/testkit/holdpoint/world"

// Imported here in advance, because the import takes longer than a test may.
await import("../../src/shell/http.ts")

export interface ShellWorld {
  readonly cwd: string
  /** Writes a file, executable unless it is JSON. */
  write(name: string, content: string): void
  run(argv: readonly string[], options?: WorldOptions): Promise<Ran>
  start(argv: readonly string[], options?: WorldOptions): RunningCommand
}

export function createShellWorld(): ShellWorld {
  const { cwd, start } = createWorld()
  const withHome = (options: WorldOptions = {}): WorldOptions => ({
    ...options,
    env: { PATH: process.env.PATH, XDG_DATA_HOME: join(cwd, "data"), NO_COLOR: "1", ...options.env },
  })
  return {
    cwd,
    write(name, content) {
      const path = join(cwd, name)
      mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
      writeFileSync(path, content)
      chmodSync(path, name.endsWith(".json") ? 0o644 : 0o755)
    },
    start: (argv, options) => start(["shell", ...argv], withHome(options)),
    run: (argv, options) => start(["shell", ...argv], withHome(options)).done,
  }
}

/** A script that prints its arguments. */
export const echo = `#!/bin/sh\n# mcp: {"description": "Prints its arguments"}\nprintf '%s' "$MCP_TOOL_ARGS_JSON"\n`

/** A script that asks whether to overwrite a file, in the file contract, and prints the answer. */
export const asks = `#!/bin/sh
# mcp: {"description": "Asks before it overwrites"}
if [ "$MCP_ELICIT_SUPPORTED" = 0 ]; then printf 'cannot ask'; exit 0; fi
base="\${MCP_ELICIT_REQUEST_FILE%.request}"
mkfifo "$base.wake"
exec 9<>"$base.wake"
printf '%s' '{"message":"Overwrite report.pdf?","schema":{"type":"object","properties":{"confirmed":{"type":"boolean"}},"required":["confirmed"]}}' > "$base.tmp"
mv "$base.tmp" "$base.request"
read -r _ <&9
cat "$base.response"
`
