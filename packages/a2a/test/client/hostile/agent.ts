// An A2A agent that wants to stop its client, as a process of its own that serves HTTP. It imports nothing but Node, and
// writes its responses by hand, because the SDK would refuse most of them. The first part of the path is the behaviour.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createGzip } from "node:zlib"

interface Rpc {
  readonly id: number
  readonly method: string
  readonly params?: { readonly message?: { readonly taskId?: string } }
}

interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly rpc: Rpc
}

type Behaviour = {
  /** Serves the card in place of a usual one. */
  readonly card?: (response: ServerResponse) => unknown
  readonly isStreaming?: boolean
  readonly methods?: Readonly<Record<string, (visit: Visit) => unknown>>
}

const size = { huge: 60_000_000, long: 5_000_000 }
const letters = (length: number): string => "a".repeat(length)
const hugeText = letters(size.huge)
/** A result as JSON, written by hand: the processor of the test is not for this program. */
const hugeTask = `{"id":"task-1","contextId":"context-1","status":{"state":"TASK_STATE_COMPLETED","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"${hugeText}"}]}}}`
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`

const usualCard = (base: string, isStreaming: boolean) => ({
  ...{ name: "Hostile", description: "Wants to stop its client", version: "1" },
  supportedInterfaces: [{ url: `${base}/rpc`, protocolBinding: "JSONRPC", tenant: "", protocolVersion: "1.0" }],
  capabilities: { streaming: isStreaming, extensions: [] },
  ...{ defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"], skills: [] },
})

const taskOf = (state: string, more: object = {}) => ({
  ...{ id: "task-1", contextId: "context-1", artifacts: [], history: [] },
  status: { state: `TASK_STATE_${state}`, timestamp: "2026-01-01T00:00:00Z", ...more },
})
const said = (parts: readonly object[], messageId = "said-1") => ({
  message: { messageId, role: "ROLE_AGENT", parts },
})
const done = taskOf("COMPLETED", said([{ text: "It works." }]))
const working = taskOf("WORKING")

const json = (response: ServerResponse, text: string) =>
  response.writeHead(200, { "content-type": "application/json" }).end(text)
const reply = ({ response, rpc }: Visit, result: object | string) =>
  json(
    response,
    `{"jsonrpc":"2.0","id":${rpc.id},"result":${typeof result === "string" ? result : JSON.stringify(result)}}`,
  )
const replyTask = (task: object) => (visit: Visit) => reply(visit, { task })
const withText = (text: string) => taskOf("COMPLETED", said([{ text }]))
const event = ({ rpc }: Visit, result: object): string =>
  `data: ${JSON.stringify({ jsonrpc: "2.0", id: rpc.id, result })}\n\n`
const openStream = ({ response }: Visit): ServerResponse =>
  response.writeHead(200, { "content-type": "text/event-stream" })

/** Writes the same text without end, as fast as the client reads it. */
function pour(response: ServerResponse, text: string): void {
  const block = text.repeat(Math.ceil(65_536 / text.length))
  const write = (): void => {
    while (!response.destroyed && response.write(block));
    if (!response.destroyed) response.once("drain", write)
  }
  write()
}

/** Writes one byte of the text after the other, slowly and without end. */
function drip(response: ServerResponse, text: string): void {
  let at = 0
  response.flushHeaders()
  const timer = setInterval(() => response.write(text[at++ % text.length]), 10)
  response.once("close", () => clearInterval(timer))
}

const started = { SendStreamingMessage: (visit: Visit) => openStream(visit).write(event(visit, { task: working })) }
const begun = { SendMessage: replyTask(working) }
const update = (state: string) => ({
  statusUpdate: { taskId: "task-1", contextId: "context-1", status: { state: `TASK_STATE_${state}` } },
})
/** Completes at the third look. */
const completesLater = () => {
  let looks = 0
  return { GetTask: (visit: Visit) => reply(visit, ++looks < 3 ? working : done) }
}
const form = (id: string) => ({
  data: {
    ...{ type: "elicitation-request", elicitationId: id, mode: "form", message: "Which?", status: "pending" },
    requestedSchema: { type: "object", properties: { [letters(50_000)]: { type: "nothing" } } },
  },
})
let rounds = 0

const behaviours: Readonly<Record<string, Behaviour>> = {
  "card-huge": { card: (response) => json(response, `{"name":"${hugeText}"}`) },
  "card-deep": { card: (response) => json(response, `{"name":"a","metadata":${nested(50_000)}}`) },
  "card-values": { card: (response) => json(response, `{"name":"a","skills":[${"[],".repeat(300_000)}1]}`) },
  "card-slow": { card: (response) => drip(response.writeHead(200), " ") },
  "card-silent": { card: () => {} },
  "card-redirects": { card: (response) => response.writeHead(302, { location: "?again" }).end() },
  "card-elsewhere": {
    card: (response) => response.writeHead(302, { location: `http://localhost:${port()}/taken` }).end(),
  },
  "card-interfaces": {
    card: (response) =>
      json(
        response,
        JSON.stringify({
          ...usualCard("", false),
          supportedInterfaces: Array.from({ length: 9_000 }, (_, at) => ({
            ...{ url: `https://evil${at}.example/`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
          })),
        }),
      ),
  },
  "send-huge": { methods: { SendMessage: (visit) => reply(visit, `{"task":${hugeTask}}`) } },
  "send-bomb": {
    methods: {
      SendMessage({ response }) {
        const packed = createGzip()
        packed.pipe(response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }))
        pour(packed as unknown as ServerResponse, " ")
        response.once("close", () => packed.destroy())
      },
    },
  },
  "send-deep": {
    methods: {
      SendMessage: (visit) =>
        reply(visit, `{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"data":${nested(5_000)}}]}}`),
    },
  },
  "send-values": {
    methods: {
      SendMessage: (visit) =>
        reply(
          visit,
          `{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"data":[${"[],".repeat(3_000_000)}1]}]}}`,
        ),
    },
  },
  "send-parts": {
    methods: {
      SendMessage: replyTask(taskOf("COMPLETED", said(Array.from({ length: 20_000 }, () => ({ text: "a" }))))),
      GetTask: (visit) =>
        reply(visit, taskOf("COMPLETED", said(Array.from({ length: 20_000 }, () => ({ text: "a" }))))),
    },
  },
  "send-text": {
    methods: { SendMessage: replyTask(working), GetTask: (visit) => reply(visit, withText(letters(size.long))) },
  },
  "send-id": { methods: { SendMessage: replyTask({ ...working, id: letters(size.long) }) } },
  "send-error": {
    methods: {
      SendMessage: ({ response, rpc }) =>
        json(
          response,
          JSON.stringify({ jsonrpc: "2.0", id: rpc.id, error: { code: -32602, message: letters(size.long) } }),
        ),
    },
  },
  "send-slow": {
    methods: {
      SendMessage: ({ response }) => drip(response.writeHead(200, { "content-type": "application/json" }), " "),
    },
  },
  "send-silent": { methods: { SendMessage: () => {} } },
  "send-pages": {
    methods: {
      SendMessage: ({ response }) => response.destroy(),
      ListTasks: (visit) => reply(visit, { tasks: [], nextPageToken: "more", pageSize: 100, totalSize: 1 }),
    },
  },
  "stream-silent": {
    isStreaming: true,
    methods: { SendStreamingMessage: (visit) => openStream(visit).flushHeaders() },
  },
  "stream-comments": {
    isStreaming: true,
    methods: { SendStreamingMessage: (visit) => pour(openStream(visit), ": waiting\n\n") },
  },
  "stream-comment": {
    isStreaming: true,
    methods: { SendStreamingMessage: (visit) => pour(openStream(visit), ": and so on") },
  },
  "stream-slow": {
    isStreaming: true,
    methods: { SendStreamingMessage: (visit) => drip(openStream(visit), "data: {}") },
  },
  "stream-huge": {
    isStreaming: true,
    methods: {
      SendStreamingMessage: (visit) =>
        openStream(visit).end(`data: {"jsonrpc":"2.0","id":${visit.rpc.id},"result":{"task":${hugeTask}}}\n\n`),
    },
  },
  "stream-deep": {
    isStreaming: true,
    methods: {
      SendStreamingMessage: (visit) =>
        openStream(visit).end(
          `data: {"jsonrpc":"2.0","id":${visit.rpc.id},"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"data":${nested(5_000)}}]}}}\n\n`,
        ),
    },
  },
  "stream-then-comments": {
    isStreaming: true,
    methods: {
      SendStreamingMessage(visit) {
        started.SendStreamingMessage(visit)
        pour(visit.response, ": waiting\n\n")
      },
      ...completesLater(),
    },
  },
  "stream-then-updates": {
    isStreaming: true,
    methods: {
      SendStreamingMessage(visit) {
        started.SendStreamingMessage(visit)
        pour(visit.response, event(visit, update("WORKING")))
      },
      ...completesLater(),
    },
  },
  "stream-then-alarms": {
    isStreaming: true,
    methods: {
      SendStreamingMessage(visit) {
        started.SendStreamingMessage(visit)
        pour(visit.response, event(visit, update("INPUT_REQUIRED")))
      },
      GetTask: (visit) => reply(visit, working),
      CancelTask: (visit) => reply(visit, taskOf("CANCELED")),
    },
  },
  "poll-huge": {
    methods: {
      ...begun,
      GetTask: (visit) => reply(visit, hugeTask),
      CancelTask: (visit) => reply(visit, taskOf("CANCELED")),
    },
  },
  "poll-slow": {
    methods: {
      ...begun,
      GetTask: ({ response }) => drip(response.writeHead(200, { "content-type": "application/json" }), " "),
      CancelTask: ({ response }) => drip(response.writeHead(200, { "content-type": "application/json" }), " "),
    },
  },
  "asks-long": {
    methods: {
      ...begun,
      GetTask: (visit) => reply(visit, taskOf("INPUT_REQUIRED", said([{ text: letters(size.long) }]))),
      CancelTask: (visit) => reply(visit, taskOf("CANCELED")),
    },
  },
  "asks-on": {
    methods: {
      SendMessage: (visit) => {
        rounds++
        reply(visit, { task: working })
      },
      GetTask: (visit) =>
        reply(
          visit,
          taskOf(
            "INPUT_REQUIRED",
            said(
              [1, 2].map((at) => form(`${rounds}-${at}`)),
              `said-${rounds}`,
            ),
          ),
        ),
      CancelTask: (visit) => reply(visit, taskOf("CANCELED")),
    },
  },
}

/** How often each method was called, by behaviour. */
const counts: Record<string, Record<string, number>> = {}

const server = createServer((request, response) => {
  const [, name = "", ...rest] = (request.url ?? "").split("/")
  const count = (method: string): void => {
    counts[name] = { ...counts[name], [method]: (counts[name]?.[method] ?? 0) + 1 }
  }
  if (name === "counts") return void json(response, JSON.stringify(counts))
  const behaviour = behaviours[name]
  if (behaviour === undefined) {
    count("request")
    return void response.writeHead(404).end()
  }
  const { card, isStreaming = false, methods = {} } = behaviour
  if (rest[0] !== "rpc") {
    count("card")
    if (card !== undefined) return void card(response)
    return void json(response, JSON.stringify(usualCard(`http://127.0.0.1:${port()}/${name}`, isStreaming)))
  }
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    const rpc = JSON.parse(body) as Rpc
    count(rpc.method)
    const method = methods[rpc.method]
    if (method !== undefined) return void method({ request, response, rpc })
    json(
      response,
      JSON.stringify({ jsonrpc: "2.0", id: rpc.id, error: { code: -32601, message: `No ${rpc.method} here` } }),
    )
  })
})
const port = (): number => (server.address() as AddressInfo).port
server.listen(0, () => process.stdout.write(`${JSON.stringify(server.address())}\n`))
