// One person has a bounded number of streams, however many requests their session sends.

import { readStream, startAgents, userMessage } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it } from "vitest"
import { scriptedModel } from "../src/scripted-model.ts"

const config = { agents: { helper: { model: scriptedModel(({ message }) => ({ text: `You said: ${message}` })) } } }

describe.each([
  ["the stream of events", "/run/api/events"],
  ["the stream of the inbox", "/inbox/events"],
])("%s", (_, path) => {
  it("is refused to a person who has a hundred of them, until one ends", async () => {
    const server = await startAgents(config)
    const open = () => server.get(path)
    const streams = await Promise.all(Array.from({ length: 100 }, open))
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await open()
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"])
    await streams[0]?.body?.cancel()
    const accepted = await open()
    expect(accepted.status).toBe(200)
    await Promise.all([accepted, ...streams.slice(1)].map(({ body }) => body?.cancel()))
  })
})

describe("a person who has a hundred streams", () => {
  it("is told before a message is stored, and sends it again once a stream has ended", async () => {
    const server = await startAgents(config)
    const streams = await Promise.all(Array.from({ length: 100 }, () => server.get("/run/api/events")))
    const body = { id: "c1", messages: [userMessage("hello")] }
    const refused = await server.post("/run/api/chat", body)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({
      code: "too_many_streams",
      detail: expect.stringContaining("Nothing was"),
    })
    expect((await server.get("/run/api/conversations/c1")).status).toBe(404)
    await streams[0]?.body?.cancel()
    const chunks = await readStream(await server.post("/run/api/chat", body)).rest()
    expect(chunks.at(-1)?.type).toBe("finish")
    // The stream of the reply has ended, so its place is free.
    expect((await server.get("/run/api/conversations/c1/stream")).status).toBe(200)
    await Promise.all(streams.slice(1).map(({ body }) => body?.cancel()))
  })
})
