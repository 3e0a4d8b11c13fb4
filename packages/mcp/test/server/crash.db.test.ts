// The server is killed with kill -9 between the question and the retry, which reaches another process: the call still
// completes, and no effect is repeated.

import { alice } from "@holdpoint/testkit/fixtures"
import { accept, retry, roundOf, until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { openRaw, openRawModern, rawDraft } from "@holdpoint/testkit/mcp/server/clients/raw"
import { openV2 } from "@holdpoint/testkit/mcp/server/clients/v2"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Scene } from "./crash/scene.ts"
import { dropSchemas, endpointTo, engines, openScene } from "./crash/scene.ts"

afterAll(dropSchemas)

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const later = <T extends { close(): Promise<void> }>(one: T): T => {
  cleanUps.push(() => one.close().catch(() => {}))
  return one
}

const args = { id: "7" }
const refused = { kind: "error", code: -32602, data: { reason: "invalid_request_state" } }

describe.each(engines)("a server on %s that is killed", (engine) => {
  let scene: Scene
  beforeEach(async () => {
    scene = later(await openScene(engine))
  })

  verifies(
    "mcp.outlives-processes",
    "while the person fills in the form: the official client's retry gets its result from another",
    async () => {
      const [mortal, heir] = await Promise.all([scene.start(), scene.start()])
      const endpoint = endpointTo(mortal)
      const client = later(
        await openV2({ pin: "2026-07-28" }, endpoint, {
          async answer() {
            await mortal.kill()
            endpoint.moveTo(heir)
            return { action: "accept", content: { size: "large" } }
          },
        }),
      )
      expect(await client.call("ship", args)).toMatchObject({ isError: false, text: "Shipped 7, large." })
      expect(client.prompts).toHaveLength(1)
      expect(scene.deeds()).toEqual(["reserved 7", "shipped 7"])
    },
  )

  verifies(
    "mcp.outlives-processes",
    "before the person goes to the page: the official client's retry is held by another until they are done",
    async () => {
      const [mortal, heir] = await Promise.all([scene.start(), scene.start()])
      const endpoint = endpointTo(mortal)
      const client = later(
        await openV2({ pin: "2026-07-28" }, endpoint, {
          async answer() {
            await mortal.kill()
            endpoint.moveTo(heir)
            return { action: "accept" }
          },
        }),
      )
      const called = client.call("pay", args)
      const { id, revision } = await scene.question()
      for await (const { status } of scene.hub.watch({ id, afterRevision: revision })) if (status === "accepted") break
      expect(await scene.hub.complete(id)).toMatchObject({ ok: true })
      expect(await called).toMatchObject({ isError: false, text: "Paid 7." })
      expect(client.prompts).toHaveLength(1)
      expect(scene.deeds()).toEqual(["reserved 7", "booked 7"])
    },
  )

  verifies(
    "mcp.outlives-processes",
    "before the person finishes on the page: the next server finds that they have finished",
    async () => {
      const mortal = await scene.start()
      const endpoint = endpointTo(mortal)
      const client = later(openRawModern(endpoint))
      const round = roundOf(await client.call("pay", args))
      await mortal.kill()
      const { id } = await scene.question()
      await scene.hub.answer(id, { by: alice, action: "accept" })
      await scene.hub.complete(id)
      endpoint.moveTo(await scene.start())
      expect(await retry(client, "pay", args, round, { pay: accept() })).toMatchObject({ text: "Paid 7." })
      expect(await retry(client, "pay", args, round, { pay: accept() })).toMatchObject({ text: "Paid 7." })
      expect(scene.deeds()).toEqual(["reserved 7", "booked 7"])
    },
  )

  it("while it holds a retry: the same state is good at another, once", async () => {
    const [mortal, heir] = await Promise.all([scene.start(), scene.start()])
    const endpoint = endpointTo(mortal)
    const client = later(openRawModern(endpoint))
    const round = roundOf(await client.call("pay", args))
    const { id, revision } = await scene.question()
    const lost = retry(client, "pay", args, round, { pay: accept() }).catch(() => "lost")
    for await (const { status } of scene.hub.watch({ id, afterRevision: revision })) if (status === "accepted") break
    expect(await retry(client, "pay", args, round, { pay: accept() })).toMatchObject(refused)
    await mortal.kill()
    endpoint.moveTo(heir)
    const held = retry(client, "pay", args, round, { pay: accept() })
    await scene.hub.complete(id)
    expect(await held).toMatchObject({ text: "Paid 7." })
    expect(await retry(client, "pay", args, round, { pay: accept() })).toMatchObject({ text: "Paid 7." })
    expect(scene.deeds()).toEqual(["reserved 7", "booked 7"])
    void lost
  })

  verifies("mcp.once", "in the middle of an effect: it is not done again, and the model is told", async () => {
    const [mortal, heir] = await Promise.all([scene.start(), scene.start()])
    const endpoint = endpointTo(mortal)
    const client = later(openRawModern(endpoint))
    const round = roundOf(await client.call("hang", args))
    const lost = retry(client, "hang", args, round, { sure: accept({ confirmed: true }) }).catch(() => "lost")
    await until(() => scene.deeds().length > 0)
    await mortal.kill()
    endpoint.moveTo(heir)
    expect(await retry(client, "hang", args, round, { sure: accept({ confirmed: true }) })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/“charged”.*not repeated/),
    })
    expect(scene.deeds()).toEqual(["charged 7"])
    void lost
  })

  verifies(
    ["mcp.once", "mcp.outlives-processes"],
    "while it asks a client of 2025 during a call: the same call, made again, continues where it was",
    async () => {
      const [mortal, heir] = await Promise.all([scene.start(), scene.start()])
      const endpoint = endpointTo(mortal)
      const client = later(
        await openRaw(rawDraft, endpoint, {
          async answer() {
            if (client.prompts.length === 1) return new Promise<Reply>(() => {})
            return { action: "accept", content: { size: "large" } }
          },
        }),
      )
      const lost = client.call("ship", args).catch(() => "lost")
      await until(() => client.prompts.length > 0)
      const { id } = await scene.question()
      await mortal.kill()
      endpoint.moveTo(heir)
      expect(await client.call("ship", args)).toMatchObject({ isError: false, text: "Shipped 7, large." })
      expect(scene.deeds()).toEqual(["reserved 7", "shipped 7"])
      // The retry found the same question; a call after the end asks a new one.
      expect((await scene.hub.get(id))?.status).toBe("completed")
      expect(await client.call("ship", args)).toMatchObject({ isError: false })
      expect(scene.deeds()).toEqual(["reserved 7", "shipped 7", "reserved 7", "shipped 7"])
      expect(client.prompts).toHaveLength(3)
      void lost
    },
  )
})
