// The first connection to a server opens its port: it has to be as quick as those after it.

import { describe, expect, it } from "vitest"
import { timeConnections } from "./connections.ts"

/** With Nagle's algorithm on, each response takes 40 ms: so long a system waits before it acknowledges a small segment. */
const mostMs = 35

describe("the first connection to a server", () => {
  it("sends each part of a response at once, like the connections after it", async () => {
    const { first, second } = await timeConnections()
    expect(Math.min(...second)).toBeLessThan(mostMs)
    expect(Math.min(...first)).toBeLessThan(mostMs)
  })
})
