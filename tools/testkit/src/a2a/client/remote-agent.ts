// An A2A agent of others, on the official SDK's server over HTTP, of protocol 1.0 or 0.3. A test says what it does with
// each message.

import { once } from "node:events"
import type { IncomingHttpHeaders, Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { AgentCard, Part, Task } from "@a2a-js/sdk"
import { Role, TaskState } from "@a2a-js/sdk"
import type { AgentExecutor, ExecutionEventBus, RequestContext } from "@a2a-js/sdk/server"
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server"
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express"
import express from "express"

export interface RemoteAgent {
  readonly url: string
  /** What the agent does with the messages, in order. The last one serves all further ones. */
  script: readonly ((reply: AgentReply) => void | Promise<void>)[]
  /** The parts of each message that it got. */
  readonly got: readonly (readonly Part[])[]
  /** The ids of the messages. */
  readonly ids: readonly string[]
  /** The tasks that were cancelled. */
  readonly cancelled: readonly string[]
  /** The names of the methods that were called, in order. */
  readonly methods: string[]
  readonly headers: IncomingHttpHeaders[]
  /** Answers requests instead of the agent, if it returns a status or true for a broken connection. */
  disturb: ((method: string) => number | "break" | undefined) | undefined
  /** Whether a request with these headers is served. Others are answered with 401, but for the card. */
  isAdmitted: ((headers: IncomingHttpHeaders) => boolean) | undefined
  /** How many other tasks of this client the agent has, all with a later change than those of the test. */
  otherTasks: number
  readonly card: AgentCard
  /** Breaks all open connections. */
  breakConnections(): void
  /** Forgets all tasks. */
  forget(): void
  close(): Promise<void>
}

/** What the agent can do with one message. */
export interface AgentReply {
  readonly task: string
  readonly parts: readonly Part[]
  status(state: keyof typeof states, ...parts: readonly Part[]): void
  artifact(...parts: readonly Part[]): void
  /** Replies without a task. */
  message(...parts: readonly Part[]): void
}

export const states = {
  working: TaskState.TASK_STATE_WORKING,
  input: TaskState.TASK_STATE_INPUT_REQUIRED,
  auth: TaskState.TASK_STATE_AUTH_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  rejected: TaskState.TASK_STATE_REJECTED,
  canceled: TaskState.TASK_STATE_CANCELED,
}

const labels = { metadata: undefined, filename: "", mediaType: "" }
export const text = (value: string): Part => ({ content: { $case: "text", value }, ...labels })
export const data = (value: unknown): Part => ({ content: { $case: "data", value }, ...labels })

/** A form of the extension. */
export const formPart = (id: string, message: string, properties: object, expiresAt = "2099-01-01T00:00:00Z"): Part =>
  data({
    ...{ type: "elicitation-request", elicitationId: id, mode: "form", message, status: "pending" },
    requestedSchema: { type: "object", properties },
    ...{ context: { trigger: "tool_input_required" }, expiresAt },
  })

/** A link of the extension. */
export const linkPart = (id: string, message: string, url: string): Part =>
  data({
    ...{ type: "elicitation-request", elicitationId: id, mode: "url", message, status: "pending", url },
    ...{ context: { trigger: "tool_input_required" }, expiresAt: "2099-01-01T00:00:00Z" },
  })

export interface RemoteOptions {
  readonly version?: "1.0" | "0.3"
  readonly isStreaming?: boolean
  /** The transport. Default: JSONRPC. */
  readonly binding?: "JSONRPC" | "HTTP+JSON"
}

export async function startRemoteAgent(options: RemoteOptions = {}): Promise<RemoteAgent> {
  const { version = "1.0", isStreaming = false, binding = "JSONRPC" } = options
  const app = express()
  const server: Server = app.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const card = cardFor(url, { version, isStreaming, binding })
  const seen = { got: [] as (readonly Part[])[], ids: [] as string[], cancelled: [] as string[], count: 0 }
  let tasks = new InMemoryTaskStore()
  const agent: RemoteAgent = {
    ...{ url, script: [], card, methods: [], headers: [], disturb: undefined, isAdmitted: undefined },
    otherTasks: 0,
    ...{ got: seen.got, ids: seen.ids, cancelled: seen.cancelled },
    breakConnections: () => server.closeAllConnections(),
    forget() {
      tasks = new InMemoryTaskStore()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
  const executor: AgentExecutor = {
    async execute(context, bus) {
      const { message } = context.request
      seen.got.push(message?.parts ?? [])
      seen.ids.push(message?.messageId ?? "")
      const step = agent.script[Math.min(seen.count++, agent.script.length - 1)]
      await step?.(turnOf(context, bus))
    },
    async cancelTask(taskId, bus) {
      seen.cancelled.push(taskId)
      bus.publish(AgentEvent.statusUpdate(update(taskId, "canceled", [])))
      bus.finished()
    },
  }
  const list: InMemoryTaskStore["list"] = async (params, context) => {
    for (let number = 0; number < agent.otherTasks; number++) await tasks.save(otherTask(number), context)
    return tasks.list(params, context)
  }
  const store = { save: of("save"), load: of("load"), list } as InMemoryTaskStore
  function of<K extends "save" | "load">(name: K) {
    return (...given: unknown[]) => (tasks[name] as (...given: unknown[]) => unknown)(...given)
  }
  const handler = new DefaultRequestHandler(card, store, executor)
  const legacyCompat = { enabled: version === "0.3" }
  app.use(express.json())
  app.use((request, response, next) => {
    const isAdmitted = agent.isAdmitted?.(request.headers) !== false
    // Where the providers of accounts try a key.
    if (request.path === "/me") return void response.status(isAdmitted ? 200 : 401).json({})
    const isCard = request.path.startsWith("/.well-known/")
    const method = String(request.body?.method ?? (isCard ? "card" : request.path))
    agent.methods.push(method)
    agent.headers.push(request.headers)
    // An agent of 0.3 does not know the header.
    if (version === "0.3") delete request.headers["a2a-version"]
    const disturbed = agent.disturb?.(method)
    if (method !== "card" && !isAdmitted) response.status(401).send("<p>Who are you?</p>")
    else if (disturbed === "break") request.socket.destroy()
    else if (disturbed !== undefined) response.status(disturbed).send("<p>Not now</p>")
    else next()
  })
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: handler, legacyCompat }))
  const handlers = { requestHandler: handler, userBuilder: UserBuilder.noAuthentication, legacyCompat }
  app.use("/", binding === "JSONRPC" ? jsonRpcHandler(handlers) : restHandler(handlers))
  return agent
}

function cardFor(url: string, { version, isStreaming: streaming, binding }: Required<RemoteOptions>): AgentCard {
  return {
    ...{ name: "Translator", description: "Translates texts", version: "1", provider: undefined, iconUrl: undefined },
    supportedInterfaces: [{ url: `${url}/`, protocolBinding: binding, tenant: "", protocolVersion: version }],
    capabilities: { streaming, extensions: [] },
    ...{ securitySchemes: {}, securityRequirements: [], signatures: [] },
    ...{ defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] },
    skills: [
      {
        ...{ id: "fr", name: "French", description: "Into French", tags: [], examples: [] },
        ...{ inputModes: [], outputModes: [], securityRequirements: [] },
      },
    ],
  }
}

let messages = 0
const update = (taskId: string, state: keyof typeof states, parts: readonly Part[], contextId = "") => ({
  ...{ taskId, contextId, metadata: undefined },
  status: {
    ...{ state: states[state], timestamp: new Date().toISOString() },
    message:
      parts.length === 0
        ? undefined
        : {
            ...{ messageId: `said ${++messages}`, contextId, taskId, role: Role.ROLE_AGENT, parts: [...parts] },
            ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
          },
  },
})

const otherTask = (number: number): Task => ({
  ...{ id: `other ${number}`, contextId: "other", artifacts: [], history: [], metadata: undefined },
  status: { state: states.completed, timestamp: "2099-01-01T00:00:00.000Z", message: undefined },
})

function turnOf({ taskId, contextId, task, request }: RequestContext, bus: ExecutionEventBus): AgentReply {
  let isBegun = false
  const begin = (): void => {
    if (isBegun) return
    isBegun = true
    const known: Task = task ?? {
      ...{ id: taskId, contextId, artifacts: [], metadata: undefined },
      history: request.message === undefined ? [] : [request.message],
      status: update(taskId, "working", []).status,
    }
    bus.publish(AgentEvent.task({ ...known, status: update(taskId, "working", []).status }))
  }
  let artifacts = 0
  return {
    task: taskId,
    parts: request.message?.parts ?? [],
    status(state, ...parts) {
      begin()
      bus.publish(AgentEvent.statusUpdate(update(taskId, state, parts, contextId)))
      if (state !== "working" && state !== "auth") bus.finished()
    },
    artifact(...parts) {
      begin()
      const artifact = {
        ...{ artifactId: `artifact ${++artifacts}`, name: "", description: "", parts: [...parts] },
        ...{ metadata: undefined, extensions: [] },
      }
      bus.publish(
        AgentEvent.artifactUpdate({ taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined }),
      )
    },
    message(...parts) {
      bus.publish(
        AgentEvent.message({
          ...{ messageId: `said ${++messages}`, contextId, taskId: "", role: Role.ROLE_AGENT, parts: [...parts] },
          ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
        }),
      )
      bus.finished()
    },
  }
}
