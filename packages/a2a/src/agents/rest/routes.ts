// The operations of A2A over HTTP+JSON (specification §11.3) as a table: the parameters in path, query and body, and
// the method of the request handler that answers.

import {
  AgentCard,
  ListTaskPushNotificationConfigsResponse,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  type StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk"
import { RequestMalformedError } from "@a2a-js/sdk/errors"
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server"
import { isObject, type Json } from "@holdpoint/agents/internal"
import { readCount, readFlag, readListTasks } from "./query.ts"

export interface RestRequest {
  /** The ids in the path: of the task, and of its push configuration. */
  readonly ids: { readonly task?: string | undefined; readonly config?: string | undefined }
  readonly body: Json
  readonly query: URLSearchParams
  readonly tenant: string
  readonly context: ServerCallContext
  readonly handler: A2ARequestHandler
}

interface RestPath {
  readonly method: "GET" | "POST" | "DELETE"
  /** The path as Hono writes it. */
  readonly path: string
  /** The verb after the id of the task. */
  readonly verb?: ":subscribe" | ":cancel"
}

export type RestRoute = RestPath &
  (
    | {
        /** Returns the JSON of the response. Undefined for a response without content. */
        readonly answer: (request: RestRequest) => Promise<unknown>
        /** The HTTP status. Default: 200. */
        readonly status?: number
      }
    | { readonly stream: (request: RestRequest) => AsyncGenerator<StreamResponse, void, undefined> }
  )

const subscribe = ({ handler, context, ids, tenant }: RestRequest): AsyncGenerator<StreamResponse, void, undefined> =>
  handler.resubscribe({ id: ids.task ?? "", tenant }, context)

export const routes: readonly RestRoute[] = [
  {
    method: "GET",
    path: "/extendedAgentCard",
    answer: async ({ handler, context, tenant }) =>
      AgentCard.toJSON(await handler.getAuthenticatedExtendedAgentCard({ tenant }, context)),
  },
  {
    method: "POST",
    path: "/message:send",
    async answer(request) {
      const response = await request.handler.sendMessage(readMessage(request), request.context)
      const payload =
        "messageId" in response
          ? ({ $case: "message", value: response } as const)
          : ({ $case: "task", value: response } as const)
      return SendMessageResponse.toJSON({ payload })
    },
  },
  {
    method: "POST",
    path: "/message:stream",
    stream: (request) => request.handler.sendMessageStream(readMessage(request), request.context),
  },
  { method: "GET", path: "/tasks/:task{[^/]+:subscribe}", verb: ":subscribe", stream: subscribe },
  { method: "POST", path: "/tasks/:task{[^/]+:subscribe}", verb: ":subscribe", stream: subscribe },
  {
    method: "POST",
    path: "/tasks/:task{[^/]+:cancel}",
    verb: ":cancel",
    async answer({ handler, context, ids, tenant, body }) {
      const metadata = isObject(body.metadata) ? { ...body.metadata } : {}
      return Task.toJSON(await handler.cancelTask({ id: ids.task ?? "", tenant, metadata }, context))
    },
  },
  {
    method: "GET",
    path: "/tasks/:task",
    async answer({ handler, context, ids, tenant, query }) {
      const historyLength = readCount(query, "historyLength", { least: 0 })
      const length = historyLength === undefined ? {} : { historyLength }
      return Task.toJSON(await handler.getTask({ id: ids.task ?? "", tenant, ...length }, context))
    },
  },
  {
    method: "GET",
    path: "/tasks",
    async answer({ handler, context, tenant, query }) {
      const tasks = await handler.listTasks(readListTasks(query, tenant), context)
      return writeTasks(tasks, readFlag(query, "includeArtifacts"))
    },
  },
  {
    ...{ method: "POST", path: "/tasks/:task/pushNotificationConfigs", status: 201 },
    async answer({ handler, context, ids, tenant, body }) {
      const config = readConfig({ ...body, taskId: ids.task, tenant })
      return TaskPushNotificationConfig.toJSON(await handler.createTaskPushNotificationConfig(config, context))
    },
  },
  {
    method: "GET",
    path: "/tasks/:task/pushNotificationConfigs",
    async answer({ handler, context, ids, tenant, query }) {
      const pageSize = readCount(query, "pageSize", { least: 1, most: 100 }) ?? 0
      const pageToken = query.get("pageToken") ?? ""
      const listRequest = { taskId: ids.task ?? "", pageSize, pageToken, tenant }
      return ListTaskPushNotificationConfigsResponse.toJSON(
        await handler.listTaskPushNotificationConfigs(listRequest, context),
      )
    },
  },
  {
    method: "GET",
    path: "/tasks/:task/pushNotificationConfigs/:config",
    answer: async ({ handler, context, ids, tenant }) =>
      TaskPushNotificationConfig.toJSON(
        await handler.getTaskPushNotificationConfig({ taskId: ids.task ?? "", id: ids.config ?? "", tenant }, context),
      ),
  },
  {
    method: "DELETE",
    path: "/tasks/:task/pushNotificationConfigs/:config",
    answer: async ({ handler, context, ids, tenant }) =>
      handler.deleteTaskPushNotificationConfig({ taskId: ids.task ?? "", id: ids.config ?? "", tenant }, context),
  },
]

function readMessage({ body, tenant }: RestRequest): SendMessageRequest {
  const read = asRequest(() => SendMessageRequest.fromJSON({ ...body, ...(tenant === "" ? {} : { tenant }) }))
  if (read.message === undefined) throw new RequestMalformedError("The body has no “message”.")
  if (read.message.messageId === "") throw new RequestMalformedError("The message has no “messageId”.")
  return read
}

const readConfig = (body: Json): TaskPushNotificationConfig =>
  asRequest(() => TaskPushNotificationConfig.fromJSON(body))

/** Converts an error of the SDK's parser to an error of the client. */
function asRequest<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new RequestMalformedError({ message: "The body does not have the form that this operation reads.", cause })
  }
}

/**
 * Writes a page of tasks. Adds empty fields that ProtoJSON omits, because clients require them (specification §3.1.4).
 */
function writeTasks(list: ListTasksResponse, includesArtifacts: boolean): unknown {
  const { tasks = [], ...rest } = ListTasksResponse.toJSON(list) as { readonly tasks?: readonly Json[] }
  const taskList = includesArtifacts ? tasks.map((task) => ({ artifacts: [], ...task })) : tasks
  return { nextPageToken: "", pageSize: 0, totalSize: 0, ...rest, tasks: taskList }
}
