// The requirements of the official A2A kit for streams, versions, each binding, and authorization in a task (§7.6).

import { askingAgents } from "@holdpoint/testkit/a2a/agents/asking-agents"
import { publicUrl, startAgents } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect } from "vitest"
import { begin, bindings, type Json, jsonRpcWire, message, restWire, type WireTask } from "./both-bindings.ts"
import { conforms } from "./conforms.ts"

const open = () => startAgents(askingAgents())
const stateIn = (event: Json | undefined): string | undefined =>
  ((event?.task ?? event?.statusUpdate) as WireTask | undefined)?.status.state

async function all(stream: AsyncGenerator<Json>): Promise<readonly Json[]> {
  const events: Json[] = []
  for await (const event of stream) events.push(event)
  return events
}

describe.each(bindings)("a stream over $name", ({ connect }) => {
  conforms(
    ["CORE-STREAM-001", "CORE-STREAM-003", "STREAM-ORDER-001"],
    "begins with the task, sends events in order, and closes at the end of the task",
    async () => {
      const events = await all(connect(await open()).stream("SendStreamingMessage", message("hello")))
      expect(Object.keys(events[0] ?? {})).toEqual(["task"])
      expect(events.every((event) => Object.keys(event).length === 1)).toBe(true)
      expect(stateIn(events.at(-1))).toBe("TASK_STATE_COMPLETED")
    },
  )

  conforms(
    ["STREAM-SUB-001", "STREAM-SUB-002", "STREAM-ORDER-002", "STREAM-ORDER-003", "STREAM-ORDER-004"],
    "has the same events as other streams of the task, even when one of them is closed early",
    async () => {
      const wire = connect(await open())
      const { id } = await begin(wire, "city")
      const streams = [1, 2, 3].map(() => wire.stream("SubscribeToTask", { id }))
      for (const stream of streams) expect(((await stream.next()).value as Json).task).toMatchObject({ id })
      await streams[2]?.return(undefined)
      await begin(wire, "oslo", { taskId: id })
      const [one, other] = await Promise.all(streams.slice(0, 2).map(all))
      expect(other).toEqual(one)
      expect(stateIn(one?.at(-1))).toBe("TASK_STATE_COMPLETED")
    },
  )

  conforms(["STREAM-SUB-003", "STREAM-SUB-004"], "is refused for a task that has ended or does not exist", async () => {
    const wire = connect(await open())
    const { id } = await begin(wire, "hello")
    expect((await wire.call("SubscribeToTask", { id })).reason).toBe("UNSUPPORTED_OPERATION")
    expect((await wire.call("SubscribeToTask", { id: "none" })).reason).toBe("TASK_NOT_FOUND")
  })
})

describe.each(bindings)("an authorization in a task over $name", ({ connect }) => {
  conforms(
    ["AUTH-INTASK-001", "AUTH-INTASK-002", "AUTH-INTASK-003"],
    "puts the task in AUTH_REQUIRED, with a status that says what is needed and where",
    async () => {
      const wire = connect(await open())
      const { id } = await begin(wire, "pay")
      const { status } = (await wire.call("GetTask", { id })).result as WireTask
      expect(status.state).toBe("TASK_STATE_AUTH_REQUIRED")
      const words = status.message?.parts.map(({ text = "" }) => text).join("")
      expect(words).toContain("Please pay.")
      expect(words).toMatch(/https?:\/\//)
    },
  )

  conforms(
    ["AUTH-INTASK-004", "AUTH-INTASK-005"],
    "is given out of band while streams stay open, and the task continues without a message",
    async () => {
      const server = await open()
      const wire = connect(server)
      const stream = wire.stream("SendStreamingMessage", message("pay"))
      const seen: Json[] = []
      while (stateIn(seen.at(-1)) !== "TASK_STATE_AUTH_REQUIRED") seen.push((await stream.next()).value as Json)
      const { id } = (seen[0]?.task ?? {}) as WireTask
      const inBand = await begin(wire, "the code is 1234, it is paid", { taskId: id })
      expect(inBand.status.state).toBe("TASK_STATE_AUTH_REQUIRED")
      const question = questionIn(inBand)
      await server.hub.answer(question, { by: alice, action: "accept", via: "test" })
      await server.hub.complete(question)
      expect(stateIn((await all(stream)).at(-1))).toBe("TASK_STATE_COMPLETED")
    },
  )

  conforms("AUTH-INTASK-006", "can be declined by a message while it is open", async () => {
    const wire = connect(await open())
    const task = await begin(wire, "pay")
    const data = { type: "elicitation-response", elicitationId: questionIn(task), action: "decline" }
    const after = await begin(wire, "", { taskId: task.id, parts: [{ data, mediaType: "application/json" }] })
    expect(after.status.state).not.toBe("TASK_STATE_AUTH_REQUIRED")
  })
})

const alice = { tenant: "local", issuer: "local", subject: "alice", roles: [] }
const questionIn = ({ status }: WireTask): string =>
  String(status.message?.parts.find(({ data }) => data !== undefined)?.data?.elicitationId)

describe("both bindings", () => {
  conforms(
    ["BIND-EQUIV-001", "BIND-EQUIV-002", "BIND-EQUIV-003"],
    "have the same operations, results and errors",
    async () => {
      const server = await open()
      const [rpc, rest] = [jsonRpcWire(server), restWire(server)]
      const { id } = await begin(rpc, "city")
      const config = { taskId: id, id: "c1", url: "https://receiver.example.org/" }
      const calls = [
        ...([
          ["GetTask", { id }],
          ["ListTasks", {}],
          ["CreateTaskPushNotificationConfig", config],
        ] as const),
        ...([["GetTaskPushNotificationConfig", { taskId: id, id: "c1" }]] as const),
        ...([
          ["ListTaskPushNotificationConfigs", { taskId: id }],
          ["GetExtendedAgentCard", {}],
        ] as const),
        ...([
          ["GetTask", { id: "none" }],
          ["CancelTask", { id: "none" }],
          ["SubscribeToTask", { id: "none" }],
        ] as const),
        ...([["SendMessage", {}]] as const),
      ]
      for (const [operation, params] of calls) {
        const [one, other] = [await rpc.call(operation, params), await rest.call(operation, params)]
        expect([operation, other.result, other.reason]).toEqual([operation, one.result, one.reason])
      }
    },
  )

  conforms(
    ["VER-SERVER-001", "VER-SERVER-002", "VER-SERVER-003", "VER-CLIENT-002"],
    "read each request by its version, and refuse versions that are not offered",
    async () => {
      const server = await open()
      for (const wire of [jsonRpcWire(server), restWire(server)]) {
        expect((await wire.call("ListTasks", {}, { "a2a-version": "1.0.7" })).result.tasks).toEqual([])
        expect((await wire.call("ListTasks", {}, { "a2a-version": "99.0" })).reason).toBe("VERSION_NOT_SUPPORTED")
      }
      // 0.3 has other names of methods, and no list.
      const legacy = await jsonRpcWire(server).call("ListTasks", {}, { "a2a-version": "" })
      expect((legacy.body.error as { code: number }).code).toBe(-32601)
      expect((await restWire(server).call("ListTasks", {}, { "a2a-version": "" })).reason).toBe("VERSION_NOT_SUPPORTED")
    },
  )
})

describe("JSON-RPC", () => {
  const post = async (body: string, headers: Readonly<Record<string, string>> = {}) => {
    const all = { "a2a-version": "1.0", "content-type": "application/json", ...headers }
    return (await open()).fetch(new Request(`${publicUrl}/a2a/helper`, { method: "POST", headers: all, body }))
  }
  const codeOf = async (response: Response) => ((await response.json()) as { error: { code: number } }).error.code

  conforms.each(["JSONRPC-FMT-001", "JSONRPC-ERR-001"])([
    ["a body that is not JSON", "{", -32700],
    ["an array", "[]", -32600],
    ["no version", '{"id":1,"method":"GetTask","params":{}}', -32600],
    ["no method", '{"jsonrpc":"2.0","id":1}', -32600],
    ["an unknown method", '{"jsonrpc":"2.0","id":1,"method":"Nothing","params":{}}', -32601],
    ["wrong parameters", '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":[]}', -32602],
  ])("refuses %s with the code of JSON-RPC", async (_what, body, code) => {
    const response = await post(body)
    expect([response.status, await codeOf(response)]).toEqual([200, code])
  })

  conforms(
    ["JSONRPC-FMT-002", "JSONRPC-SVC-001", "JSONRPC-SVC-002", "JSONRPC-SSE-001"],
    "is application/json, with methods in PascalCase, parameters in headers, and streams of responses",
    async () => {
      const { response, result } = await jsonRpcWire(await open()).call("ListTasks")
      expect([response.headers.get("content-type"), result.tasks]).toEqual(["application/json", []])
      const request = { jsonrpc: "2.0", id: 7, method: "SendStreamingMessage", params: message("hello") }
      const stream = await post(JSON.stringify(request))
      expect(stream.headers.get("content-type")).toContain("text/event-stream")
      const events = [...(await stream.text()).matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data))
      expect(events.every(({ jsonrpc, id, result }) => jsonrpc === "2.0" && id === 7 && result !== undefined)).toBe(
        true,
      )
    },
  )

  conforms(
    ["JSONRPC-ERR-002", "JSONRPC-SSE-002"],
    "uses the specification's JSON-RPC code for each A2A error",
    async () => {
      const wire = jsonRpcWire(await open())
      const { id } = await begin(wire, "hello")
      const raw = { raw: "dGNr", mediaType: "application/x-unsupported-type" }
      const errors = [
        await wire.call("GetTask", { id: "none" }),
        await wire.call("CancelTask", { id }),
        await wire.call("GetExtendedAgentCard"),
        await wire.call("SendMessage", message("", { parts: [raw] })),
        await wire.call("GetTask", { id }, { "a2a-version": "9.9" }),
      ]
      const codes = errors.map(({ body }) => (body.error as { code: number }).code)
      expect(codes).toEqual([-32001, -32002, -32004, -32005, -32009])
    },
  )
})

describe("HTTP+JSON", () => {
  conforms(
    ["HTTP_JSON-ERR-001", "HTTP_JSON-ERR-002", "HTTP_JSON-STATUS-001"],
    "uses the specification's status for each A2A error, in the form of AIP-193",
    async () => {
      const wire = restWire(await open())
      const { id } = await begin(wire, "hello")
      const errors = [
        await wire.call("GetTask", { id: "none" }),
        await wire.call("CancelTask", { id }),
        await wire.call("GetExtendedAgentCard"),
        await wire.call("GetTask", { id }, { "a2a-version": "9.9" }),
      ]
      expect(errors.map(({ response }) => response.status)).toEqual([404, 400, 400, 400])
      for (const { body, response } of errors)
        expect(body.error).toMatchObject({
          ...{ code: response.status, status: expect.stringMatching(/^[A-Z_]+$/), message: expect.any(String) },
          details: [{ reason: expect.stringMatching(/^[A-Z_]+$/), domain: "a2a-protocol.org" }],
        })
    },
  )

  conforms(
    ["HTTP_JSON-URL-001", "HTTP_JSON-URL-002", "HTTP_JSON-SVC-001", "HTTP_JSON-SVC-002", "HTTP_JSON-QP-001"],
    "has the specification's paths, methods, headers and names, and its own content type",
    async () => {
      const wire = restWire(await open())
      const { id, contextId } = await begin(wire, "hello")
      const { response, result } = await wire.call("ListTasks", { contextId, pageSize: 1 })
      expect(response.headers.get("content-type")).toBe("application/a2a+json")
      expect((result.tasks as WireTask[]).map((task) => task.id)).toEqual([id])
    },
  )

  conforms("HTTP_JSON-SSE-001", "streams events that are StreamResponses", async () => {
    const events = await all(restWire(await open()).stream("SendStreamingMessage", message("hello")))
    const kinds = ["task", "statusUpdate", "artifactUpdate"]
    expect(events.flatMap((event) => Object.keys(event)).every((kind) => kinds.includes(kind))).toBe(true)
  })
})

describe("an agent's card", () => {
  const read = async () => (await open()).get("/a2a/helper/.well-known/agent-card.json")

  conforms(
    ["CARD-DISC-001", "CARD-PROTO-001", "CARD-PROTO-002", "CARD-STRUCT-001", "BIND-FIELD-001"],
    "has all required fields, and each binding with its address",
    async () => {
      const card = (await (await read()).json()) as Json
      for (const field of ["name", "description", "version", "capabilities", "skills", "defaultInputModes"])
        expect(card[field]).toBeDefined()
      const url = `${publicUrl}/a2a/helper`
      expect(card.supportedInterfaces).toEqual([
        { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
        { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      ])
    },
  )

  conforms(["CARD-CACHE-001", "CARD-CACHE-002"], "can be cached for a time, and has an ETag", async () => {
    const { headers } = await read()
    expect([headers.get("cache-control"), headers.get("etag")]).toEqual([
      expect.stringMatching(/max-age=\d+/),
      expect.stringMatching(/^"/),
    ])
  })
})
