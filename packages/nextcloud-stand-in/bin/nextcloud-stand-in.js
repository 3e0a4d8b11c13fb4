#!/usr/bin/env node
// The command's door: the sources where they are, else what was compiled from them.

import { existsSync } from "node:fs"

const source = new URL("../src/main.ts", import.meta.url)
await import((existsSync(source) ? source : new URL("../dist/main.js", import.meta.url)).href)
