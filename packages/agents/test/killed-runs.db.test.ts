// Runs whose process is killed with SIGKILL: in a model step, during a stream, in a tool, while the run waits. Another
// process continues the run, and a client that reconnects gets the rest. Also two processes on one database.

import { type AgentsHome, type AgentsProcess, openHome } from "@holdpoint/testkit/agents/agents-process"
import { question, type SeenChunk, type StreamReader, textOf } from "@holdpoint/testkit/agents/agents-server"
import { readUIMessageStream, type UIMessageChunk } from "ai"
import { describe, expect, it } from "vitest"
import { story } from "./process-agents.ts"

/** Reads until a chunk of this type, and returns the number of its event. */
async function seenUntil(stream: StreamReader, type: string): Promise<number> {
  const chunk = await stream.until(type)
  if (chunk?.event === undefined) throw new Error(`no ${type}: ${JSON.stringify(stream.seen)}`)
  return chunk.event
}

const rome = (elicitationId: string) => ({ elicitationId, action: "accept", content: { where: "Rome" } })

/** Expects that a reconnected client has each event once, without a gap, in the same order as a replay. */
async function expectWhole(server: AgentsProcess, id: string, seen: readonly SeenChunk[]): Promise<void> {
  expect(seen.map(({ event }) => event)).toEqual(seen.map((_, index) => index + 1))
  expect(await (await server.follow(id, 0)).rest()).toEqual(seen)
}

/** The text of the reply as the AI SDK's clients put it together. */
async function shownText(chunks: readonly SeenChunk[]): Promise<string> {
  const stream = ReadableStream.from(chunks.map(({ event: _event, ...chunk }) => chunk as UIMessageChunk))
  let text = ""
  for await (const { parts } of readUIMessageStream({ stream }))
    text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  return text
}

async function killedInStep(home: AgentsHome): Promise<{ readonly seen: SeenChunk[]; readonly server: AgentsProcess }> {
  const first = await home.start({ AGENTS_HANG: "model 0" })
  const stream = await first.say("c1", "plan a trip")
  await seenUntil(stream, "start-step")
  await expect.poll(home.deeds).toEqual(["model 0"])
  await first.kill()
  return { seen: [...stream.seen], server: await home.start() }
}

describe("a run whose process is killed", { timeout: 60_000 }, () => {
  it("inside a model step repeats only that step, after a reset", async () => {
    const home = await openHome()
    const { seen, server } = await killedInStep(home)
    const again = await server.follow("c1", seen.length)
    const { elicitationId } = await question(again)
    expect(again.seen.at(0)?.type).toBe("reset-step")
    expect((await server.answer("c1", rome(elicitationId))).status).toBe(200)
    const all = [...seen, ...(await again.rest())]
    await expectWhole(server, "c1", all)
    expect(await shownText(all)).toBe("One moment. I heard: booked and 3 days in Rome.")
    expect(home.deeds()).toEqual(["model 0", "model 0", "booked", "model 1"])
  })

  it("twice inside one step gives that step up in words, and is not repeated by a third", async () => {
    const home = await openHome()
    const first = await home.start({ AGENTS_HANG: "model 0" })
    await first.say("c1", "plan a trip")
    await expect.poll(home.deeds).toEqual(["model 0"])
    await first.kill()
    const second = await home.start({ AGENTS_HANG: "model 0" })
    await expect.poll(home.deeds).toEqual(["model 0", "model 0"])
    await second.kill()
    const third = await home.start({ AGENTS_HANG: "model 0" })
    const seen = await (await third.follow("c1", 0)).rest()
    expect(seen.find(({ type }) => type === "error")).toMatchObject({
      errorText: expect.stringContaining("The server stopped 2 times while it worked on this step"),
    })
    expect(home.deeds()).toEqual(["model 0", "model 0"])
  })

  it("during a stream drops the text of the unfinished step, and says it once", async () => {
    const home = await openHome()
    const first = await home.start({ AGENTS_WORDS_PER_SECOND: "10" })
    const stream = await first.say("c1", "tell me a story")
    await seenUntil(stream, "text-delta")
    await seenUntil(stream, "text-delta")
    const seen = [...stream.seen]
    await first.kill()
    const server = await home.start()
    const all = [...seen, ...(await (await server.follow("c1", seen.length)).rest())]
    await expectWhole(server, "c1", all)
    expect(all.filter(({ type }) => type === "reset-step")).toHaveLength(1)
    expect(await shownText(all)).toBe(story)
  })

  it("while it waits for a person continues with the answer", async () => {
    const home = await openHome()
    const first = await home.start()
    const stream = await first.say("c1", "plan a trip")
    const { elicitationId } = await question(stream)
    const seen = [...stream.seen]
    await first.kill()
    const server = await home.start()
    const again = await server.follow("c1", seen.length)
    expect(await (await server.get("/run/api/elicitations")).json()).toMatchObject({
      elicitations: [{ elicitationId }],
    })
    await server.answer("c1", rome(elicitationId))
    await expectWhole(server, "c1", [...seen, ...(await again.rest())])
    expect(home.deeds()).toEqual(["model 0", "booked", "model 1"])
    expect(await (await server.answer("c1", rome(elicitationId))).json()).toMatchObject({ changed: false })
  })

  it("inside a tool does not call the tool again, and tells the model that the outcome is unknown", async () => {
    const home = await openHome()
    const first = await home.start({ AGENTS_HANG: "charged" })
    const stream = await first.say("c1", "charge my card")
    await seenUntil(stream, "tool-input-available")
    await expect.poll(home.deeds).toContain("charged")
    const seen = [...stream.seen]
    await first.kill()
    const server = await home.start()
    const all = [...seen, ...(await (await server.follow("c1", seen.length)).rest())]
    await expectWhole(server, "c1", all)
    expect(textOf(all)).toContain("It is unknown whether charge was carried out")
    expect(home.deeds()).toEqual(["model 0", "charged", "model 1"])
  })

  it("over Postgres survives a kill in a step and another one while it waits", async () => {
    const home = await openHome("postgres")
    const { seen, server } = await killedInStep(home)
    const again = await server.follow("c1", seen.length)
    const { elicitationId } = await question(again)
    const both = [...seen, ...again.seen]
    await server.kill()
    const third = await home.start()
    const rest = await third.follow("c1", both.length)
    await third.answer("c1", rome(elicitationId))
    const all = [...both, ...(await rest.rest())]
    await expectWhole(third, "c1", all)
    expect(await shownText(all)).toBe("One moment. I heard: booked and 3 days in Rome.")
    expect(home.deeds()).toEqual(["model 0", "model 0", "booked", "model 1"])
  })

  it("in a model step that makes another call when it is repeated asks about the call that is really made", async () => {
    const home = await openHome()
    const first = await home.start({ AGENTS_HANG: "model 0" })
    await seenUntil(await first.say("c1", "delete a note"), "start-step")
    await expect.poll(home.deeds).toEqual(["model 0"])
    await first.kill()
    const server = await home.start()
    const stream = await server.follow("c1", 0)
    const { elicitationId, message } = await question(stream)
    expect(message).toContain('"id": 2')
    await server.kill()
    const third = await home.start()
    const rest = await third.follow("c1", 0)
    await third.answer("c1", { elicitationId, action: "accept", content: { confirmed: "yes" } })
    await rest.rest()
    expect(home.deeds()).toEqual(["model 0", "model 0", "deleted 2", "model 1"])
  })

  it("while an agent three levels down asks continues there with the answer", async () => {
    const home = await openHome()
    const first = await home.start()
    const stream = await first.say("c1", "ask below")
    const { elicitationId, context } = await question(stream)
    expect(context).toMatchObject({ agent: "manager › worker", toolName: "dig" })
    const seen = [...stream.seen]
    await first.kill()
    const server = await home.start()
    const again = await server.follow("c1", seen.length)
    await server.answer("c1", { elicitationId, action: "accept", content: { confirmed: "yes" } })
    const all = [...seen, ...(await again.rest())]
    await expectWhole(server, "c1", all)
    expect(await shownText(all)).toBe("I heard: From worker: a deep hole.")
    expect(home.deeds()).toEqual(["model 0", "worker 0", "fetched the shovel", "worker 1", "model 1"])
  })
})

describe("two processes on one database", { timeout: 60_000 }, () => {
  it.each(["sqlite", "postgres"] as const)(
    "serve one conversation over %s: begun at one, answered at the other, and read at both",
    async (engine) => {
      const home = await openHome(engine)
      const [one, other] = await Promise.all([home.start(), home.start()])
      const stream = await one.say("c1", "plan a trip")
      const { elicitationId } = await question(stream)
      const beside = await other.follow("c1", 0)
      await beside.until("data-elicitation")
      expect((await other.answer("c1", rome(elicitationId))).status).toBe(200)
      const all = await stream.rest()
      expect(await beside.rest()).toEqual(all)
      expect(await shownText(all)).toBe("One moment. I heard: booked and 3 days in Rome.")
      expect(home.deeds()).toEqual(["model 0", "booked", "model 1"])
      await expectWhole(other, "c1", all)
    },
  )

  it("refuse a second message at the other process while a reply is in progress", async () => {
    const home = await openHome()
    const [one, other] = await Promise.all([home.start(), home.start()])
    const { elicitationId } = await question(await one.say("c1", "plan a trip"))
    const refused = (await other.say("c1", "hello")).response
    expect(refused.status).toBe(409)
    expect(await other.answer("c1", { elicitationId, action: "decline" })).toMatchObject({ status: 200 })
  })

  it.each(["model 0", "charged"])("stop a reply of the other process that is busy in “%s”", async (busyIn) => {
    const home = await openHome()
    const [one, other] = await Promise.all([home.start({ AGENTS_HANG: busyIn }), home.start()])
    const stream = await one.say("c1", "charge my card")
    await expect.poll(home.deeds).toContain(busyIn)
    expect((await other.post("/run/api/chat/c1/stop", {})).status).toBe(202)
    const all = await stream.rest()
    expect(all.at(-1)?.type).toBe("abort")
    expect(textOf(await (await other.say("c1", "hello")).rest())).toBe("You said: hello")
  })

  it("stop a waiting reply of the other process", async () => {
    const home = await openHome()
    const [one, other] = await Promise.all([home.start(), home.start()])
    const stream = await one.say("c1", "plan a trip")
    await question(stream)
    await other.post("/run/api/chat/c1/stop", {})
    expect((await stream.rest()).at(-1)?.type).toBe("abort")
    // The questions of the run are cancelled shortly after the end of the reply.
    await expect.poll(async () => (await one.get("/run/api/elicitations")).json()).toEqual({ elicitations: [] })
  })
})
