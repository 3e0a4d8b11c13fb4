// Joins the compiled files of a package into a few: Node needs a third of a millisecond for each file that it loads, at
// every start. Exported files and declarations stay where they are.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { readCommandLine } from "@holdpoint/testkit/command-line"
import { rolldown } from "rolldown"

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly default: string }>>
}

/** Folders that nearly every program needs become one file each. */
const groups = ["core", "hub"].map((name) => ({ name, test: new RegExp(`/dist/${name}/`) }))

export async function joinFiles(home: string): Promise<void> {
  const dist = join(home, "dist")
  // Files without declarations were not compiled, such as a script for pages.
  const compiled = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".js") && existsSync(join(dist, path.replace(/\.js$/, ".d.ts"))),
  )
  const { exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as Manifest
  const exported = Object.values(exports).map((entry) => relative("dist", entry.default))
  // Files that find others relative to their own path stay in place.
  const placed = compiled.filter((path) => readFileSync(join(dist, path), "utf8").includes("import.meta.url"))
  const entries = new Set([...exported, ...placed])
  const joined = await rolldown({
    input: Object.fromEntries([...entries].map((path) => [path.replace(/\.js$/, ""), join(dist, path)])),
    platform: "node",
    // Keeps the syntax that the compiler wrote.
    transform: { target: "esnext" },
    // Includes the helper that rolldown adds for a closing script tag in a template.
    external: (id) => !/^[./]|^@oxc-project\/runtime\b/.test(id),
    treeshake: false,
  })
  try {
    const { output } = await joined.generate({
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "parts/[name].js",
      codeSplitting: { groups },
    })
    for (const path of compiled) rmSync(join(dist, path))
    for (const chunk of output) {
      const file = join(dist, chunk.fileName)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, chunk.type === "chunk" ? chunk.code : chunk.source)
    }
    const moved = placed.filter((path) => !readFileSync(join(dist, path), "utf8").includes("import.meta.url"))
    if (moved.length > 0)
      throw new Error(`These files would look in the wrong folder after joining: ${moved.join(", ")}`)
  } finally {
    await joined.close()
  }
}

const help = `node scripts/join.ts FOLDER

Joins the compiled files of the package in FOLDER into a few. \`npm run pack\` calls it.

  --help  show this help
`

if (import.meta.main) {
  const { words } = readCommandLine(help, { words: { least: 1, most: 1 } })
  await joinFiles(resolve(words[0] ?? ""))
}
