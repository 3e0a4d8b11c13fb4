// `holdpoint shell init`: creates a folder with an example tool that asks. Never changes existing files.

import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join, relative, resolve } from "node:path"
import { inspectTools } from "@holdpoint/shell"
import type { Call, ExitCode } from "../command.ts"
import { toShellLine } from "../serve/client-line.ts"
import { wrongUse } from "../wrong-use.ts"

export async function initTools({ out, io, args }: Call): Promise<ExitCode> {
  const target = resolve(io.cwd, args.words[0] ?? "tools")
  // If the target is a project, its tools are in a folder below it.
  const root = inspectTools(target).root ?? target
  const folder = join(root, "hello")
  if (existsSync(folder))
    throw wrongUse(`${folder} exists already. Nothing was written.`, "Name another folder: holdpoint shell init DIR.")
  // Explicit permissions, because tools in a folder that others can write to are refused.
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const files = { "tool.sh": [script, 0o755], "tool.meta.json": [metadata, 0o644] } as const
  for (const [name, [text, mode]] of Object.entries(files))
    await writeFile(join(folder, name), text, { mode, flag: "wx" })
  const writtenFiles = Object.keys(files).map((name) => join(folder, name))
  if (args.has("json")) out.json({ folder: root, files: writtenFiles })
  else printNextSteps(out, relative(io.cwd, root) || ".", writtenFiles)
  return 0
}

function printNextSteps(out: Call["out"], root: string, writtenFiles: readonly string[]): void {
  for (const file of writtenFiles) out.say("Written: ", file)
  out.say("")
  const line = (...words: readonly string[]) => `holdpoint shell ${toShellLine(words)}`
  out.say("Try it:    ", line("run", "hello", "--args", '{"name": "Ada"}', "--dir", root))
  out.say("Check it:  ", line("validate", root))
  out.say("Serve it:  ", line(root))
}

const script = `#!/usr/bin/env bash
# Greets a person, and asks how. Turn it into a tool of your own.
set -euo pipefail
source "$MCP_SDK/tool-sdk.sh"

name=$(mcp_args_require '.name')

if ! mcp_can_ask; then
  mcp_emit_text "Hello $name! Your client cannot show questions, so this is the usual greeting."
elif mcp_confirm "Greet $name in capital letters?" --yes "In capitals" --no "As usual"; then
  mcp_emit_text "HELLO $(printf '%s' "$name" | tr '[:lower:]' '[:upper:]')!"
else
  mcp_emit_text "Hello $name!"
fi
`

const metadata = `${JSON.stringify(
  {
    name: "hello",
    title: "Greet a person",
    description: "Greets a person by name, after asking how.",
    inputSchema: {
      type: "object",
      properties: { name: { type: "string", description: "Who is greeted" } },
      required: ["name"],
    },
    timeoutSecs: 30,
    annotations: { readOnlyHint: true },
  },
  null,
  2,
)}
`
