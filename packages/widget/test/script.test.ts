// The bundled file for a script tag is small and has no imports.

import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { widgetScript } from "../src/script.ts"

const maxBytes = 28 * 1024

describe("the script", () => {
  it("has at most 28 KB, gzipped", async () => {
    const size = gzipSync(await widgetScript(), { level: 9 }).length
    expect(size).toBeLessThanOrEqual(maxBytes)
  })

  it("imports nothing, and inserts no markup", async () => {
    const script = await widgetScript()
    expect(script).not.toMatch(/\bimport\s*[({"']|\bfrom\s*["']/)
    expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/)
  })
})
