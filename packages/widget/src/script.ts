// The widget as one file for a script tag, for servers that deliver it. The published package contains the file; in the
// source tree the first request bundles it.

import { existsSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

const packedScript = new URL("holdpoint-widget.js", import.meta.url)

let script: Promise<string> | undefined

/** The text of `holdpoint-widget.js`: an ES module that defines the elements. */
export function widgetScript(): Promise<string> {
  script ??= existsSync(packedScript) ? readFile(packedScript, "utf8") : bundle()
  return script
}

/** Only the entry module has side effects when it is loaded. */
const treeshake = { moduleSideEffects: false }

/** Bundles the sources. Rolldown is not a dependency of the published package, which contains the bundle. */
async function bundle(): Promise<string> {
  const { rolldown } = await import("rolldown")
  const input = fileURLToPath(new URL("index.ts", import.meta.url))
  const bundled = await rolldown({ input, platform: "browser", treeshake })
  try {
    const { output } = await bundled.generate({ format: "esm", minify: true })
    return output[0].code
  } finally {
    await bundled.close()
  }
}

/** `node script.ts FILE` writes the script to a file, for packing. */
if (import.meta.main && process.argv[2] !== undefined) await writeFile(process.argv[2], await widgetScript())
