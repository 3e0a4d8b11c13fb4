// The official A2A client, connected to a server in this process, with helpers for short messages.

import { randomUUID } from "node:crypto"
import { type Message, type Part, Role, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk"
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client"
import { answerPart, elicitationExtension, readQuestions } from "@holdpoint/a2a"
import { textPart } from "@holdpoint/a2a/internal"
import { type AgentsServer, publicUrl } from "../../agents/agents-server.ts"

export type SentMessage = Partial<Message> & { readonly text?: string }

export interface A2aClient {
  readonly client: Client
  /** Sends a message, and returns the task. */
  send(message: SentMessage | string, configuration?: object): Promise<Task>
  stream(message: SentMessage | string): AsyncGenerator<StreamResponse, void, undefined>
  get(id: string, historyLength?: number): Promise<Task>
  cancel(id: string): Promise<Task>
}

export interface AgentAddress {
  readonly agent?: string
  readonly base?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A fetch function for a server in this process. */
export const fetchOf =
  (server: Pick<AgentsServer, "fetch">, headers: Readonly<Record<string, string>> = {}): typeof fetch =>
  (input, init) => {
    const request = new Request(input, init)
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
    return server.fetch(request)
  }

export async function connectA2a(
  server: Pick<AgentsServer, "fetch">,
  { agent = "helper", base = publicUrl, headers = {} }: AgentAddress = {},
): Promise<A2aClient> {
  const fetchImpl = fetchOf(server, { "a2a-extensions": elicitationExtension, ...headers })
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  })
  const client = await factory.createFromUrl(`${base}/a2a/${agent}/`)
  const toRequest = (message: SentMessage | string, configuration?: object) => ({
    ...{ tenant: "", metadata: undefined, message: toMessage(message) },
    configuration:
      configuration === undefined
        ? undefined
        : {
            ...{ acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately: false },
            ...configuration,
          },
  })
  return {
    client,
    async send(said, configuration) {
      const result = await client.sendMessage(toRequest(said, configuration))
      if ("messageId" in result) throw new Error("a message came instead of a task")
      return result
    },
    stream: (message) => client.sendMessageStream(toRequest(message)),
    get: (id, historyLength) =>
      client.getTask({ tenant: "", id, ...(historyLength === undefined ? {} : { historyLength }) }),
    cancel: (id) => client.cancelTask({ tenant: "", id, metadata: undefined }),
  }
}

function toMessage(sent: SentMessage | string): Message {
  const { text, ...message } = typeof sent === "string" ? { text: sent } : sent
  return {
    ...{ messageId: randomUUID(), contextId: "", taskId: "", role: Role.ROLE_USER, metadata: undefined },
    ...{ extensions: [], referenceTaskIds: [], parts: text === undefined ? [] : [textPart(text)] },
    ...message,
  }
}

export const stateName = (task: Pick<Task, "status"> | undefined): string =>
  (TaskState[task?.status?.state ?? 0] ?? "").replace("TASK_STATE_", "")

export const words = (parts: readonly Part[] = []): string =>
  parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("")

/** The text of the reply. */
export const replyOf = ({ artifacts }: Task): string => artifacts.map(({ parts }) => words(parts)).join("|")

/** The text in the status of a task. */
export const saidOf = ({ status }: Pick<Task, "status">): string => words(status?.message?.parts)

/** The open questions of the task. */
export const asked = ({ status }: Pick<Task, "status">) => readQuestions(status?.message?.parts ?? [])

export function onlyQuestion(task: Pick<Task, "status">) {
  const [question, ...others] = asked(task)
  if (question === undefined || others.length > 0) throw new Error(`not one question: ${JSON.stringify(task.status)}`)
  return question
}

/** A message with an answer, as a data part. */
export const answering = (
  { id }: Task,
  elicitationId: string,
  answer: Omit<Parameters<typeof answerPart>[0], "elicitationId">,
): SentMessage => ({ taskId: id, parts: [answerPart({ elicitationId, ...answer })] })
