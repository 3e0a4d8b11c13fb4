#!/usr/bin/env node
// The command's entry: runs the sources if they exist, otherwise the compiled files.

import { existsSync } from "node:fs"

const source = new URL("../src/main.ts", import.meta.url)
await import((existsSync(source) ? source : new URL("../dist/main.js", import.meta.url)).href)
