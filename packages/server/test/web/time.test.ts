// Times in words, and the files that the pages load.

import { describe, expect, it } from "vitest"
import { assets } from "../../src/web/index.ts"
import { durationWords, relativeWords, timeOf } from "../../src/web/time.ts"

const now = Date.UTC(2026, 0, 31, 9, 30)
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

describe("a time", () => {
  it.each([
    [0, "just now"],
    [-20 * second, "just now"],
    [20 * second, "in less than a minute"],
    [minute, "in 1 minute"],
    [4 * minute + 2 * second, "in 4 minutes"],
    [-59 * minute, "1 hour ago"],
    [-5 * hour, "5 hours ago"],
    [-day, "1 day ago"],
    [10 * day, "in 10 days"],
    [-45 * day, "2 months ago"],
    [-800 * day, "2 years ago"],
  ])("%d ms away is shown as: %s", (distance, words) => {
    expect(relativeWords(now + distance, now)).toBe(words)
  })

  it.each([
    [0, "less than a second"],
    [949, "less than a second"],
    [950, "1 second"],
    [12_400, "12 seconds"],
    [59 * second, "1 minute"],
    [3 * minute + 4 * second, "3 minutes"],
    [2 * hour, "2 hours"],
    [3 * day, "3 days"],
  ])("of %d ms is shown as a duration: %s", (ms, words) => {
    expect(durationWords(ms)).toBe(words)
  })

  it("is exact too: to the minute when it is near, with its date when it is not", () => {
    expect(String(timeOf(now + 4 * minute, now))).toContain('datetime="2026-01-31T09:34:00.000Z"')
    expect(String(timeOf(now + 4 * minute, now))).toContain("(09:34 UTC)")
    expect(String(timeOf(now - 3 * day, now))).toContain("(28 Jan 2026, 09:30 UTC)")
  })
})

describe("the assets", () => {
  it("are a stylesheet, scripts and a picture, each with its type and a tag of its content", () => {
    expect([...assets].map(([name, { type }]) => `${name}: ${type}`)).toEqual([
      "holdpoint.css: text/css; charset=utf-8",
      "countdown.js: text/javascript; charset=utf-8",
      "holdpoint.js: text/javascript; charset=utf-8",
      "inbox.js: text/javascript; charset=utf-8",
      "notifications.js: text/javascript; charset=utf-8",
      "shared-stream.js: text/javascript; charset=utf-8",
      "steady.mjs: text/javascript; charset=utf-8",
      "logo.svg: image/svg+xml",
    ])
    for (const { body, etag } of assets.values()) {
      expect(body.length).toBeGreaterThan(100)
      expect(etag).toMatch(/^"[\w-]{22}"$/)
    }
  })

  it("load nothing from elsewhere", () => {
    for (const { body } of assets.values())
      expect(body.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:/)
  })
})
