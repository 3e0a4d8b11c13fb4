// Bundles a page's modules into one script, as the build of your site would.

import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const scripts = new Map<string, Promise<string>>()

/** The script of page/NAME.tsx. */
export function pageScript(name: string): Promise<string> {
  const script = scripts.get(name) ?? bundle(fileURLToPath(new URL(`page/${name}.tsx`, import.meta.url)))
  scripts.set(name, script)
  return script
}

async function bundle(input: string): Promise<string> {
  const bundled = await rolldown({
    ...{ input, platform: "browser", logLevel: "silent" },
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
  })
  const { output } = await bundled.generate({ format: "esm" })
  await bundled.close()
  return output[0].code
}
