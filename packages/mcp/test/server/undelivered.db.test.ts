// Calls whose result never reached their client: the server or the client was stopped, killed or restarted, or the
// client gave up. The same call, made again, is continued, and no effect or prompt is repeated.

import { alice } from "@holdpoint/testkit/fixtures"
import { usually } from "@holdpoint/testkit/long"
import { until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Answering, Endpoint, Reply, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, describe, expect, type TestContext } from "vitest"
import type { Scene } from "./crash/scene.ts"
import { dropSchemas, endpointTo, engines, openScene } from "./crash/scene.ts"

afterAll(dropSchemas)

const args = { id: "7" }
const never: Answering = () => new Promise<Reply>(() => {})
const agrees: Answering = () => ({ action: "accept" })
const paid = { kind: "result", isError: false, text: "Paid 7." }
const paidOnce = ["reserved 7", "booked 7"]

type Kind = "v1.32" | "v2 legacy" | "v2 pinned to 2026-07-28"

/** The client does not know which database it is: in the usual run, each of the two is tried on one. */
const olderClientsOn = (engine: (typeof engines)[number]): readonly Kind[] =>
  usually([engine === "SQLite" ? "v1.32" : "v2 legacy"], { long: ["v1.32", "v2 legacy"] })

interface Stage {
  readonly scene: Scene
  openClient(kind: Kind, endpoint: Endpoint, answer?: Answering): Promise<TestClient>
  /** The person does what the page asks for. */
  pays(): Promise<void>
  agreed(): Promise<void>
}

/** Each test has its own database, so that tests run concurrently: most of their time is waiting for timeouts. */
async function openStage(engine: (typeof engines)[number], { onTestFinished }: TestContext): Promise<Stage> {
  const opened: { close(): Promise<void> }[] = []
  onTestFinished(async () => {
    for (const one of opened.reverse()) await one.close().catch(() => {})
  })
  const scene = await openScene(engine)
  opened.push(scene)
  return {
    scene,
    async openClient(kind, endpoint, answer = never) {
      const client = await open(kind, endpoint, { answer })
      opened.push(client)
      return client
    },
    async pays() {
      const { id } = await scene.question()
      await scene.hub.answer(id, { by: alice, action: "accept" })
      expect(await scene.hub.complete(id)).toMatchObject({ ok: true })
    },
    async agreed() {
      const { id } = await scene.question()
      await until(async () => (await scene.hub.get(id))?.status === "accepted")
    },
  }
}

describe.concurrent.each(engines)("on %s", (engine) => {
  describe.each(olderClientsOn(engine))("a call that %s makes again", (kind) => {
    verifies("mcp.undelivered", "after server and client were restarted, finds the link done", async (context) => {
      const { scene, openClient, pays } = await openStage(engine, context)
      const mortal = await scene.start()
      const first = await openClient(kind, endpointTo(mortal))
      const lost = first.call("pay", args)
      await until(() => first.prompts.length === 1)
      await mortal.kill()
      await first.close()
      await lost
      await pays()
      const second = await openClient(kind, endpointTo(await scene.start()))
      expect(await second.call("pay", args)).toMatchObject(paid)
      expect([second.prompts.length, scene.deeds()]).toEqual([0, paidOnce])
    })

    verifies(
      "mcp.undelivered",
      "after only the client was restarted, shows the same link, and pays once",
      async (context) => {
        const { scene, openClient, pays } = await openStage(engine, context)
        const server = await scene.start()
        const first = await openClient(kind, endpointTo(server))
        const lost = first.call("pay", args)
        await until(() => first.prompts.length === 1)
        await first.close()
        await lost
        const second = await openClient(kind, endpointTo(server), agrees)
        const called = second.call("pay", args)
        await until(() => second.prompts.length === 1)
        expect(second.prompts[0]?.url).toBe(first.prompts[0]?.url)
        await pays()
        expect(await called).toMatchObject(paid)
        expect(scene.deeds()).toEqual(paidOnce)
      },
    )

    verifies(
      "mcp.undelivered",
      "after the client was restarted and the link was completed, gets the result",
      async (context) => {
        const { scene, openClient, pays } = await openStage(engine, context)
        const server = await scene.start()
        const first = await openClient(kind, endpointTo(server))
        const lost = first.call("pay", args)
        await until(() => first.prompts.length === 1)
        await first.close()
        await lost
        await pays()
        const second = await openClient(kind, endpointTo(server))
        expect(await second.call("pay", args)).toMatchObject(paid)
        expect([second.prompts.length, scene.deeds()]).toEqual([0, paidOnce])
        // That result was delivered, so this is a new call.
        const more = second.call("pay", args)
        await until(() => second.prompts.length === 1)
        await pays()
        expect(await more).toMatchObject(paid)
        expect(scene.deeds()).toEqual([...paidOnce, ...paidOnce])
      },
    )

    verifies("mcp.undelivered", "after its timeout, in the middle of an effect, gets the result", async (context) => {
      const { scene, openClient } = await openStage(engine, context)
      const [server, other] = await Promise.all([scene.start(), scene.start()])
      const endpoint = endpointTo(server)
      const client = await openClient(kind, endpoint)
      expect(await client.call("charge", args, { timeout: 6_000 })).toMatchObject({ kind: "error" })
      await until(() => scene.isUnheard())
      endpoint.moveTo(other)
      const again = client.call("charge", args)
      scene.letGo()
      expect(await again).toMatchObject({ isError: false, text: "Charged 7." })
      expect(scene.deeds()).toEqual(["charged 7"])
      expect(await client.call("charge", args)).toMatchObject({ isError: false })
      expect(scene.deeds()).toEqual(["charged 7", "charged 7"])
    })
  })

  describe.each(olderClientsOn(engine))("a call that %s cancels at another process", (kind) => {
    /** Makes a call at one server and cancels it at another. */
    async function takeBack(
      { scene, openClient }: Stage,
      tool: string,
      isUnderWay: (client: TestClient) => boolean,
    ): Promise<TestClient> {
      const [server, other] = await Promise.all([scene.start(), scene.start()])
      const endpoint = endpointTo(server)
      const client = await openClient(kind, endpoint)
      const stop = new AbortController()
      const lost = client.call(tool, args, { signal: stop.signal })
      await until(() => isUnderWay(client))
      endpoint.moveTo(other)
      stop.abort()
      expect(await lost).toMatchObject({ kind: "error" })
      await until(() => scene.isUnheard())
      return client
    }

    verifies(
      "mcp.given-up-elsewhere",
      "in the middle of an effect, does it once when it is made again",
      async (context) => {
        const stage = await openStage(engine, context)
        const { scene } = stage
        const client = await takeBack(stage, "charge", () => scene.deeds().includes("charged 7"))
        const again = client.call("charge", args)
        scene.letGo()
        expect(await again).toMatchObject({ isError: false, text: "Charged 7." })
        expect(scene.deeds()).toEqual(["charged 7"])
      },
    )

    verifies(
      "mcp.given-up-elsewhere",
      "while the person is at a page, is stopped where it is held",
      async (context) => {
        const stage = await openStage(engine, context)
        const { scene, pays } = stage
        const client = await takeBack(stage, "pay", ({ prompts }) => prompts.length === 1)
        await pays()
        expect(scene.deeds()).toEqual(["reserved 7"])
        expect(await client.call("pay", args)).toMatchObject(paid)
        expect([client.prompts.length, scene.deeds()]).toEqual([1, paidOnce])
      },
    )
  })

  verifies(
    "mcp.given-up-elsewhere",
    "a call is stopped where it is held when its session is ended elsewhere",
    async (context) => {
      const { scene, openClient, pays } = await openStage(engine, context)
      const [server, other] = await Promise.all([scene.start(), scene.start()])
      const endpoint = endpointTo(server)
      let session = ""
      const fetchAndLook = async (input: string | URL, init?: RequestInit): Promise<Response> => {
        const response = await endpoint.fetch(input, init)
        session = response.headers.get("mcp-session-id") ?? session
        return response
      }
      const client = await openClient("v2 legacy", { ...endpoint, fetch: fetchAndLook })
      void client.call("pay", args)
      await until(() => client.prompts.length === 1)
      const ended = await fetch(other.url, { method: "DELETE", headers: { "mcp-session-id": session } })
      expect(ended.status).toBe(200)
      await until(() => scene.isUnheard())
      await pays()
      expect(scene.deeds()).toEqual(["reserved 7"])
    },
  )

  describe("a call of 2026-07-28 that is held for a link", () => {
    verifies(
      "mcp.undelivered",
      "continues after the server was stopped and its client gave up in the gap",
      async (context) => {
        const { scene, openClient, pays, agreed } = await openStage(engine, context)
        const mortal = await scene.start()
        const endpoint = endpointTo(mortal)
        const client = await openClient("v2 pinned to 2026-07-28", endpoint, agrees)
        const lost = client.call("pay", args)
        await agreed()
        await mortal.stop()
        expect(await lost).toMatchObject({ kind: "error" })
        await pays()
        endpoint.moveTo(await scene.start())
        expect(await client.call("pay", args)).toMatchObject(paid)
        expect([client.prompts.length, scene.deeds()]).toEqual([1, paidOnce])
      },
    )

    verifies("mcp.undelivered", "continues after the server was killed and its client gave up", async (context) => {
      const { scene, openClient, pays, agreed } = await openStage(engine, context)
      const mortal = await scene.start()
      const endpoint = endpointTo(mortal)
      const client = await openClient("v2 pinned to 2026-07-28", endpoint, agrees)
      const stop = new AbortController()
      const lost = client.call("pay", args, { signal: stop.signal })
      await agreed()
      await mortal.kill()
      stop.abort()
      await lost
      endpoint.moveTo(await scene.start())
      const called = client.call("pay", args)
      await pays()
      expect(await called).toMatchObject(paid)
      expect(new Set(client.prompts.map(({ url }) => url)).size).toBe(1)
      expect(scene.deeds()).toEqual(paidOnce)
    })

    verifies(
      "mcp.undelivered",
      "continues after the link was completed and its client was restarted",
      async (context) => {
        const { scene, openClient, pays } = await openStage(engine, context)
        const server = await scene.start()
        const first = await openClient("v2 pinned to 2026-07-28", endpointTo(server))
        void first.call("pay", args)
        await until(() => first.prompts.length === 1)
        await first.close()
        await pays()
        const second = await openClient("v2 pinned to 2026-07-28", endpointTo(server))
        expect(await second.call("pay", args)).toMatchObject(paid)
        expect([second.prompts.length, scene.deeds()]).toEqual([0, paidOnce])
      },
    )

    verifies("mcp.undelivered", "is another call while the first may come back", async (context) => {
      const { scene, openClient, pays } = await openStage(engine, context)
      const client = await openClient("v2 pinned to 2026-07-28", endpointTo(await scene.start()), agrees)
      const both = [client.call("pay", args), client.call("pay", args)]
      await until(() => client.prompts.length === 2)
      expect(new Set(client.prompts.map(({ url }) => url)).size).toBe(2)
      await pays()
      await pays()
      expect(await Promise.all(both)).toMatchObject([paid, paid])
      expect(scene.deeds().toSorted()).toEqual([...paidOnce, ...paidOnce].toSorted())
    })
  })
})

describe.concurrent.each(["v1.32", "v2 legacy", "v2 pinned to 2026-07-28"] as const)(
  "on stdio, a call of %s",
  (kind) => {
    verifies("mcp.undelivered", "continues with the client that is started next", async (context) => {
      const { scene, openClient, pays } = await openStage("SQLite", context)
      const first = await openClient(kind, scene.stdio())
      void first.call("pay", args)
      await until(() => first.prompts.length === 1)
      await first.close()
      const second = await openClient(kind, scene.stdio(), agrees)
      const called = second.call("pay", args)
      await until(() => second.prompts.length === 1)
      expect(second.prompts[0]?.url).toBe(first.prompts[0]?.url)
      await pays()
      expect(await called).toMatchObject(paid)
      expect(scene.deeds()).toEqual(paidOnce)
    })
  },
)
