// An account that was connected for a call and is gone when the same call is made again: it is asked for again.

import type { TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import type { Settings, World } from "@holdpoint/testkit/mcp/server/world"
import { createWorld } from "@holdpoint/testkit/mcp/server/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, describe, expect, it, vi } from "vitest"

let world: World
let client: TestClient
afterEach(async () => {
  await client.close()
  await world.close()
})

async function start(settings: Settings = {}): Promise<void> {
  world = await createWorld(settings)
  client = await open("v1.32", await world.endpoint(), { answer: () => ({ action: "accept" }) })
}

const call = (signal?: AbortSignal) =>
  client.call("ask_connection", { cell: "lost" }, signal === undefined ? {} : { signal })

const connected = { kind: "result", isError: false }

describe("an account that was lost since the last call", () => {
  verifies("mcp.connection", "is requested again with an error", async () => {
    await start({ urlWay: "error" })
    expect(await call()).toMatchObject({ code: -32_042 })
    await world.person.finishes(await world.person.question())
    expect(await call()).toMatchObject(connected)
    await world.person.clears()
    expect(await call()).toMatchObject({ code: -32_042 })
    await world.person.finishes(await world.person.question())
    expect(await call()).toMatchObject(connected)
  })

  it("is requested again during a call, even after a call that was given up", async () => {
    await start()
    const patience = new AbortController()
    const given = call(patience.signal)
    await vi.waitFor(() => expect(client.prompts).toHaveLength(1), { timeout: 15_000 })
    patience.abort()
    await given
    await world.person.finishes(await world.person.question())
    expect(await call()).toMatchObject(connected)
    await world.person.clears()
    const again = call()
    await vi.waitFor(() => expect(client.prompts).toHaveLength(2), { timeout: 15_000 })
    await world.person.finishes(await world.person.question())
    expect(await again).toMatchObject(connected)
  })
})
