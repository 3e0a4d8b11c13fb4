// Handwritten clients: of revision 2025-06-18, of the drafts that had `elicitation/track`, and one of revision
// 2026-07-28 that sends exactly what a test says.

import type { Called, CallOptions, ClientOptions, Endpoint, JsonObject, Prompt, TestClient } from "./client.ts"
import { isObject, toPrompt, toResult } from "./client.ts"
import { openWire } from "./wire.ts"

export interface RawClient extends TestClient {
  request(method: string, params?: JsonObject, options?: CallOptions): Promise<Called>
  notify(method: string, params?: JsonObject): Promise<void>
  /** Sends `elicitation/track` of the drafts. Resolves with its result. */
  track(elicitationId: string, options?: CallOptions): Promise<Called>
}

interface Raw {
  readonly revision: string
  readonly capabilities: JsonObject
}

export const raw20250618: Raw = { revision: "2025-06-18", capabilities: { elicitation: {} } }
export const rawDraft: Raw = { revision: "2025-11-25", capabilities: { elicitation: { form: {}, url: {} } } }

export async function openRaw(raw: Raw, endpoint: Endpoint, options: ClientOptions): Promise<RawClient> {
  const peer = createPeer(endpoint, options)
  const opened = await peer.request("initialize", {
    protocolVersion: raw.revision,
    capabilities: options.capabilities ?? raw.capabilities,
    clientInfo: { name: options.name ?? "raw-client", version: "0" },
  })
  if (opened.kind === "error") throw new Error(`initialize: ${opened.message}`)
  const revision = String(opened.result.protocolVersion)
  peer.agree(revision)
  await peer.notify("notifications/initialized")
  peer.received.splice(0)
  return { ...peer, revision }
}

/** Speaks 2026-07-28 without the official client's driver: the test plays every round itself. */
export function openRawModern(
  endpoint: Endpoint,
  capabilities: JsonObject = { elicitation: { form: {}, url: {} } },
): RawClient {
  const refuse = (): never => {
    throw new Error("a server of 2026-07-28 sends no requests")
  }
  const peer = createPeer(endpoint, { answer: refuse })
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    "io.modelcontextprotocol/clientInfo": { name: "raw-modern", version: "0" },
  }
  const request: RawClient["request"] = (method, params = {}, options) =>
    peer.request(method, { ...params, _meta: { ..._meta, ...(isObject(params._meta) ? params._meta : {}) } }, options)
  return { ...peer, ...verbs(request), request, revision: "2026-07-28" }
}

type Peer = RawClient & { agree(revision: string): void }

function createPeer(endpoint: Endpoint, options: ClientOptions): Peer {
  const prompts: Prompt[] = []
  const received: JsonObject[] = []
  const waiting = new Map<unknown, (message: JsonObject) => void>()
  const asked = new Map<unknown, AbortController>()
  const progress = new Map<unknown, NonNullable<CallOptions["onprogress"]>>()
  let ids = 0

  const answer = async ({ id, params }: JsonObject): Promise<void> => {
    const prompt = toPrompt(params)
    const withdrawn = new AbortController()
    asked.set(id, withdrawn)
    prompts.push(prompt)
    const result = await options.answer(prompt, withdrawn.signal)
    if (!withdrawn.signal.aborted) await wire.send({ jsonrpc: "2.0", id, result })
  }

  const hear = (message: JsonObject): void => {
    received.push(message)
    const { method, id, params } = message
    const about = isObject(params) ? params : {}
    if (method === undefined) waiting.get(id)?.(message)
    else if (method === "elicitation/create") void answer(message)
    else if (method === "notifications/cancelled") asked.get(about.requestId)?.abort()
    else if (method === "notifications/progress") progress.get(about.progressToken)?.(about as never)
  }

  const wire = openWire(endpoint, hear)

  const request: RawClient["request"] = async (method, params = {}, { signal, onprogress } = {}) => {
    const id = ++ids
    const { promise, resolve } = Promise.withResolvers<Called>()
    waiting.set(id, (message) => resolve(toCalled(message)))
    const cancel = (): void => {
      resolve({ kind: "error", code: "aborted", message: "the client gave up" })
      void peer.notify("notifications/cancelled", { requestId: id })
    }
    signal?.addEventListener("abort", cancel, { once: true })
    if (onprogress !== undefined) progress.set(id, onprogress)
    const meta = onprogress === undefined ? {} : { _meta: { ...(params._meta as object), progressToken: id } }
    try {
      await wire.send({ jsonrpc: "2.0", id, method, params: { ...params, ...meta } })
      return await promise
    } finally {
      signal?.removeEventListener("abort", cancel)
      waiting.delete(id)
    }
  }

  const peer: Peer = {
    revision: undefined,
    prompts,
    received,
    ...verbs(request),
    request,
    agree: (revision) => wire.agree(revision),
    notify: (method, params = {}) => wire.send({ jsonrpc: "2.0", method, params }),
    send: (message) => wire.send(message),
    close: () => wire.close(),
  }
  return peer
}

function verbs(request: RawClient["request"]): Pick<RawClient, "listTools" | "call" | "track"> {
  return {
    async listTools() {
      const listed = await request("tools/list")
      if (listed.kind === "error") throw new Error(`tools/list: ${listed.message}`)
      const tools = listed.result.tools
      return Array.isArray(tools) ? tools.filter(isObject).map(({ name }) => String(name)) : []
    },
    call: (name, args = {}, options = {}) => request("tools/call", { name, arguments: args }, options),
    track: (elicitationId, options = {}) => request("elicitation/track", { elicitationId }, options),
  }
}

function toCalled({ result, error }: JsonObject): Called {
  if (isObject(result)) return toResult(result)
  const { code, message, data } = isObject(error) ? error : {}
  return { kind: "error", code: Number(code), message: String(message), data }
}
