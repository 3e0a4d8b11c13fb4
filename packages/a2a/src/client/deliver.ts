// Sends one message to the agent: as a stream if the agent supports streams, else with an immediate response. Stores
// nothing; send.ts makes an effect of each message.

import type { Part, SendMessageRequest, StreamResponse } from "@a2a-js/sdk"
import { Role } from "@a2a-js/sdk"
import type { RequestOptions } from "@a2a-js/sdk/client"
import { ServiceParameters, withA2AExtensions } from "@a2a-js/sdk/client"
import { elicitationExtension } from "../extension.ts"
import type { Attempt, RemoteTask } from "./attempt.ts"
import type { A2aPart } from "./parts.ts"
import { toReplyParts } from "./parts.ts"
import { assertId } from "./snapshot.ts"
import { followStream } from "./stream.ts"

/** The agent's response to a message: a task, or a reply without a task. */
export type AgentResponse =
  | { readonly kind: "task"; readonly task: RemoteTask }
  | { readonly kind: "reply"; readonly parts: readonly A2aPart[] }

export interface OutgoingMessage {
  readonly messageId: string
  readonly parts: readonly Part[]
  /** The task that the message continues. Absent in a message that starts a task. */
  readonly task?: RemoteTask
}

export async function deliver(attempt: Attempt, outgoing: OutgoingMessage): Promise<AgentResponse> {
  const { client, isStreaming } = await attempt.peer.connection.open()
  const request = toRequest(outgoing, !isStreaming)
  const agent = attempt.peer.settings.address
  if (!isStreaming) {
    const result = await client.sendMessage(request, optionsOf(attempt.signal))
    return "messageId" in result ? { kind: "reply", parts: toReplyParts(result) } : toTask(agent, result)
  }
  const streamEnd = new AbortController()
  const events = client.sendMessageStream(request, optionsOf(AbortSignal.any([attempt.signal, streamEnd.signal])))
  const { done, value } = await events.next()
  if (done === true) throw new Error("The stream ended before its first event.")
  const delivered = toDelivered(agent, value)
  if (delivered.kind === "task") attempt.stream = followStream(events, streamEnd)
  else streamEnd.abort()
  return delivered
}

/** The options of every request: the signal, and the header that requests the elicitation extension. */
export const optionsOf = (signal: AbortSignal): RequestOptions => ({
  signal,
  serviceParameters: ServiceParameters.create(withA2AExtensions(elicitationExtension)),
})

function toRequest({ messageId, parts, task }: OutgoingMessage, returnImmediately: boolean): SendMessageRequest {
  return {
    tenant: "",
    message: {
      ...{ messageId, parts: [...parts], role: Role.ROLE_USER },
      ...{ taskId: task?.id ?? "", contextId: task?.context ?? "" },
      ...{ metadata: undefined, extensions: [elicitationExtension], referenceTaskIds: [] },
    },
    configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
    metadata: undefined,
  }
}

function toDelivered(agent: string, { payload }: StreamResponse): AgentResponse {
  switch (payload?.$case) {
    case "message":
      return { kind: "reply", parts: toReplyParts(payload.value) }
    case "task":
      return toTask(agent, payload.value)
    case "statusUpdate":
    case "artifactUpdate":
      return toTask(agent, { id: payload.value.taskId, contextId: payload.value.contextId })
    default:
      throw new Error("The stream began with an event of an unknown kind.")
  }
}

function toTask(
  agent: string,
  { id, contextId: context }: { readonly id: unknown; readonly contextId: unknown },
): AgentResponse {
  if (typeof id !== "string" || id === "") throw new Error("The agent named no task.")
  for (const name of [id, context]) assertId(name)
  return { kind: "task", task: { id, context: typeof context === "string" ? context : "", agent } }
}
