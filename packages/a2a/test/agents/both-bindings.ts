// The operations of A2A as raw requests over each binding, without a client: tests see the messages on the wire.

import { randomUUID } from "node:crypto"
import type { AgentsServer } from "@holdpoint/testkit/agents/agents-server"
import { publicUrl } from "@holdpoint/testkit/agents/agents-server"

export type Json = Readonly<Record<string, unknown>>

/** A response, in the same form for each binding. */
export interface Answer {
  readonly response: Response
  readonly body: Json
  readonly result: Json
  /** The reason of an error as the protocol names it. */
  readonly reason: string | undefined
}

export interface Wire {
  readonly name: string
  call(operation: Operation, params?: Json, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** The events of a stream, each a StreamResponse. */
  stream(operation: "SendStreamingMessage" | "SubscribeToTask", params: Json): AsyncGenerator<Json>
}

export type Operation = keyof typeof paths

type Request_ = readonly [method: string, path: string, body?: Json]

const text = (value: unknown): string => encodeURIComponent(String(value))
const task = ({ id, taskId }: Json): string => `/tasks/${text(taskId ?? id)}`

function query(params: Json, ...names: readonly string[]): string {
  const pairs = names.filter((name) => params[name] !== undefined).map((name) => `${name}=${text(params[name])}`)
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`
}

const paths = {
  SendMessage: (params: Json): Request_ => ["POST", "/message:send", params],
  SendStreamingMessage: (params: Json): Request_ => ["POST", "/message:stream", params],
  GetTask: (params: Json): Request_ => ["GET", `${task(params)}${query(params, "historyLength")}`],
  ListTasks: (params: Json): Request_ => [
    "GET",
    `/tasks${query(params, "contextId", "pageSize", "pageToken", "includeArtifacts", "status")}`,
  ],
  CancelTask: (params: Json): Request_ => ["POST", `${task(params)}:cancel`],
  SubscribeToTask: (params: Json): Request_ => ["POST", `${task(params)}:subscribe`],
  CreateTaskPushNotificationConfig: (params: Json): Request_ => [
    ...(["POST", `${task(params)}/pushNotificationConfigs`] as const),
    params,
  ],
  GetTaskPushNotificationConfig: (params: Json): Request_ => [
    "GET",
    `${task(params)}/pushNotificationConfigs/${text(params.id)}`,
  ],
  ListTaskPushNotificationConfigs: (params: Json): Request_ => ["GET", `${task(params)}/pushNotificationConfigs`],
  DeleteTaskPushNotificationConfig: (params: Json): Request_ => [
    "DELETE",
    `${task(params)}/pushNotificationConfigs/${text(params.id)}`,
  ],
  GetExtendedAgentCard: (): Request_ => ["GET", "/extendedAgentCard"],
} as const

const base = `${publicUrl}/a2a/helper`
const versioned = { "a2a-version": "1.0", "content-type": "application/json" }

type Fetching = Pick<AgentsServer, "fetch">

export const jsonRpcWire = (server: Fetching): Wire => {
  const send = (method: string, params: Json, headers = {}) =>
    server.fetch(
      new Request(base, {
        ...{ method: "POST", headers: { ...versioned, ...headers } },
        body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }),
      }),
    )
  return {
    name: "JSON-RPC",
    async call(operation, params = {}, headers = {}) {
      const response = await send(operation, params, headers)
      const body = (await response.json()) as Json
      const error = body.error as { readonly data?: readonly { readonly reason?: string }[] } | undefined
      return { response, body, result: (body.result ?? {}) as Json, reason: error?.data?.[0]?.reason }
    },
    async *stream(operation, params) {
      for await (const event of eventsOf(await send(operation, params))) yield event.result as Json
    },
  }
}

export const restWire = (server: Fetching): Wire => {
  const send = (operation: Operation, params: Json, headers = {}) => {
    const [method, path, body] = paths[operation](params)
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const { "content-type": type, ...others } = versioned
    const typed = body === undefined ? others : { ...others, "content-type": type }
    return server.fetch(new Request(`${base}${path}`, { method, ...content, headers: { ...typed, ...headers } }))
  }
  return {
    name: "HTTP+JSON",
    async call(operation, params = {}, headers = {}) {
      const response = await send(operation, params, headers)
      const read = await response.text()
      const body = (read === "" ? {} : JSON.parse(read)) as Json
      const error = body.error as { readonly details?: readonly { readonly reason?: string }[] } | undefined
      return { response, body, result: error === undefined ? body : {}, reason: error?.details?.[0]?.reason }
    },
    stream: async function* (operation, params) {
      yield* eventsOf(await send(operation, params))
    },
  }
}

/** The events as they arrive. Leaving the generator closes the connection. */
async function* eventsOf(response: Response): AsyncGenerator<Json> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) throw new Error(await response.text())
  let pending = ""
  for await (const part of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    pending += part
    const events = pending.split("\n\n")
    pending = events.pop() ?? ""
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) yield JSON.parse(data) as Json
    }
  }
}

export const message = (text: string, more: Json = {}): Json => ({
  message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more },
})

export interface WireTask extends Json {
  readonly id: string
  readonly contextId: string
  readonly status: { readonly state: string; readonly timestamp: string; readonly message?: WireMessage }
  readonly history?: readonly WireMessage[]
  readonly artifacts?: readonly Json[]
}

export interface WireMessage extends Json {
  readonly role: string
  readonly messageId: string
  readonly parts: readonly { readonly text?: string; readonly data?: Json }[]
}

/** Sends a message, and returns the task. */
export async function begin(wire: Wire, text: string, more: Json = {}): Promise<WireTask> {
  const { result, body } = await wire.call("SendMessage", message(text, more))
  if (result.task === undefined) throw new Error(`no task came: ${JSON.stringify(body)}`)
  return result.task as WireTask
}

export const bindings = [
  { name: "JSON-RPC", connect: jsonRpcWire },
  { name: "HTTP+JSON", connect: restWire },
] as const
