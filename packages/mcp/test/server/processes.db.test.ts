// Two real processes on one database: either can serve any request of a 2025-11-25 client.

import { alice } from "@holdpoint/testkit/fixtures"
import { until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import { isObject } from "@holdpoint/testkit/mcp/server/clients/client"
import { openRaw, rawDraft } from "@holdpoint/testkit/mcp/server/clients/raw"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Scene, Server } from "./crash/scene.ts"
import { dropSchemas, endpointTo, engines, openScene } from "./crash/scene.ts"

afterAll(dropSchemas)

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

describe.each(engines)("two processes on %s", (engine) => {
  let scene: Scene
  let one: Server
  let two: Server
  beforeAll(async () => {
    scene = await openScene(engine)
    const started = await Promise.all([scene.start(), scene.start()])
    ;[one, two] = started
  })
  afterAll(() => scene.close())

  /** A client with its stream at the second process and its calls at the first; `answer` chooses where answers go. */
  async function open(answer: (message: string, to: (server: Server) => void) => Reply | Promise<Reply>) {
    const endpoint = endpointTo(two)
    const client = await openRaw(rawDraft, endpoint, { answer: ({ message }) => answer(message, endpoint.moveTo) })
    cleanUps.push(() => client.close())
    return { client, to: endpoint.moveTo }
  }

  it("ask again, with the problem named, when the other process gets an answer that does not fit", async () => {
    const { client, to } = await open((message, moveTo) => {
      moveTo(two)
      return { action: "accept", content: { size: message.includes("did not fit") ? "large" : "enormous" } }
    })
    to(one)
    expect(await client.call("ship", { id: "misfit" })).toMatchObject({ text: "Shipped misfit, large." })
    expect(client.prompts.map(({ message }) => message)).toEqual([
      "Which size?",
      expect.stringMatching(/^Which size\?\n\nThe last answer did not fit\. size: /),
    ])
  })

  it("end a call whose client says to the other that it cannot show the form", async () => {
    const { client, to } = await open(() => new Promise<Reply>(() => {}))
    to(one)
    const called = client.call("ship", { id: "unshown" })
    await until(() => client.prompts.length > 0)
    const { id } = client.received.find(({ method }) => method === "elicitation/create") ?? {}
    to(two)
    await client.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "no window" } })
    expect(await called).toMatchObject({
      isError: true,
      text: expect.stringMatching(/asked to do did not work.*\(-32603\)/),
    })
  })

  it("end a call and its form when the call is cancelled at the other process", async () => {
    const promptShown = Promise.withResolvers<void>()
    const { client, to } = await open(() => {
      promptShown.resolve()
      return new Promise<Reply>(() => {})
    })
    to(one)
    const stop = new AbortController()
    const called = client.call("ship", { id: "given up" }, { signal: stop.signal })
    await promptShown.promise
    const { id } = await scene.question()
    to(two)
    stop.abort()
    await called
    expect(await scene.hub.wait(id)).toMatchObject({ status: "cancelled" })
  })

  verifies(
    "mcp.withdrawn",
    "withdraw the client's prompt after an answer in the inbox, and a late answer changes nothing",
    async () => {
      const { client, to } = await open(() => new Promise<Reply>(() => {}))
      to(one)
      const called = client.call("ship", { id: "inbox" })
      await until(() => client.prompts.length > 0)
      const request = client.received.find(({ method }) => method === "elicitation/create")
      const { id } = await scene.question()
      await scene.hub.answer(id, { by: alice, action: "accept", content: { size: "small" } })
      expect(await called).toMatchObject({ text: "Shipped inbox, small." })
      await until(() =>
        client.received.some(
          ({ method, params }) =>
            method === "notifications/cancelled" && isObject(params) && params.requestId === request?.id,
        ),
      )
      for (const server of [one, two]) {
        to(server)
        await client.send({ jsonrpc: "2.0", id: request?.id, result: { action: "accept", content: { size: "large" } } })
      }
      expect(await scene.hub.get(id)).toMatchObject({ status: "completed", content: { size: "small" } })
      expect(scene.deeds().filter((deed) => deed === "shipped inbox")).toHaveLength(1)
    },
  )
})
