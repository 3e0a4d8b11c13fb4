// A run whose tool needs an approval: a person sends a message, approves in the chat, and reads the reply.

import type { AgentsConfig } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"
import { isHoldpointError } from "@holdpoint/hub"
import { readStream, type SeenChunk, startAgents, userMessage } from "@holdpoint/testkit/agents/agents-server"
import { readUIMessageStream, type UIMessageChunk } from "ai"
import { expect } from "vitest"
import { runKind } from "../../packages/agents/src/records.ts"
import { callKind } from "../../packages/calls/src/records.ts"
import { receipt, type Scene, untilOver } from "./scene.ts"

const toolRuns = { description: "Pays", inputSchema: { type: "object", properties: {} } }

export const payingAgents = (pay: () => string): AgentsConfig => ({
  agents: {
    helper: {
      model: scriptedModel(({ step, results }) =>
        step === 0
          ? { text: "One moment. ", calls: [{ tool: "pay", input: {} }] }
          : { text: `Result: ${String(results[0]?.output)}` },
      ),
      tools: { pay: { ...toolRuns, execute: pay } },
      policies: { pay: "ask" },
    },
  },
})

/** Sends a request again while the server says that it cannot do this now, as a person would. */
export async function persist(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send()
    if (response.status !== 503) return response
    expect(await response.clone().json()).toMatchObject({ code: "store_unavailable" })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function unlessStored(error: unknown): undefined {
  if (!(isHoldpointError(error) && error.isOfStorage)) throw error
}

/** The text of the reply as the AI SDK's clients put it together, with its errors. */
async function shownText(chunks: readonly SeenChunk[]): Promise<string> {
  const stream = ReadableStream.from(chunks.map(({ event: _event, ...chunk }) => chunk as UIMessageChunk))
  let text = ""
  const onError = (): void => {}
  for await (const { parts } of readUIMessageStream({ stream, onError }))
    text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  return [text, ...chunks.flatMap(({ errorText }) => errorText ?? [])].join(" ")
}

export const run: Scene = {
  name: "run",
  async play(storage, begin) {
    let effects = 0
    const server = await startAgents(
      payingAgents(() => `${receipt} ${++effects}`),
      { storage },
    )
    begin()
    const message = { id: "c1", messages: [userMessage("pay")] }
    const sent = await persist(() => server.post("/run/api/chat", message))
    await sent.body?.cancel()
    let answered = ""
    let text = ""
    for (let isOver = false; !isOver; ) {
      const stream = readStream(await persist(() => server.get("/run/api/conversations/c1/stream")))
      for (;;) {
        // A stream that the storage has cut is read again.
        const chunk = await stream.until("data-elicitation").catch(unlessStored)
        if (chunk === undefined) break
        const { elicitationId = "" } = chunk.data ?? {}
        if (chunk.data?.status !== "pending" || answered === elicitationId) continue
        answered = elicitationId
        const answer = { conversationId: "c1", elicitationId, action: "accept", content: { confirmed: "yes" } }
        await persist(() => server.post("/run/api/elicitation-responses", answer))
      }
      text = await shownText(stream.seen)
      isOver = stream.seen.some(({ type }) => type === "finish" || type === "abort")
    }
    // The call ends in the background.
    const hasEnded = await untilOver(
      async () => (await storage.records(callKind).list({ tenant: "local", limit: 1 })).length === 0,
    )
    const [stored] = await storage.records(runKind).list({ tenant: "local", limit: 1 })
    await server.close()
    const status = stored?.status === "done" ? "" : ` (the run is ${stored?.status})`
    return { effects, told: `${text.trim()}${status}`, isOver: hasEnded }
  },
}
