// The script of the panel as one file for browsers. The published package contains the bundled file. In the source
// tree, the script is bundled on the first request.

import { existsSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

const packedScript = new URL("./panel.js", import.meta.url)

let script: Promise<string> | undefined

export function panelScript(): Promise<string> {
  script ??= existsSync(packedScript) ? readFile(packedScript, "utf8") : bundle()
  return script
}

/** Bundles with Rolldown, which is a development dependency: the published package does not need it. */
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
