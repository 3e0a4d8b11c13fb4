// The SDK's own request handler over a small scripted agent, and calls to a binding without a server in between. The
// first text of the message controls the agent.

import { randomUUID } from "node:crypto"
import { AgentCard, Extensions, TaskState } from "@a2a-js/sdk"
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  ServerCallContext,
} from "@a2a-js/sdk/server"
import type { A2aBinding } from "../../src/agents/binding.ts"

export const agentUrl = "http://agents.test/a2a/scripted"

export function createScriptedHandler(bindings: readonly A2aBinding[], more: object = {}): DefaultRequestHandler {
  const supportedInterfaces = bindings.flatMap(({ interfaces }) =>
    interfaces.map((one) => ({ ...one, url: agentUrl, tenant: "" })),
  )
  const card = AgentCard.fromJSON({
    ...{ name: "scripted", description: "Does what it is told.", version: "1", supportedInterfaces },
    ...{ defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"], skills: [] },
    capabilities: {
      ...{ streaming: true, pushNotifications: true, extendedAgentCard: false },
      extensions: [{ uri: "https://x.test/known" }],
    },
    ...more,
  })
  return new DefaultRequestHandler(
    ...([card, new InMemoryTaskStore(), scripted(), undefined, new InMemoryPushNotificationStore()] as const),
  )
}

/** The error text of the scripted agent when the message makes it fail. */
export const secretOfFailure = "the password is swordfish"

function scripted(): AgentExecutor {
  return {
    async execute({ taskId, contextId, userMessage, request, task, context }, bus) {
      const setStatus = (state: TaskState, text: string): void => status(bus, { taskId, contextId, state, text })
      const part = userMessage.parts[0]?.content
      const command = part?.$case === "text" ? part.value : ""
      for (const uri of context.requestedExtensions ?? [])
        if (uri.endsWith("/known")) context.addActivatedExtension(uri)
      if (command === "reply") {
        const parts = [textPart("hello")]
        bus.publish(AgentEvent.message({ ...message(contextId), parts }))
        return bus.finished()
      }
      bus.publish(
        AgentEvent.task({
          ...{ id: taskId, contextId, artifacts: task?.artifacts ?? [], metadata: {} },
          status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: new Date().toISOString() },
          history: [...(task?.history ?? []), request.message ?? userMessage],
        }),
      )
      setStatus(TaskState.TASK_STATE_WORKING, "working")
      if (command === "ask") setStatus(TaskState.TASK_STATE_INPUT_REQUIRED, "Which one?")
      else if (command === "break") throw new Error(secretOfFailure)
      else if (command !== "wait") {
        bus.publish(
          AgentEvent.artifactUpdate({
            ...{ taskId, contextId, append: false, lastChunk: true, metadata: {} },
            artifact: {
              ...{ artifactId: "a1", name: "answer", description: "", metadata: {}, extensions: [] },
              parts: [textPart(`you said ${command}`)],
            },
          }),
        )
        setStatus(TaskState.TASK_STATE_COMPLETED, "done")
      }
      bus.finished()
    },
    async cancelTask(taskId, bus) {
      status(bus, { taskId, contextId: "", state: TaskState.TASK_STATE_CANCELED, text: "cancelled" })
      bus.finished()
    },
  }
}

interface StatusText {
  readonly taskId: string
  readonly contextId: string
  readonly state: TaskState
  readonly text: string
}

function status(bus: ExecutionEventBus, { taskId, contextId, state, text }: StatusText): void {
  const statusMessage = { ...message(contextId), taskId, parts: [textPart(text)] }
  const timestamp = new Date().toISOString()
  bus.publish(
    AgentEvent.statusUpdate({ taskId, contextId, metadata: {}, status: { state, message: statusMessage, timestamp } }),
  )
}

const textPart = (value: string) => ({
  ...{ metadata: {}, filename: "", mediaType: "text/plain" },
  content: { $case: "text", value } as const,
})

const message = (contextId: string) => ({
  ...{ messageId: randomUUID(), contextId, taskId: "", role: 2, parts: [] },
  ...{ metadata: {}, extensions: [], referenceTaskIds: [] },
})

/** A fetch that calls these bindings, as the mount of an agent does. */
export function fetchOf(bindings: readonly A2aBinding[], handler: DefaultRequestHandler, mostBytes = 100_000) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const { pathname, searchParams } = new URL(request.url)
    const path = pathname.slice(new URL(agentUrl).pathname.length)
    const version = request.headers.get("a2a-version") ?? searchParams.get("A2A-Version") ?? undefined
    if (path === "/.well-known/agent-card.json") return Response.json(AgentCard.toJSON(await handler.getAgentCard()))
    let read: Promise<string> | undefined
    const call = {
      ...{ request, path, version, handler },
      async text() {
        read ??= request.text()
        const text = await read
        return text.length > mostBytes ? undefined : text
      },
      context: () =>
        new ServerCallContext({
          requestedExtensions: Extensions.parseServiceParameter(request.headers.get("a2a-extensions") ?? undefined),
          ...(version === undefined ? {} : { requestedVersion: version }),
        }),
      stream: (events: AsyncGenerator<string>, headers: Readonly<Record<string, string>> = {}) =>
        new Response(toStream(events), { headers: { ...headers, "content-type": "text/event-stream" } }),
    }
    for (const binding of bindings) {
      const response = await binding.fetch(call)
      if (response !== undefined) return response
    }
    return new Response("nothing", { status: 404 })
  }
}

function toStream(events: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await events.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => void (await events.return(undefined)),
  })
}
