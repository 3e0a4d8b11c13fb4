// A server with agents in a child process. Its models are scripts: some stream tokens at a set pace, and one asks.

import { randomBytes } from "node:crypto"
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { createAgents, readAgents, scriptedModel } from "@holdpoint/agents"
import { withNewKey } from "@holdpoint/hub/sealing"
import { streamText } from "ai"
import { type Server, startServer } from "holdpoint/serve"
import { serve } from "../child.ts"
import { openStorage, type StoreLocation } from "../core/store-locations.ts"
import { pause } from "../measure.ts"
import { programHeader, programKey } from "../program-key.ts"

interface StreamPlan {
  readonly side: "bare" | "ours"
  readonly tokens: number
  readonly perSecond?: number
}

let server: Server | undefined
let conversations = 0

const commands = {
  async open({ location }: { readonly location: StoreLocation }) {
    const storage = await openStorage(location)
    const agents = readAgents({
      agents: { teller: { model: toTeller(() => currentPlan) }, asker: { model: asker, tools: { ask: askTool } } },
      default: "asker",
    })
    server = await startServer({
      ...{ storage, keys: withNewKey(), host: "127.0.0.1", port: 0 },
      people: { from: "local", user: "alice", tenant: "local", secret: randomBytes(32), programKey },
      hub: { limits: { pendingPerPerson: 100_000, pendingPerTenant: 100_000 } },
      mounts: (site) => [createAgents(site, agents)],
    })
    return { url: server.address }
  },

  /** Reads a whole reply, and returns the tokens per second. */
  async stream({ side, ...pace }: StreamPlan): Promise<number> {
    currentPlan = pace
    const start = performance.now()
    const response = side === "ours" ? await post({ agent: "teller" }) : bare()
    for await (const _part of response.body ?? []);
    return pace.tokens / ((performance.now() - start) / 1_000)
  },

  /** Milliseconds from sending the answer to a form until the first new token was read. */
  async answers({ count }: { readonly count: number }): Promise<readonly number[]> {
    const times: number[] = []
    for (let number = 0; number < count; number++) times.push(await answerOne())
    return times.slice(Math.ceil(count / 10))
  },

  async memory({ settleMs }: { readonly settleMs: number }) {
    await pause(settleMs)
    globalThis.gc?.()
    globalThis.gc?.()
    const { rss, heapUsed: heap } = process.memoryUsage()
    return { rss, heap }
  },
}

export type AgentCommands = typeof commands

serve(commands, async () => {
  await server?.close()
})

let currentPlan: Omit<StreamPlan, "side"> = { tokens: 0 }

/** A model that streams the planned number of tokens. Tokens that are due together are sent as one part. */
function toTeller(plan: () => Omit<StreamPlan, "side">): LanguageModelV4 {
  async function* parts(): AsyncGenerator<LanguageModelV4StreamPart> {
    const { tokens, perSecond } = plan()
    yield { type: "stream-start", warnings: [] }
    yield { type: "text-start", id: "1" }
    const start = performance.now()
    for (let sent = 0; sent < tokens; ) {
      const due = perSecond === undefined ? tokens : ((performance.now() - start) / 1_000) * perSecond
      for (; sent < Math.min(due, tokens); sent++) yield { type: "text-delta", id: "1", delta: "word " }
      if (sent < tokens) await pause(1)
    }
    yield { type: "text-end", id: "1" }
    yield { type: "finish", finishReason: { unified: "stop", raw: undefined }, usage: noUsage }
  }
  return {
    ...{ specificationVersion: "v4", provider: "bench", modelId: "teller", supportedUrls: {} },
    doGenerate: () => Promise.reject(new Error("It only streams.")),
    doStream: async () => ({ stream: ReadableStream.from(parts()) }),
  }
}

const noUsage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

const asker = scriptedModel(({ step }) =>
  step === 0 ? { calls: [{ tool: "ask", input: {} }] } : { text: "Thank you." },
)

const askTool = {
  description: "Asks where to",
  inputSchema: { type: "object", properties: {} },
  handle: (_input: unknown, ask: { form(key: string, message: string, schema: object): Promise<unknown> }) =>
    ask.form("where", "Where to?", { type: "object", properties: { where: { type: "string" } }, required: ["where"] }),
}

function bare(): Response {
  return streamText({ model: toTeller(() => currentPlan), prompt: "tell" }).toUIMessageStreamResponse()
}

const headers = { "content-type": "application/json", "x-supports-elicitation": "true", ...programHeader }

async function post({ agent, id = `c${conversations++}` }: { readonly agent: string; readonly id?: string }) {
  if (server === undefined) throw new Error("The server is not open.")
  const body = JSON.stringify({ id, agent, messages: [{ role: "user", parts: [{ type: "text", text: "go" }] }] })
  return fetch(`${server.address}/run/api/chat`, { method: "POST", headers, body })
}

async function answerOne(): Promise<number> {
  const id = `a${conversations++}`
  const response = await post({ agent: "asker", id })
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  const until = async (words: string): Promise<void> => {
    while (!text.includes(words)) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`The reply ended before “${words}”: ${text.slice(-500)}`)
      text += value
    }
  }
  await until('"status":"pending"')
  // Waits until the run is suspended, which happens a moment after it has sent the question.
  await pause(20)
  const [, elicitationId = ""] = /"elicitationId":"([^"]+)"/.exec(text) ?? []
  const body = JSON.stringify({ conversationId: id, elicitationId, action: "accept", content: { where: "Rome" } })
  const start = performance.now()
  const answered = fetch(`${server?.address}/run/api/elicitation-responses`, { method: "POST", headers, body })
  await until('"type":"text-delta"')
  const ms = performance.now() - start
  await answered
  await reader.cancel()
  return ms
}
