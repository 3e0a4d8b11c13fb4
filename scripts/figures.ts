// Writes the figures into the documents: npm run docs:figures

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readCommandLine } from "@holdpoint/testkit/command-line"
import { filesUnder } from "../test/guards/sources.ts"
import { fill, readFigures } from "./figures/figures.ts"
import { root } from "./figures/workspaces.ts"

const help = `npm run docs:figures

Writes the figures into the marked places of all documents: tools, toolsets, packages that are installed, public names,
and the walks as \`npm run walk -- --save\` recorded them.

  --help  show this help
`

readCommandLine(help)
const figures = readFigures()
for (const path of filesUnder(".").filter((file) => file.endsWith(".md"))) {
  const text = readFileSync(join(root, path), "utf8")
  const filled = fill(text, figures)
  if (filled === text) continue
  writeFileSync(join(root, path), filled)
  console.log(path)
}
