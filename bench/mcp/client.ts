// Sends requests as clients of two generations do, and reads the responses. Uses no SDK, because its work would be
// measured too.

export interface Endpoint {
  readonly url: string
  readonly token: string
  /** Replaces the network when client and server are one process. */
  readonly fetch?: (request: Request) => Promise<Response>
}

export interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: unknown
}

export interface ToolCall {
  readonly name: string
  readonly arguments?: object
  readonly inputResponses?: object
  readonly requestState?: unknown
}

const modern = "2026-07-28"
const legacy = "2025-11-25"
const clientInfo = { name: "bench", version: "1.0.0" }
const capabilities = { elicitation: { form: {}, url: {} } }
const meta = {
  "io.modelcontextprotocol/protocolVersion": modern,
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": capabilities,
}

let serial = 0

export function callModern(endpoint: Endpoint, call: ToolCall): Promise<Response> {
  const headers = { "mcp-protocol-version": modern, "mcp-method": "tools/call", "mcp-name": call.name }
  const params = { arguments: {}, ...call, _meta: meta }
  return post(endpoint, headers, { id: ++serial, method: "tools/call", params })
}

export async function listModern(endpoint: Endpoint): Promise<{ readonly tools: readonly unknown[] }> {
  const headers = { "mcp-protocol-version": modern, "mcp-method": "tools/list" }
  const response = await post(endpoint, headers, { id: ++serial, method: "tools/list", params: { _meta: meta } })
  const { tools } = await resultOf(response)
  if (!Array.isArray(tools)) throw new Error("The server answered without tools.")
  return { tools }
}

/** The session is null where the server keeps none. */
export function callLegacy(endpoint: Endpoint, session: string | null, call: ToolCall): Promise<Response> {
  const params = { arguments: {}, ...call }
  return post(endpoint, legacyHeaders(session), { id: ++serial, method: "tools/call", params })
}

/** A client's answer to a request from the server. */
export function answerLegacy(
  endpoint: Endpoint,
  session: string | null,
  id: Message["id"],
  result: object,
): Promise<Response> {
  return post(endpoint, legacyHeaders(session), { id, result })
}

export async function initialize(endpoint: Endpoint): Promise<string | null> {
  const params = { protocolVersion: legacy, capabilities, clientInfo }
  const response = await post(endpoint, {}, { id: ++serial, method: "initialize", params })
  await response.text()
  const session = response.headers.get("mcp-session-id")
  const initialized = await post(endpoint, legacyHeaders(session), { method: "notifications/initialized" })
  await initialized.text()
  return session
}

/** The result of a response, either a JSON body or the last message of a stream. */
export async function resultOf(response: Response): Promise<NonNullable<Message["result"]>> {
  for await (const { result, error } of messagesOf(response)) {
    if (result !== undefined) return result
    if (error !== undefined) throw new Error(`The server answered ${JSON.stringify(error)}.`)
  }
  throw new Error(`The server answered ${response.status} and no result.`)
}

export async function* messagesOf(response: Response): AsyncGenerator<Message> {
  if (!response.headers.get("content-type")?.includes("text/event-stream")) {
    const text = await response.text()
    if (text !== "") yield JSON.parse(text) as Message
    return
  }
  let incomplete = ""
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const events = (incomplete + chunk).split("\n\n")
    incomplete = events.pop() ?? ""
    for (const event of events) {
      const data = /^data: ?(\S.*)$/m.exec(event)?.[1]
      if (data !== undefined) yield JSON.parse(data) as Message
    }
  }
}

function legacyHeaders(session: string | null): Readonly<Record<string, string>> {
  return { "mcp-protocol-version": legacy, ...(session === null ? {} : { "mcp-session-id": session }) }
}

function post(endpoint: Endpoint, headers: Readonly<Record<string, string>>, message: object): Promise<Response> {
  const init = {
    method: "POST",
    headers: {
      ...headers,
      authorization: `Bearer ${endpoint.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  }
  return endpoint.fetch === undefined ? fetch(endpoint.url, init) : endpoint.fetch(new Request(endpoint.url, init))
}
