// The first minute, with nobody there and with somebody.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { createWorld } from "./world.ts"

describe("holdpoint try", () => {
  it("plays itself through where there is no terminal, killing the program that asks on the way", async () => {
    const world = createWorld()
    const { code, out, err } = await world.run(["try"])
    expect({ code, err }).toEqual({ code: 0, err: "" })
    const story = [
      "starts",
      "3. Hold",
      "Killed (SIGKILL)",
      "started again",
      "3. Hold",
      "is still there",
      "person answers",
      "4. Release 1.1.0 to 25 % of staging",
      "is done",
    ]
    const places = story.reduce((at, words) => (at === -1 ? -1 : out.indexOf(words, at)), 0)
    expect(places).toBeGreaterThan(0)
    expect(readFileSync(join(world.cwd, ".holdpoint", "play-releases.txt"), "utf8")).toMatch(
      /1\.1\.0 {2}25 % of staging, Faster search\n$/,
    )
  })

  it("asks at the terminal, takes an answer from another one, and goes on with it", async () => {
    const world = createWorld()
    const trying = world.start(["try"], { isTerminal: true, env: { NO_COLOR: "1" } })
    const [, id = ""] = await trying.prints(/npx holdpoint answer (\S+) --database \.holdpoint\/try\.db/)
    await trying.prints(/navigate/)
    await world.run(["answer", id, "target=production", "percent=50", "--database", ".holdpoint/try.db"])
    const { code, out } = await trying.done
    expect(code).toBe(0)
    expect(out).toContain("4. Release 1.1.0 to 50 % of production")
    expect(out).toContain(`npx holdpoint show ${id} --database .holdpoint/try.db`)
  })

  it("finds its question again after it was stopped, and what was answered meanwhile", async () => {
    const world = createWorld()
    const options = { isTerminal: true, env: { NO_COLOR: "1" } }
    const first = world.start(["try"], options)
    const [, id = ""] = await first.prints(/npx holdpoint answer (\S+)/)
    first.stop()
    expect(await first.done).toMatchObject({ code: 1 })
    const second = world.start(["try"], options)
    await second.prints(new RegExp(`The question of \\S+ is still there \\(${id}\\)`))
    second.stop()
    await second.done
    await world.run(["answer", id, "target=staging", "percent=1", "--database", ".holdpoint/try.db"])
    const third = await world.run(["try"], options)
    expect(third).toMatchObject({ code: 0, out: expect.stringContaining("4. Release 1.1.0 to 1 % of staging") })
    const fresh = world.start(["try", "--reset"], options)
    const [, other = ""] = await fresh.prints(/npx holdpoint answer (\S+)/)
    expect(other).not.toBe(id)
    fresh.stop()
    await fresh.done
  })
})
