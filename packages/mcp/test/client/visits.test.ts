// Which links of servers a client tracks, and for how long.

import { describe, expect, it } from "vitest"
import { createVisits } from "../../src/client/visits.ts"

const linksOf = (call: number) => Array.from({ length: 10 }, (_none, index) => `${call}.${index}`)

describe("the links that a client tracks", () => {
  it("are the last 1,000, however many each call has", () => {
    const visits = createVisits()
    for (let call = 0; call <= 100; call++) visits.trackAndCheck(linksOf(call))
    for (const link of [...linksOf(0), ...linksOf(100)]) visits.onCompleted(link)
    expect(visits.trackAndCheck(linksOf(100))).toBe(true)
    // The check itself tracks the links, so it is made once, without the first links.
    expect(visits.trackAndCheck(linksOf(0).slice(5))).toBe(false)
  })
})
