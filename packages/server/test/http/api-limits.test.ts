// Limits for each program that asks over HTTP: open questions, and questions in a minute, over all processes.

import type { Storage } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { type ApiWorld, openApiWorld, publicUrl } from "@holdpoint/testkit/server/http/api-world"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect } from "vitest"
import { createHoldpoint } from "../../src/compose/holdpoint.ts"

const ask = (world: ApiWorld, more: object = {}, key = world.key) =>
  world.call("/api/questions", { key, body: { message: "Deploy?", confirm: true, audience: { role: "x" }, ...more } })

const range = (length: number): readonly number[] => Array.from({ length }, (_, index) => index)

describe("a program with a limit", () => {
  verifies("limit.per-program", "has no more open questions than allowed until one of them has ended", async () => {
    const world = await openApiWorld({ programs: { open: 2 } })
    const [first] = [await ask(world, { key: "a" }), await ask(world, { key: "b" })]
    const third = await ask(world, { key: "c" })
    expect([third.status, third.body.code]).toEqual([429, "too_many_for_program"])
    expect(third.headers.get("retry-after")).toBe("60")
    expect((await ask(world, { key: "a" })).status).toBe(200)
    const other = await world.addProgram("other")
    expect((await ask(world, {}, other.key)).status).toBe(201)
    await world.call(`/api/questions/${first.body.id}/cancel`)
    await world.runtime.advance(0)
    expect((await ask(world, { key: "c" })).status).toBe(201)
    expect((await ask(world, { key: "d" })).status).toBe(429)
  })

  verifies("limit.per-program", "asks no more per minute than allowed, and is told when to retry", async () => {
    const world = await openApiWorld({ programs: { perMinute: 2 } })
    await ask(world)
    await world.runtime.advance(20_000)
    await ask(world)
    const often = await ask(world)
    expect([often.status, often.body.code]).toEqual([429, "too_often"])
    expect(often.headers.get("retry-after")).toBe("40")
    await world.runtime.advance(40_000)
    expect((await ask(world)).status).toBe(201)
  })

  verifies("limit.per-program", "does not exceed it with concurrent requests", async () => {
    const world = await openApiWorld({ programs: { open: 5 } })
    const answers = await Promise.all(range(20).map(() => ask(world)))
    expect(answers.filter(({ status }) => status === 201).length).toBe(5)
    expect(answers.filter(({ status }) => status === 429).length).toBe(15)
  })

  verifies("limit.per-program", "shares it between the processes of a server, including a later one", async () => {
    const keys = withNewKey()
    const world = await openApiWorld({ keys, programs: { open: 3 } })
    await ask(world)
    const second = await createHoldpoint({
      ...{ storage: world.storage, keys, publicUrl, runtime: world.runtime, programs: { open: 3 } },
      people: { from: "local", user: "alice", tenant: "acme", secret: new Uint8Array(32) },
    })
    const there = (): Promise<Response> =>
      second.fetch(
        new Request(`${publicUrl}/api/questions`, {
          method: "POST",
          headers: { authorization: `Bearer ${world.key}`, host: new URL(publicUrl).host },
          body: JSON.stringify({ message: "Deploy?", confirm: true, audience: { role: "x" } }),
        }),
      )
    expect((await there()).status).toBe(201)
    await world.runtime.advance(0)
    expect((await ask(world)).status).toBe(201)
    await world.runtime.advance(0)
    expect([(await there()).status, (await ask(world)).status]).toEqual([429, 429])
    await second.close()
  })

  verifies("limit.per-program", "counts its open questions again after the database could not be read", async () => {
    const { storage, failReading } = failingStorage()
    const world = await openApiWorld({ storage, programs: { open: 1 } })
    const repair = failReading("list")
    expect((await ask(world)).status).toBe(500)
    repair()
    expect((await ask(world)).status).toBe(201)
    expect((await ask(world)).status).toBe(429)
  })

  verifies("limit.per-program", "does not count questions that ended while the trail could not be read", async () => {
    const { storage, failReading } = failingStorage()
    const world = await openApiWorld({ storage, programs: { open: 1 } })
    const { body } = await ask(world)
    const repair = failReading("read")
    await world.hub.cancel(body.id)
    await world.runtime.advance(0)
    repair()
    expect(world.problems.filter((problem) => problem.startsWith("counting"))).toHaveLength(1)
    expect((await ask(world)).status).toBe(201)
    expect((await ask(world)).status).toBe(429)
  })
})

/** A storage whose lists of questions, or whose trail, cannot be read until it is repaired. */
function failingStorage() {
  const { store, trail, ...inner } = createMemoryStorage()
  let broken: "list" | "read" | undefined
  const guarded = <T>(name: "list" | "read", read: () => Promise<T>): Promise<T> =>
    broken === name ? Promise.reject(new Error("the database is gone")) : read()
  const storage: Storage = {
    ...inner,
    store: { ...store, list: (query) => guarded("list", () => store.list(query)) },
    trail: { ...trail, read: (query) => guarded("read", () => trail.read(query)) },
  }
  const failReading = (name: "list" | "read") => {
    broken = name
    return () => {
      broken = undefined
    }
  }
  return { storage, failReading }
}
