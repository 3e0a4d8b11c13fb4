// The panel's script as one file for browsers. The published package contains it; from the sources it is bundled on first
// request.

import { existsSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

const ready = new URL("panel.js", import.meta.url)

let made: Promise<string> | undefined

export function panelScript(): Promise<string> {
  made ??= existsSync(ready) ? readFile(ready, "utf8") : bundle()
  return made
}

/** Rolldown is not a dependency of the package: only the sources need it. */
async function bundle(): Promise<string> {
  const { rolldown } = await import("rolldown")
  const input = fileURLToPath(new URL("panel/main.ts", import.meta.url))
  const bundled = await rolldown({ input, platform: "browser", treeshake: true })
  try {
    const { output } = await bundled.generate({ format: "esm", minify: true })
    return output[0].code
  } finally {
    await bundled.close()
  }
}

/** `node bundle.ts FILE` writes the script to a file, for packing. */
if (import.meta.main && process.argv[2] !== undefined) await writeFile(process.argv[2], await panelScript())
