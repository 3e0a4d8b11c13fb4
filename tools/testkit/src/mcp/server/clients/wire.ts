// Bare JSON-RPC, over HTTP and over a child process's pipes, for handwritten clients.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import type { Endpoint, JsonObject } from "./client.ts"
import { isObject } from "./client.ts"

export interface Wire {
  /** Resolves when the message was accepted; its response comes through `hear`. */
  send(message: JsonObject): Promise<void>
  /** Sets the negotiated revision for the header. */
  agree(revision: string): void
  close(): Promise<void>
}

type Hear = (message: JsonObject) => void

export const openWire = (endpoint: Endpoint, hear: Hear): Wire =>
  endpoint.transport === "stdio" ? overPipes(endpoint, hear) : overHttp(endpoint, hear)

function overPipes({ command, args, env }: Extract<Endpoint, { transport: "stdio" }>, hear: Hear): Wire {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] })
  createInterface({ input: child.stdout }).on("line", (line) => each(line, hear))
  return {
    async send(message) {
      child.stdin.write(`${JSON.stringify(message)}\n`)
    },
    agree() {},
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, "exit")
      child.stdin.end()
      await exited
    },
  }
}

function overHttp(endpoint: Extract<Endpoint, { transport: "http" }>, hear: Hear): Wire {
  const closed = new AbortController()
  const reading = new Set<Promise<void>>()
  let session: string | null = null
  let revision: string | undefined

  const request = (method: string, body?: string): Promise<Response> =>
    endpoint.fetch(endpoint.url, {
      method,
      signal: closed.signal,
      headers: {
        ...endpoint.headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        accept: body === undefined ? "text/event-stream" : "application/json, text/event-stream",
        ...(session === null ? {} : { "mcp-session-id": session }),
        ...(revision === undefined ? {} : { "mcp-protocol-version": revision }),
        ...modernHeaders(body),
      },
      ...(body === undefined ? {} : { body }),
    })

  const read = (response: Response): void => {
    const done = readAll(response, hear, closed.signal)
      .catch((error: unknown) => {
        if (!closed.signal.aborted) throw error
      })
      .finally(() => reading.delete(done))
    reading.add(done)
  }

  return {
    async send(message) {
      const response = await request("POST", JSON.stringify(message))
      if (endpoint.forgetsSession !== true) session ??= response.headers.get("mcp-session-id")
      if (!response.ok && !isJson(response)) throw new Error(`HTTP ${response.status}: ${await response.text()}`)
      read(response)
    },
    agree(agreed) {
      revision = agreed
      if (session === null) return
      // The stream of messages that the server sends on its own. A server may have none.
      const opened = request("GET").then(
        (response) => (response.ok ? read(response) : void response.body?.cancel()),
        () => {},
      )
      reading.add(opened)
    },
    async close() {
      closed.abort()
      await Promise.allSettled(reading)
    },
  }
}

/** The headers of 2026-07-28, which repeat parts of the body. */
function modernHeaders(body: string | undefined): Record<string, string> {
  const { method, params } = body === undefined ? {} : (JSON.parse(body) as JsonObject)
  const meta = isObject(params) ? params._meta : undefined
  const revision = isObject(meta) ? meta["io.modelcontextprotocol/protocolVersion"] : undefined
  if (typeof revision !== "string" || typeof method !== "string") return {}
  const name = isObject(params) ? (params.name ?? params.uri) : undefined
  return {
    "mcp-protocol-version": revision,
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": name } : {}),
  }
}

const isJson = (response: Response): boolean =>
  response.headers.get("content-type")?.startsWith("application/json") === true

async function readAll(response: Response, hear: Hear, signal: AbortSignal): Promise<void> {
  if (response.body === null) return
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    const text = await response.text()
    if (isJson(response) && text !== "") each(text, hear)
    return
  }
  let rest = ""
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream(), { signal })) {
    const events = (rest + chunk).split("\n\n")
    rest = events.pop() ?? ""
    for (const event of events) {
      const data = event.split("\n").filter((line) => line.startsWith("data:"))
      const text = data.map((line) => line.slice(5).trim()).join("\n")
      if (text !== "") each(text, hear)
    }
  }
}

function each(text: string, hear: Hear): void {
  const parsed: unknown = JSON.parse(text)
  for (const message of Array.isArray(parsed) ? parsed : [parsed]) if (isObject(message)) hear(message)
}
