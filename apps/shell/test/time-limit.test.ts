// The time limit of a script counts only the script's own time.

import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { createTimeLimit } from "../src/time-limit.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
afterEach(() => void vi.useRealTimers())

it("the limit is reached when the script has used its time", () => {
  const onOver = vi.fn()
  createTimeLimit({ ms: 100, mostMs: Number.POSITIVE_INFINITY, onOver })
  vi.advanceTimersByTime(99)
  expect(onOver).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onOver).toHaveBeenCalledOnce()
})

it("the clock stands still while it is paused, and continues with the time that is left", () => {
  const onOver = vi.fn()
  const limit = createTimeLimit({ ms: 100, mostMs: Number.POSITIVE_INFINITY, onOver })
  vi.advanceTimersByTime(60)
  limit.pause(true)
  limit.pause(true)
  vi.advanceTimersByTime(3_600_000)
  limit.pause(false)
  limit.pause(false)
  vi.advanceTimersByTime(39)
  expect(onOver).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onOver).toHaveBeenCalledOnce()
})

it("progress restarts the limit, up to the fixed maximum", () => {
  const onOver = vi.fn()
  const limit = createTimeLimit({ ms: 100, mostMs: 250, onOver })
  for (const _ of [1, 2]) {
    vi.advanceTimersByTime(90)
    limit.extend()
  }
  vi.advanceTimersByTime(69)
  expect(onOver).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onOver).toHaveBeenCalledOnce()
})

it("a limit that was stopped is never reached", () => {
  const onOver = vi.fn()
  createTimeLimit({ ms: 100, mostMs: 250, onOver }).stop()
  vi.advanceTimersByTime(1_000)
  expect(onOver).not.toHaveBeenCalled()
})

it("progress during a pause restarts the limit", () => {
  const onOver = vi.fn<() => void>()
  const limit = createTimeLimit({ ms: 100, mostMs: 1_000, onOver })
  vi.advanceTimersByTime(90)
  limit.pause(true)
  limit.extend()
  limit.pause(false)
  vi.advanceTimersByTime(99)
  expect(onOver).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onOver).toHaveBeenCalledOnce()
})
