// A server with agents in this process, for tests: alice is at this machine, and requests go straight to the handler.

import { randomBytes } from "node:crypto"
import { type A2aSurfaceOptions, a2a } from "@holdpoint/a2a/agents"
import type { AgentsConfig } from "@holdpoint/agents"
import { type Agents, createAgents, readAgents } from "@holdpoint/agents"
import { createMemoryStorage, type Storage, systemRuntime } from "@holdpoint/hub"
import { type KeyRing, parseKeyRing, serializeKeyRing, withNewKey } from "@holdpoint/hub/sealing"
import type { StreamEvent } from "@holdpoint/hub/stream"
import type { Holdpoint, HoldpointOptions } from "@holdpoint/server"
import { createHoldpoint } from "@holdpoint/server"
import type { SlackApp } from "@holdpoint/slack"
import { slackChat } from "@holdpoint/slack/agents"
import { expect, onTestFinished } from "vitest"
import { fromOwnBrowser } from "./own-browser.ts"
import { faultsOf, watchRunLogs } from "./watched-logs.ts"

export const publicUrl = "http://127.0.0.1:4650"

export interface AgentsServer extends Holdpoint {
  readonly agents: Agents
  /** Posts JSON as a client that can show questions. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** Sends a message to a conversation, and returns a reader of the stream. */
  say(conversation: string, text: string, headers?: Readonly<Record<string, string>>): Promise<StreamReader>
}

export interface ServerParts extends Partial<Omit<HoldpointOptions, "mounts">> {
  readonly storage?: Storage
  readonly keys?: KeyRing
  /** Addresses that push notifications may be sent to. */
  readonly webhooks?: A2aSurfaceOptions["webhooks"]
  /** Slack, whose people talk to the agents. */
  readonly slack?: { readonly app: Pick<SlackApp, "onMessage" | "workspaces"> }
}

export const newKeys = (): KeyRing => parseKeyRing(serializeKeyRing(withNewKey(undefined)), "the test")

export async function startAgents(config: AgentsConfig, parts: ServerParts = {}): Promise<AgentsServer> {
  const checked = readAgents(config as never)
  const started: Agents[] = []
  const { storage: given = createMemoryStorage(), keys = newKeys(), slack, webhooks, ...others } = parts
  const faults: string[] = []
  const storage = watchRunLogs(given, keys, (fault) => void faults.push(fault))
  onTestFinished(() => expect(faults, "events that do not fit their schema").toEqual([]))
  const holdpoint = await createHoldpoint({
    ...{ publicUrl, runtime: systemRuntime },
    people: { from: "local", user: "alice", tenant: "local", secret: randomBytes(32) },
    ...{ ...others, storage, keys },
    mounts(site) {
      started.push(
        createAgents(site, checked, {
          surfaces: [a2a({ version: "0.1.0", webhooks }), ...(slack === undefined ? [] : [slackChat(slack)])],
        }),
      )
      return started
    },
  })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= holdpoint.close())
  onTestFinished(close)
  const fetch = await fromOwnBrowser(holdpoint)
  const send = (path: string, init: RequestInit): Promise<Response> => fetch(new Request(`${publicUrl}${path}`, init))
  const post: AgentsServer["post"] = (path, body, headers = showsQuestions) =>
    send(path, {
      ...{ method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) },
      headers: { "content-type": "application/json", ...headers },
    })
  const [agents] = started
  if (agents === undefined) throw new Error("no agents were made")
  return {
    ...{ ...holdpoint, fetch, agents, close },
    post,
    get: (path, headers = {}) => send(path, { headers }),
    say: async (id, text, headers) =>
      readStream(await post("/run/api/chat", { id, messages: [userMessage(text)] }, headers)),
  }
}

export const showsQuestions = { "x-supports-elicitation": "true" }

export const userMessage = (text: string) => ({ id: "m", role: "user", parts: [{ type: "text", text }] })

export interface StreamReader {
  readonly response: Response
  /** Reads until a chunk of this type; undefined at the end of the stream. */
  until(type: string): Promise<SeenChunk | undefined>
  /** Reads to the end, and returns all chunks of the stream. */
  rest(): Promise<readonly SeenChunk[]>
  readonly seen: readonly SeenChunk[]
  leave(): Promise<void>
}

export interface SeenChunk {
  readonly type: string
  readonly event: number | undefined
  readonly id?: string
  readonly delta?: string
  readonly messageId?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly approvalId?: string
  readonly output?: unknown
  readonly errorText?: string
  /** The data of a `data-elicitation`. */
  readonly data?: StreamEvent
}

export function readStream(response: Response): StreamReader {
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  const seen: SeenChunk[] = []
  let text = ""
  const next = async (): Promise<SeenChunk | undefined> => {
    for (;;) {
      const end = text.indexOf("\n\n")
      if (end < 0) {
        const { done, value } = await reader.read()
        if (done) return undefined
        text += value
        continue
      }
      const event = text.slice(0, end)
      text = text.slice(end + 2)
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data === undefined) continue
      if (data === "[DONE]") return undefined
      const id = /^id: (\d+)$/m.exec(event)?.[1]
      const chunk = { ...JSON.parse(data), event: id === undefined ? undefined : Number(id) }
      expect(faultsOf(chunk), "an event that does not fit its schema").toEqual([])
      seen.push(chunk)
      return chunk
    }
  }
  return {
    response,
    seen,
    async until(type) {
      for (;;) {
        const chunk = await next()
        if (chunk === undefined || chunk.type === type) return chunk
      }
    },
    async rest() {
      while ((await next()) !== undefined);
      return seen
    },
    leave: () => reader.cancel(),
  }
}

/** The text of a reply. */
export const textOf = (chunks: readonly SeenChunk[]): string =>
  chunks.map(({ type, delta }) => (type === "text-delta" ? (delta ?? "") : "")).join("")

/** Reads until the stream contains a question. */
export async function question(stream: StreamReader): Promise<StreamEvent & { readonly event: number }> {
  const chunk = await stream.until("data-elicitation")
  if (chunk?.data === undefined) throw new Error(`no question was asked: ${JSON.stringify(stream.seen)}`)
  return { ...chunk.data, event: chunk.event ?? 0 }
}

/** Answers a question through the run API. */
export const answer = (server: AgentsServer, conversationId: string, content: object): Promise<Response> =>
  server.post("/run/api/elicitation-responses", { conversationId, ...content })
