// The stream of events at one process, while another one gives the replies and is killed, on one Postgres.

import { openHome } from "@holdpoint/testkit/agents/agents-process"
import { showsQuestions, userMessage } from "@holdpoint/testkit/agents/agents-server"
import { chunksOf, isChunk, readEvents, type SeenEvent, wordsOf } from "@holdpoint/testkit/agents/read-events"
import { describe, expect, it, onTestFinished } from "vitest"

const post = (text: string) => ({ id: "c1", messages: [userMessage(text)] })
const elsewhere = { ...showsQuestions, prefer: "respond-async" }

const isItem =
  (kind: string) =>
  ({ event, data }: SeenEvent): boolean =>
    event === "timeline" && (data.item as { readonly kind: string }).kind === kind

describe("the stream of events over Postgres", { timeout: 60_000 }, () => {
  it("has the replies and the timeline of another process, and continues when that process is killed", async () => {
    const home = await openHome("postgres")
    const [here, there] = [await home.start(), await home.start()]
    const stream = readEvents(await here.get("/run/api/events?conversation=c1"))
    onTestFinished(() => stream.leave())
    await stream.until(({ event }) => event === "inbox")
    expect((await there.post("/run/api/chat", post("plan a trip"), elsewhere)).status).toBe(202)
    const asked = await stream.until(isChunk("data-elicitation"))
    await stream.find(isItem("paused"))
    await there.kill()
    const elicitationId = (asked.data.chunk as { readonly id: string }).id
    const rome = { elicitationId, action: "accept", content: { where: "Rome" } }
    expect((await here.answer("c1", rome)).status).toBe(200)
    await stream.find(isChunk("finish"))
    await stream.find(isItem("run-ended"))
    expect(wordsOf(stream.seen, "c1")).toBe("One moment. I heard: booked and 3 days in Rome.")
    const numbers = chunksOf(stream.seen, "c1").map((line) => Number(line.split(" ")[1]))
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    const kinds = stream.seen.flatMap(({ event, data }) =>
      event === "timeline" ? [(data.item as { readonly kind: string }).kind] : [],
    )
    expect(kinds.filter((kind) => kind === "resumed")).toHaveLength(1)
    expect(kinds.filter((kind) => kind === "tool-called")).toHaveLength(2)
    const timeline = await (await here.get("/run/api/conversations/c1/timeline")).json()
    expect((timeline as { readonly items: readonly unknown[] }).items).toHaveLength(kinds.length)
  })
})
