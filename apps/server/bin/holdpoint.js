#!/usr/bin/env node
// The command's door: plain enough for a Node that is too old to be told so, in one line, instead of by a stack trace.

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
  // From TypeScript the start takes half a second, from the cache half of that.
  module.enableCompileCache()
  const main = existsSync(source) ? source : new URL("../dist/main.js", import.meta.url)
  import(main.href).then((program) => program.run())
}
