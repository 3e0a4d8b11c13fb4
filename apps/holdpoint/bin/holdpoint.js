#!/usr/bin/env node
// The command's entry. Its syntax is old enough for old versions of Node, which print one line instead of a stack trace.

import { existsSync } from "node:fs"
import module from "node:module"

const isOld = Number(process.versions.node.split(".")[0]) < 24

const source = new URL("../src/main.ts", import.meta.url)

if (isOld) {
  const next = existsSync(source)
    ? "Inside this repository use `npm start`, `npm run …` or `npx holdpoint …`, which bring their own."
    : "Install it from https://nodejs.org, or run `npx -p node@24 -p holdpoint holdpoint …`."
  process.stderr.write(`holdpoint needs Node 24 or newer; this is Node v${process.versions.node}. ${next}\n`)
  process.exitCode = 1
} else {
  // Starting from TypeScript takes half a second; the compile cache halves that.
  module.enableCompileCache()
  const main = existsSync(source) ? source : new URL("../dist/main.js", import.meta.url)
  import(main.href).then((program) => program.run())
}
