// Requests that are held open, and followers that are notified of changes to their questions.

import type { Entry } from "@holdpoint/hub"
import type { Trail } from "@holdpoint/hub/storage"
import { createTestClock } from "@holdpoint/testing"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { createFollowers } from "../src/followers.ts"
import { createHolds } from "../src/holds.ts"

const holdMs = 45_000

function setUp() {
  const clock = createTestClock()
  let timers = 0
  const runtime = {
    ...clock,
    after(ms: number, callback: () => void) {
      timers++
      return clock.after(ms, callback)
    },
  }
  return { clock, holds: createHolds(runtime, holdMs), timers: () => timers }
}

describe("2,000 requests that are held", () => {
  verifies("mcp.held-cheaply", "share one timer, and each ends at its own time", async () => {
    const { clock, holds, timers } = setUp()
    const ended: number[] = []
    for (let at = 0; at < 2_000; at++) {
      holds.begin(() => ended.push(at))
      if (at === 999) await clock.advance(1_000)
    }
    expect(timers()).toBe(1)
    await clock.advance(holdMs - 1_001)
    expect(ended).toHaveLength(0)
    await clock.advance(1)
    expect(ended).toHaveLength(1_000)
    await clock.advance(1_000)
    expect(ended).toEqual(Array.from({ length: 2_000 }, (_, at) => at))
    expect(timers()).toBe(2)
  })

  it("leave no timer when they are all released", async () => {
    const { clock, holds, timers } = setUp()
    let ended = 0
    const letGo = Array.from({ length: 2_000 }, () => holds.begin(() => ended++))
    for (const one of letGo) one()
    await clock.advance(holdMs * 3)
    expect(ended).toBe(0)
    expect(timers()).toBe(1)
  })
})

describe("a request that is held", () => {
  it("ends once, even when it is released afterwards", async () => {
    const { clock, holds } = setUp()
    let ended = 0
    const letGo = holds.begin(() => ended++)
    await clock.advance(holdMs)
    letGo()
    await clock.advance(holdMs)
    expect(ended).toBe(1)
  })

  it("does not end early when an earlier request was released", async () => {
    const { clock, holds } = setUp()
    let ended = 0
    const letGo = holds.begin(() => ended++)
    await clock.advance(10_000)
    holds.begin(() => ended++)
    letGo()
    await clock.advance(holdMs - 1)
    expect(ended).toBe(0)
    await clock.advance(1)
    expect(ended).toBe(1)
  })

  it("ends immediately when the server closes, and leaves no timer", async () => {
    const { clock, holds } = setUp()
    let ended = 0
    holds.begin(() => ended++)
    holds.begin(() => ended++)
    holds.close()
    expect(ended).toBe(2)
    await clock.advance(holdMs * 2)
    expect(ended).toBe(2)
  })

  it("may begin while others end", async () => {
    const { clock, holds } = setUp()
    const ended: string[] = []
    holds.begin(() => {
      ended.push("first")
      holds.begin(() => ended.push("second"))
    })
    await clock.advance(holdMs)
    expect(ended).toEqual(["first"])
    await clock.advance(holdMs)
    expect(ended).toEqual(["first", "second"])
  })
})

describe("followers of a question", () => {
  function createTrail() {
    const listeners = new Set<(entries: readonly Entry[]) => void>()
    const trail: Pick<Trail, "subscribe"> = {
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    const tell = (...ids: string[]): void => {
      for (const listener of listeners)
        listener(ids.map((id) => ({ id, kind: "opened", detail: {} }) as unknown as Entry))
    }
    return { trail, tell, listeners }
  }

  it("receive only its entries, over one subscription, until they unfollow", () => {
    const { trail, tell, listeners } = createTrail()
    const followers = createFollowers(trail)
    const heard: string[] = []
    const first = ({ id }: Entry): void => void heard.push(`0 ${id}`)
    followers.follow("a", first)
    followers.follow("a", ({ id }) => void heard.push(`1 ${id}`))
    followers.follow("b", ({ id }) => void heard.push(`2 ${id}`))
    const stopAll = followers.followAll((entry) => heard.push(`all ${entry.id}`))
    expect(listeners.size).toBe(1)
    tell("a", "c")
    expect(heard).toEqual(["0 a", "1 a", "all a", "all c"])
    followers.unfollow("a", first)
    followers.unfollow("a", first)
    stopAll()
    heard.length = 0
    tell("a", "b")
    expect(heard).toEqual(["1 a", "2 b"])
  })

  it("may unfollow during a notification, and are not removed by a late unfollow of another", () => {
    const { trail, tell } = createTrail()
    const followers = createFollowers(trail)
    const heard: string[] = []
    const first = (): void => {
      heard.push("first")
      followers.unfollow("a", first)
    }
    followers.follow("a", first)
    tell("a")
    followers.follow("a", () => heard.push("second"))
    followers.unfollow("a", first)
    tell("a")
    expect(heard).toEqual(["first", "second"])
  })

  it("receive nothing after close", () => {
    const { trail, tell, listeners } = createTrail()
    const followers = createFollowers(trail)
    const heard: string[] = []
    followers.follow("a", ({ id }) => heard.push(id))
    followers.close()
    tell("a")
    expect(heard).toEqual([])
    expect(listeners.size).toBe(0)
  })
})
