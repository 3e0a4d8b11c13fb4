// The carrier for runs: writes each question to the run's log, lets the outlets of the hub deliver it, and pauses the
// run until the question is settled.

import type { Carrier } from "@holdpoint/calls"
import { askAndSuspend, parentOfCall } from "@holdpoint/calls"
import type { Elicitation, Outcome, Outlet, Principal } from "@holdpoint/hub"
import type { EventSource, StreamEvent } from "@holdpoint/hub/stream"
import { toStreamEvent } from "@holdpoint/hub/stream"
import { scopeSeparator } from "./agent.ts"
import { approvalKey } from "./approval.ts"
import type { RunLog } from "./run-log.ts"

/** The run for which the carrier asks questions. */
export interface RunRequest {
  readonly person: Principal
  readonly log: RunLog
  /** False for a program, which approves nothing. */
  readonly isPerson: boolean
  /** Whether the person can be asked. Approvals are asked even if this is false, because a client can answer later. */
  readonly canAsk: boolean
  readonly isInChat?: boolean
  /** Returns which tool call, of which agent, asks the question with this key. */
  readonly sourceOf: (key: string) => EventSource
  /** Called when the run begins to wait for answers. */
  readonly onPause: () => Promise<void>
}

export const carrier: Carrier<RunRequest> = {
  resume: () => Promise.reject(new Error("A run is never resumed by a request of its client.")),
  address({ request }, { id }, key = "") {
    const { toolName, agent } = request.sourceOf(key)
    return {
      ...{ audience: request.person, parent: parentOfCall(id), page: id },
      context: {
        trigger: isApprovalKey(key) ? "approval" : "tool_input_required",
        ...(toolName === undefined ? {} : { tool: toolName }),
        ...(agent === undefined ? {} : { agent }),
      },
    }
  },
  async prompt(run, prompting) {
    const { request } = run
    const { question } = prompting
    const isApproval = isApprovalKey(question.key)
    if (!request.isPerson || !(request.canAsk || isApproval)) return notAskable
    const isNewApproval = isApproval && prompting.askedEntry === undefined
    const onSeen = (elicitation: Elicitation) =>
      logQuestion(request, question.key, { elicitation, isApproval: isNewApproval })
    return askAndSuspend(run, { ...prompting, onSeen }, ...(request.isInChat === true ? [chat] : []))
  },
  async suspend(run, waiting) {
    await run.request.onPause()
    await (await run.call)?.pause(waiting)
  },
}

/** The name of the outlet for the chat. */
export const chatName = "chat"

/**
 * An outlet that sends nothing: the person reads the reply in a chat, and its stream contains the question and its end.
 */
const chat: Outlet = { name: chatName, deliver: async () => ({ state: "shown" }), withdraw: async () => {} }

const isApprovalKey = (key: string): boolean => (key.split(scopeSeparator).at(-1) ?? key).startsWith(approvalKey)

const notAskable: Outcome = { status: "unsupported", reason: { code: "not_askable" } }

interface QuestionPart {
  readonly elicitation: Elicitation
  /** Whether to add the AI SDK's own approval request, for clients that do not read the `data-elicitation` part. */
  readonly isApproval: boolean
}

/**
 * Writes the question to the log. The part has the id of the question, so that clients replace the part when its status
 * changes.
 */
async function logQuestion(
  { log, sourceOf }: RunRequest,
  key: string,
  { elicitation, isApproval }: QuestionPart,
): Promise<void> {
  const source = sourceOf(key)
  const { id, status } = elicitation
  const isLogged = await log.has(
    (chunk) => chunk.type === "data-elicitation" && chunk.id === id && statusOf(chunk.data) === status,
  )
  // An earlier run may have logged this status of the question and not have journaled the question.
  if (!isLogged) {
    log.add({ type: "data-elicitation", id, data: toStreamEvent(elicitation, source) })
    // A client of the AI SDK shows the message with a Yes, so it gets no request that the message shortens.
    if (isApproval && elicitation.detail === undefined && source.toolId !== undefined && source.agent === undefined)
      log.add({
        type: "tool-approval-request",
        approvalId: id,
        toolCallId: source.toolId,
        approvalDescriptor: { elicitationId: id },
      })
  }
  // An open question pauses the run, and readers of a paused run stop reading, so the question must be in the log by
  // then. After an answer, there is no need to wait: the next flush rejects if this write fails.
  if (status === "pending") await log.flush()
  else log.flush().catch(() => {})
}

const statusOf = (event: unknown): unknown => (event as StreamEvent | undefined)?.status
