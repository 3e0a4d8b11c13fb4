// `holdpoint ask --approvals 2`: the shell waits for two people, and each command shows who has voted.

import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { describe, expect, it } from "vitest"

describe("holdpoint ask --approvals", () => {
  it("completes with the second Yes, and pending, answer and show count the first", async () => {
    const world = await createWorld()
    const flags = ["--to-role", "release", "--approvals", "2", "--no-wait"]
    const { out } = await world.run(["ask", "Deploy?", ...flags])
    const id = out.trim()
    const as = (name: string) => ["--as", name, "--role", "release"]
    const first = await world.run(["answer", id, "--accept", ...as("ann")])
    expect(`${first.out}${first.err}`).toContain("1 of 2")
    expect((await world.run(["pending", ...as("ben")])).out).toContain("[1 of 2] Deploy?")
    const printed = (await world.run(["show", id])).out
    expect(printed).toContain("1 of 2")
    expect(printed).toContain("ann said yes")
    await world.run(["answer", id, "--accept", ...as("ben")])
    expect((await world.run(["show", id])).out).toContain("2 of 2")
    const wrong = await world.run(["ask", "Deploy?", "--to-role", "release", "--approvals", "two"])
    expect([wrong.code, wrong.err.includes("--approvals takes a number of people, not “two”")]).toEqual([2, true])
  })
})
