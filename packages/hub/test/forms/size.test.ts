// What a page needs of the entry to show a form is small, and comes without the rules that only a server applies.

import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { describe, expect, it } from "vitest"

const entry = fileURLToPath(new URL("../../src/forms/index.ts", import.meta.url))
const used = "fieldNodes, problemSummaryNodes, toElements, readContent, actsOf"

describe("the field renderer in a page", () => {
  it("is at most 5 KB, gzipped", async () => {
    const code = await bundle()
    expect(code).toContain("datetime-local")
    expect(gzipSync(code).length).toBeLessThanOrEqual(5_000)
  })

  it("contains no validation and no rule about secrets", async () => {
    const code = await bundle()
    for (const word of ["must be one of", "password", "additionalProperties"])
      expect(code.includes(word), word).toBe(false)
  })
})

async function bundle(): Promise<string> {
  const main = "\0main"
  const bundled = await rolldown({
    input: "main",
    platform: "browser",
    plugins: [
      {
        name: "main",
        resolveId: (id) => (id === "main" ? main : undefined),
        load: (id) => (id === main ? `export { ${used} } from ${JSON.stringify(entry)}` : undefined),
      },
    ],
  })
  try {
    const { output } = await bundled.generate({ format: "esm", minify: true })
    return output[0].code
  } finally {
    await bundled.close()
  }
}
