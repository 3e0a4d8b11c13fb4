// Tools and ended scripts for the tests of results.

import type { ScriptEnd } from "../../src/script-end.ts"
import type { ShellTool } from "../../src/tool.ts"

export const toolOf = (more: Partial<ShellTool> = {}): ShellTool => ({
  name: "report",
  description: "Writes a report",
  inputSchema: { type: "object" },
  program: "/nowhere/tools/report/tool.sh",
  folder: "/nowhere/tools/report",
  root: "/nowhere/tools",
  progressExtendsTimeout: false,
  replayable: false,
  metadata: "{}",
  ...more,
})

export interface Ended extends Omit<Partial<ScriptEnd>, "stdout" | "stderr" | "files"> {
  readonly stdout?: string | Buffer
  readonly stderr?: string
  readonly error?: string
  readonly resources?: string
}

export const endedOf = ({ stdout = "", stderr = "", error, resources, ...more }: Ended = {}): ScriptEnd => ({
  code: 0,
  signal: null,
  isCut: false,
  ...more,
  stdout: Buffer.from(stdout as string),
  stderr: Buffer.from(stderr),
  files: {
    error: error === undefined ? undefined : { content: Buffer.from(error) },
    resources: resources === undefined ? undefined : { content: Buffer.from(resources) },
  },
})
