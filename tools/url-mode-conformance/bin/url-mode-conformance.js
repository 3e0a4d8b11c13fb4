#!/usr/bin/env node
// The program's entry. Its syntax is old enough for old versions of Node, which print one line instead of a stack trace.

import { existsSync } from "node:fs"

if (Number(process.versions.node.split(".")[0]) < 24) {
  process.stderr.write(`url-mode-conformance needs Node 24 or newer; this is Node v${process.versions.node}.\n`)
  process.exitCode = 1
} else {
  const source = new URL("../src/command/main.ts", import.meta.url)
  const main = existsSync(source) ? source : new URL("../dist/command/main.js", import.meta.url)
  import(main.href).then((program) => program.run())
}
