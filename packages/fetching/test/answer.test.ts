// The retry time that a response asks for.

import { describe, expect, it } from "vitest"
import { retryAfterOf } from "../src/response.ts"

describe("Retry-After", () => {
  const at = (value: string) => retryAfterOf(new Headers({ "retry-after": value }), Date.UTC(2026, 0, 1))

  it.each([
    ["120", 120_000],
    ["0", 0],
    ["Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
    ["999999999999", 86_400_000],
    ["soon", undefined],
    ["-5", undefined],
    ["", undefined],
  ])("%j means %j", (value, expected) => {
    expect(at(value)).toBe(expected)
  })
})
