// The one file for a script tag: small, and by itself.

import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { widgetScript } from "../src/script.ts"

const mostBytes = 25 * 1024

describe("the script", () => {
  it("has at most 25 KB, gzipped", async () => {
    const size = gzipSync(await widgetScript(), { level: 9 }).length
    expect(size).toBeLessThanOrEqual(mostBytes)
  })

  it("imports nothing, and writes no markup", async () => {
    const script = await widgetScript()
    expect(script).not.toMatch(/\bimport\s*[({"']|\bfrom\s*["']/)
    expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/)
  })
})
