// Agents as language models of the AI SDK: its own `streamText` and `generateText` against the real run API.

import { type ElicitationMetadata, holdpoint } from "@holdpoint/agents/ai-sdk"
import { createClient } from "@holdpoint/client"
import { publicUrl, startAgents } from "@holdpoint/testkit/agents/agents-server"
import { type Fetch, reach, travelAgents } from "@holdpoint/testkit/agents/travel-agents"
import { generateText, streamText } from "ai"
import { describe, expect, it } from "vitest"

/** Inserts lines into each stream before its first event. */
const adding =
  (fetch: Fetch, lines: string): Fetch =>
  async (url, init) => {
    const response = await fetch(url, init)
    const added = new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(lines)),
    })
    return new Response(response.body?.pipeThrough(added) ?? null, response)
  }

describe("an agent as a language model", () => {
  it("streams text, passes questions on as typed parts, and continues with the answer", async () => {
    const server = await startAgents(travelAgents)
    const options = { url: publicUrl, fetch: reach(server) }
    const texts: string[] = []
    const statuses: string[] = []
    const others = new Set<string>()
    const askPerson = async (_message: string) => ({ where: "Rome" })
    // #region stream
    const client = createClient(options)
    const model = holdpoint(options).agent("helper", { conversationId: "trip-1" })
    for await (const part of streamText({ model, prompt: "plan a trip" }).stream) {
      if (part.type === "text-delta") texts.push(part.text)
      else if (part.type === "custom" && part.kind === "holdpoint.elicitation" && part.providerMetadata) {
        const { conversationId, event } = part.providerMetadata.holdpoint as unknown as ElicitationMetadata
        statuses.push(event.status)
        if (event.type !== "elicitation-request") continue
        const { elicitationId, message } = event
        await client.answer({ conversationId, elicitationId, action: "accept", content: await askPerson(message) })
      } else others.add(part.type)
    }
    // #endregion
    expect(texts.join("")).toBe('One moment. I heard: ["3 days in Rome"].')
    expect(statuses).toEqual(["pending", "completed"])
    expect([...others]).toEqual([
      ...["start", "start-step", "text-start", "text-end", "tool-call", "tool-result", "finish-step", "finish"],
    ])
  })

  it("does not fail on unknown events, and passes them on raw when asked to", async () => {
    const server = await startAgents(travelAgents)
    const lines = [
      'data: {"type":"hologram","depth":3}',
      'data: {"type":"data-elicitation","id":"q","data":{"type":"elicitation-moved"}}',
      "data: not JSON",
    ]
    const fetch = adding(reach(server), lines.map((line) => `${line}\n\n`).join(""))
    const model = holdpoint({ url: publicUrl, fetch }).agent("helper")
    const errors: unknown[] = []
    const raw: unknown[] = []
    const result = streamText({
      model,
      prompt: "hello",
      includeRawChunks: true,
      onError: ({ error }) => void errors.push(error),
    })
    for await (const part of result.stream) if (part.type === "raw") raw.push(part.rawValue)
    expect(await result.text).toBe("You said: hello")
    expect(errors).toEqual([])
    expect(raw).toMatchObject([{ type: "hologram", depth: 3 }, { type: "data-elicitation" }])
    expect(await streamText({ model, prompt: "hello" }).text).toBe("You said: hello")
  })

  it("generates a whole reply, of a conversation that the server keeps", async () => {
    const server = await startAgents(travelAgents)
    const model = holdpoint({ url: publicUrl, fetch: reach(server) }).agent("helper")
    const providerOptions = { holdpoint: { conversationId: "c1" } }
    const { text, finishReason, warnings } = await generateText({ model, prompt: "hello", providerOptions })
    expect([text, finishReason, warnings]).toEqual(["You said: hello", "stop", []])
    await generateText({ model, prompt: "and again", providerOptions })
    const messages = await createClient({ url: publicUrl, fetch: reach(server) })
      .chat("c1")
      .messages()
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"])
  })

  it("says in a warning what it does not send", async () => {
    const server = await startAgents(travelAgents)
    const model = holdpoint({ url: publicUrl, fetch: reach(server) }).agent("helper")
    const messages = [
      { role: "user", content: "hello" },
      { role: "assistant", content: "Hello." },
      { role: "user", content: "and now?" },
    ] as const
    const { text, warnings } = await generateText({ model, instructions: "Rhyme.", messages: [...messages] })
    expect(text).toBe("You said: and now?")
    expect(warnings?.map((warning) => "feature" in warning && warning.feature)).toEqual([
      ...["system messages", "earlier messages"],
    ])
  })

  it("throws a refusal with its code, once", async () => {
    const server = await startAgents(travelAgents)
    const model = holdpoint({ url: publicUrl, fetch: reach(server) }).agent("nemo")
    await expect(generateText({ model, prompt: "hello" })).rejects.toMatchObject({ code: "unknown_agent", status: 404 })
    const errors: unknown[] = []
    const result = streamText({ model, prompt: "hello", onError: ({ error }) => void errors.push(error) })
    await result.consumeStream()
    expect(errors).toMatchObject([{ code: "unknown_agent" }])
  })
})
