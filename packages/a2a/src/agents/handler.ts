// Implements the SDK's request handler with runs: each method of A2A for one caller of one agent. The bindings of all
// transports call only this handler.

import {
  type AgentCard,
  type Message,
  Role,
  type SendMessageRequest,
  type StreamResponse,
  type TaskPushNotificationConfig,
} from "@a2a-js/sdk"
import {
  A2AError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors"
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server"
import { hasEnded, storeUnavailableText } from "@holdpoint/agents/internal"
import { isHoldpointError } from "@holdpoint/hub"
import { elicitationExtension } from "../extension.ts"
import { answerTask, type MessageOutcome } from "./answer.ts"
import { cancelTask } from "./cancel.ts"
import { StoreUnavailableError } from "./errors.ts"
import { listTasks } from "./list-tasks.ts"
import { type A2aParts, type A2aVisit, digest, findTask, type KnownTask } from "./parts.ts"
import type { A2aPush } from "./push-port.ts"
import { toPushed } from "./push-source.ts"
import { readTask } from "./read-task.ts"
import { beginTask } from "./send.ts"
import { streamTask, waitForTask } from "./stream.ts"

export interface HandlerParts extends A2aParts {
  readonly cardOf: (agent: string) => Promise<AgentCard>
  readonly report: (activity: string, error: unknown) => void
}

/** Creates the handler of one request. */
export function createA2aHandler(parts: HandlerParts, visit: A2aVisit): A2ARequestHandler {
  const find = (id: string): Promise<KnownTask> => {
    if (id === "") throw new RequestMalformedError("The id of a task is missing.")
    return findTask(parts, visit, id)
  }
  const pushOf = (): A2aPush => {
    if (parts.push === undefined) throw new PushNotificationNotSupportedError()
    return parts.push
  }
  /** Carries out the message. Returns the task, and a text about missing answers. */
  const acceptMessage = async (request: SendMessageRequest, context: ServerCallContext): Promise<AcceptedMessage> => {
    const message = checkMessage(request.message)
    const push = request.configuration?.taskPushNotificationConfig
    if (push !== undefined) pushOf().check(push)
    checkLength(request.configuration?.historyLength)
    const isShown = activate(context)
    const isAnswer = message.taskId !== ""
    const knownTask = isAnswer ? await find(message.taskId) : await beginTask(parts, visit, { message, isShown })
    if (push !== undefined)
      await pushOf().create(toPushed(knownTask.task), withId(push, message), context.requestedVersion)
    const answer = isAnswer ? await answerTask(parts, visit, knownTask, message) : {}
    return { knownTask, ...answer }
  }

  const handler: A2ARequestHandler = {
    getAgentCard: () => parts.cardOf(visit.agent),
    getAuthenticatedExtendedAgentCard: async () => {
      // The card does not declare an extended card (specification §3.3.4).
      throw new UnsupportedOperationError("This agent has no extended card.")
    },
    async sendMessage(request, context) {
      const { knownTask, needed: statusText, wokenAfter } = await acceptMessage(request, context)
      const { historyLength, returnImmediately = false } = request.configuration ?? {}
      if (returnImmediately || statusText !== undefined)
        return (await readTask(parts, knownTask, { historyLength, statusText })).task
      return waitForTask(parts, visit, knownTask, { historyLength, wokenAfter })
    },
    async *sendMessageStream(request, context) {
      const { knownTask, needed: statusText } = await acceptMessage(request, context)
      yield* streamTask(parts, visit, {
        knownTask,
        statusText,
        historyLength: request.configuration?.historyLength,
      })
    },
    async getTask({ id, historyLength }, context) {
      activate(context)
      checkLength(historyLength)
      return (await readTask(parts, await find(id), { historyLength })).task
    },
    async listTasks(request, context) {
      activate(context)
      checkLength(request.historyLength)
      return listTasks(parts, visit, request)
    },
    async cancelTask({ id }, context) {
      activate(context)
      return cancelTask(parts, visit, await find(id))
    },
    async *resubscribe({ id }, context) {
      activate(context)
      const knownTask = await find(id)
      if (hasEnded(knownTask.run))
        throw new UnsupportedOperationError("This task has ended. Get the task instead of subscribing to it.")
      yield* streamTask(parts, visit, { knownTask, isRepeated: true })
    },
    async createTaskPushNotificationConfig(config, context) {
      const push = pushOf()
      return push.create(toPushed((await find(config.taskId)).task), config, context.requestedVersion)
    },
    async getTaskPushNotificationConfig({ taskId, id }) {
      const config = await pushOf().get(toPushed((await find(taskId)).task), id)
      if (config === undefined)
        throw new TaskNotFoundError("This task has no push notification configuration with this id.")
      return config
    },
    async listTaskPushNotificationConfigs({ taskId, pageSize: size, pageToken: token }) {
      return pushOf().list(toPushed((await find(taskId)).task), { size, token })
    },
    async deleteTaskPushNotificationConfig({ taskId, id }) {
      await pushOf().remove(toPushed((await find(taskId)).task), id)
    },
  }
  return withSafeErrors(handler, parts.report)
}

interface AcceptedMessage extends MessageOutcome {
  readonly knownTask: KnownTask
}

/** Activates the extension if the client requested it. Responses contain its data parts in any case. */
function activate(context: ServerCallContext): boolean {
  const isRequested = context.requestedExtensions?.includes(elicitationExtension) === true
  if (isRequested) context.addActivatedExtension(elicitationExtension)
  return isRequested
}

function checkMessage(message: Message | undefined): Message {
  if (message === undefined) throw new RequestMalformedError("The message is missing.")
  if (message.messageId === "" || message.messageId.length > 200)
    throw new RequestMalformedError("A message needs a messageId of up to 200 characters.")
  if (message.role === Role.ROLE_AGENT)
    throw new RequestMalformedError("A client's message must have the role ROLE_USER.")
  if (message.parts.length === 0) throw new RequestMalformedError("A message must have at least one part.")
  return message
}

/** A configuration without an id gets the id of its message, so that a repeated message registers it only once. */
const withId = (config: TaskPushNotificationConfig, { messageId }: Message): TaskPushNotificationConfig =>
  config.id === "" ? { ...config, id: digest([messageId]) } : config

function checkLength(historyLength: number | undefined): void {
  if (historyLength !== undefined && historyLength < 0)
    throw new RequestMalformedError("historyLength must be 0 or more.")
}

const isPartOfProtocol = (error: unknown): boolean => error instanceof A2AError

/** Reports unexpected errors to the log. The client gets an error without their details. */
function withSafeErrors(handler: A2ARequestHandler, report: HandlerParts["report"]): A2ARequestHandler {
  const toSafe = (error: unknown): unknown => {
    if (isPartOfProtocol(error)) return error
    report("answering a request over A2A", error)
    if (isHoldpointError(error) && error.isOfStorage) return new StoreUnavailableError(storeUnavailableText)
    return new A2AError("The server failed to handle this request. Try again.")
  }
  const withSafeError =
    <P, R>(method: (params: P, context: ServerCallContext) => Promise<R>) =>
    (params: P, context: ServerCallContext): Promise<R> =>
      method(params, context).catch((error: unknown) => {
        throw toSafe(error)
      })
  const withSafeStreamErrors = <P>(
    method: (params: P, context: ServerCallContext) => AsyncGenerator<StreamResponse, void, undefined>,
  ) =>
    async function* (params: P, context: ServerCallContext): AsyncGenerator<StreamResponse, void, undefined> {
      try {
        yield* method(params, context)
      } catch (error) {
        throw toSafe(error)
      }
    }
  return {
    getAgentCard: handler.getAgentCard,
    getAuthenticatedExtendedAgentCard: withSafeError(handler.getAuthenticatedExtendedAgentCard),
    sendMessage: withSafeError(handler.sendMessage),
    sendMessageStream: withSafeStreamErrors(handler.sendMessageStream),
    getTask: withSafeError(handler.getTask),
    listTasks: withSafeError(handler.listTasks),
    cancelTask: withSafeError(handler.cancelTask),
    resubscribe: withSafeStreamErrors(handler.resubscribe),
    createTaskPushNotificationConfig: withSafeError(handler.createTaskPushNotificationConfig),
    getTaskPushNotificationConfig: withSafeError(handler.getTaskPushNotificationConfig),
    listTaskPushNotificationConfigs: withSafeError(handler.listTaskPushNotificationConfigs),
    deleteTaskPushNotificationConfig: withSafeError(handler.deleteTaskPushNotificationConfig),
  }
}
