// Settings: the file, then the environment, then the flags; unknown names are refused.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { describe, expect, it } from "vitest"
import { readSettings } from "../src/config.ts"
import { defineConfig } from "../src/index.ts"
import type { Io } from "../src/io.ts"

function withFile(text: string, name = "holdpoint.config.mjs") {
  const world = createWorld()
  writeFileSync(join(world.cwd, name), text)
  return world
}

describe("settings", () => {
  it("gives a file its types and leaves it as it is", () => {
    const config = defineConfig({ database: "questions.db", limits: { pendingPerPerson: 3 }, roles: ["ops"] })
    expect(config).toEqual({ database: "questions.db", limits: { pendingPerPerson: 3 }, roles: ["ops"] })
  })

  it("lets the environment override the file, and flags override both", async () => {
    const world = withFile(`export default { as: "file", database: "one.db" }`)
    const me = async (argv: readonly string[], env = {}) =>
      /for {8}(\w+)/.exec(
        (
          await world.run(
            ["show", (await world.run(["ask", "?", "--no-wait", ...argv], { env })).out.trim(), ...argv],
            { env },
          )
        ).out,
      )?.[1]
    expect(await me([])).toBe("file")
    expect(await me([], { HOLDPOINT_AS: "environment" })).toBe("environment")
    expect(await me(["--as", "flag"], { HOLDPOINT_AS: "environment" })).toBe("flag")
  })

  it("stores the keys of a Postgres database beside the command's default database, from any folder", async () => {
    const nothing = { words: [], flags: [], has: () => false, one: () => undefined, all: () => [] }
    const io = { env: { DATABASE_URL: "postgres://db.example.org/kept" }, cwd: createWorld().cwd, user: "ana" }
    const keysWith = async (defaults = {}) => (await readSettings(io as unknown as Io, nothing, defaults)).keys
    expect(await keysWith({ database: "/srv/ana/kept/cloud.db" })).toEqual({ file: "/srv/ana/kept/holdpoint.keys" })
    expect(await keysWith()).toEqual({ file: join(io.cwd, ".holdpoint", "holdpoint.keys") })
  })

  it("reads TypeScript, nested settings and times", async () => {
    const world = withFile(
      `const minutes: number = 2\nexport default { limits: { maxLifetimeMs: minutes * 60_000, minLifetimeMs: "10s" } }`,
      "settings.ts",
    )
    const { code, err } = await world.run(["ask", "?", "--timeout", "5s", "--config", "settings.ts"])
    expect(code).toBe(2)
    expect(err).toContain("is not between 10s and 2m")
  })

  it.each([
    [`export default { databse: "a.db" }`, "databse is not a setting. Did you mean database?"],
    [
      `export default { limits: { pendingPerPersn: 3 } }`,
      "limits.pendingPerPersn is not a setting. Did you mean pendingPerPerson?",
    ],
    [`export default { limits: { pendingPerPerson: "three" } }`, "limits.pendingPerPerson must be a whole number"],
    [`export default { roles: "ops" }`, "roles must be a list of text"],
    [`export default { retention: 5 }`, "retention must be an object"],
    [`export const database = "a.db"`, "must export an object"],
    [`export default {`, "cannot be loaded"],
  ])("refuses %s", async (text, words) => {
    const { code, err } = await withFile(text).run(["pending"])
    expect(code).toBe(2)
    expect(err).toContain(words)
  })

  it("reports all problems of a file together", async () => {
    const { err } = await withFile(`export default { as: 1, tenant: 2, x: 3 }`).run(["pending"])
    expect(err).toMatch(/as must be text[\s\S]*tenant must be text[\s\S]*x is not a setting\. There are database, as/)
  })

  it.each([
    [{ HOLDPOINT_DATABSE: "a.db" }, "HOLDPOINT_DATABSE is not a setting. Did you mean HOLDPOINT_DATABASE?"],
    [{ HOLDPOINT_LIMITS_PENDING_PER_PERSON: "many" }, "HOLDPOINT_LIMITS_PENDING_PER_PERSON must be a whole number"],
  ])("refuses %j in the environment", async (env, words) => {
    const { code, err } = await createWorld().run(["pending"], { env })
    expect(code).toBe(2)
    expect(err).toContain(words)
  })

  it("takes limits and roles from the environment", async () => {
    const world = createWorld()
    const env = { HOLDPOINT_LIMITS_PENDING_PER_PERSON: "1", HOLDPOINT_ROLES: "ops, dev", DATABASE_URL: "shared.db" }
    await world.run(["ask", "One?", "--no-wait"], { env })
    const second = await world.run(["ask", "Two?", "--no-wait"], { env })
    expect(second).toMatchObject({ code: 1, err: expect.stringContaining("limits.pendingPerPerson") })
    await world.run(["ask", "Three?", "--to-role", "dev", "--no-wait"], { env })
    expect((await world.run(["pending"], { env })).out).toContain("Three?")
  })
})
