// An A2A agent in a child process, either ours or one on the SDK's request handler with its memory store. Both run the
// same two scripted model steps, and ask one question between them.

import { randomBytes } from "node:crypto"
import { createServer, type Server as HttpServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { AgentCard, Part, Role, TaskState } from "@a2a-js/sdk"
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
  UnauthenticatedUser,
} from "@a2a-js/sdk/server"
import type { LanguageModelV4 } from "@ai-sdk/provider"
import { createAgents, readAgents, scriptedModel } from "@holdpoint/agents"
import { withNewKey } from "@holdpoint/hub/sealing"
import { dynamicTool, isStepCount, jsonSchema, type ModelMessage, streamText, type ToolSet } from "ai"
import { type Server, startServer } from "holdpoint/serve"
import { a2a } from "../../packages/a2a/src/agents/surface.ts"
import { serve } from "../child.ts"
import { openStorage, type StoreLocation } from "../core/store-locations.ts"
import { programKey } from "../program-key.ts"

let server: Server | undefined
let bare: HttpServer | undefined

const commands = {
  async open({ location }: { readonly location: StoreLocation }) {
    const storage = await openStorage(location)
    const agents = readAgents({
      agents: { asker: { model, tools: { ask: askTool } } },
      limits: { runsPerPerson: 1_000 },
    })
    server = await startServer({
      ...{ storage, keys: withNewKey(), host: "127.0.0.1", port: 0 },
      people: { from: "local", user: "alice", tenant: "local", secret: randomBytes(32), programKey },
      hub: { limits: { pendingPerPerson: 100_000, pendingPerTenant: 100_000 } },
      mounts: (site) => [createAgents(site, agents, { surfaces: [a2a({ version: "0.1.0" })] })],
    })
    return { url: `${server.address}/a2a/asker` }
  },

  async openBare(_options: null) {
    const rpc = new JsonRpcTransportHandler(new DefaultRequestHandler(card, new InMemoryTaskStore(), executor))
    bare = createServer(async (request, response) => {
      const context = new ServerCallContext({ user: new UnauthenticatedUser(), requestedVersion: "1.0" })
      const body = JSON.stringify(await rpc.handle(await textOf(request), context))
      response.writeHead(200, { "content-type": "application/json" }).end(body)
    })
    await new Promise<void>((resolve) => bare?.listen(0, "127.0.0.1", resolve))
    return { url: `http://127.0.0.1:${(bare.address() as AddressInfo).port}` }
  },
}

export type A2aCommands = typeof commands

serve(commands, async () => {
  await server?.close()
  bare?.close()
})

const model: LanguageModelV4 = scriptedModel(({ step }) =>
  step === 0 ? { calls: [{ tool: "ask", input: {} }] } : { text: "Thank you." },
)

const question = "Where to?"
const form = { type: "object", properties: { where: { type: "string" } }, required: ["where"] } as const
const noInput = { type: "object", properties: {} } as const

const askTool = {
  description: "Asks where to",
  inputSchema: noInput,
  handle: (_input: unknown, ask: { form(key: string, message: string, schema: object): Promise<unknown> }) =>
    ask.form("where", question, form),
}

/** The same agent on the SDK alone: its tasks do not survive the process, and it does not validate answers. */
const executor: AgentExecutor = {
  async execute({ taskId, contextId, userMessage, task }, bus) {
    const messages = conversations.get(taskId) ?? []
    const status = (state: TaskState, text: string) => ({
      state,
      message: {
        ...{
          messageId: crypto.randomUUID(),
          role: Role.ROLE_AGENT,
          taskId,
          contextId,
          extensions: [],
          referenceTaskIds: [],
        },
        ...{ metadata: undefined, parts: [Part.fromJSON({ text })] },
      },
      timestamp: new Date().toISOString(),
    })
    const base = { id: taskId, contextId, artifacts: [], history: [userMessage], metadata: undefined }
    if (task === undefined) {
      bus.publish(AgentEvent.task({ ...base, status: status(TaskState.TASK_STATE_WORKING, "") }))
      conversations.set(taskId, await step([{ role: "user", content: "go" }]))
      return bus.publish(
        AgentEvent.statusUpdate({
          ...{ taskId, contextId, metadata: undefined, status: status(TaskState.TASK_STATE_INPUT_REQUIRED, question) },
        }),
      )
    }
    bus.publish(AgentEvent.task({ ...task, status: status(TaskState.TASK_STATE_WORKING, "") }))
    const output = { type: "json" as const, value: { where: "Rome" } }
    const result = { type: "tool-result" as const, toolCallId: callIn(messages), toolName: "ask", output }
    await step([...messages, { role: "tool", content: [result] }])
    conversations.delete(taskId)
    bus.publish(
      AgentEvent.statusUpdate({
        ...{ taskId, contextId, metadata: undefined, status: status(TaskState.TASK_STATE_COMPLETED, "Thank you.") },
      }),
    )
  },
  async cancelTask() {},
}

const conversations = new Map<string, readonly ModelMessage[]>()

function callIn(messages: readonly ModelMessage[]): string {
  const parts = messages.flatMap(({ role, content }) => (role === "assistant" && Array.isArray(content) ? content : []))
  const call = parts.find((part) => part.type === "tool-call")
  if (call === undefined) throw new Error("The model called no tool.")
  return call.toolCallId
}

async function step(messages: readonly ModelMessage[]): Promise<readonly ModelMessage[]> {
  const tools = {
    ask: dynamicTool({ description: askTool.description, inputSchema: jsonSchema(noInput) } as never),
  } satisfies ToolSet
  const result = streamText({ model, messages: [...messages], tools, stopWhen: isStepCount(1), maxRetries: 0 })
  for await (const _part of result.stream);
  return [...messages, ...(await result.response).messages]
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const card = AgentCard.fromJSON({
  ...{ name: "Bare", description: "Asks one question", version: "1", capabilities: { streaming: true } },
  supportedInterfaces: [{ url: "http://127.0.0.1", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  ...{ defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"], skills: [] },
})
