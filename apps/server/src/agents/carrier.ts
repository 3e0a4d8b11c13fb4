// A run as a carrier of questions: a question is told in the run's stream and shown by the hub's outlets, and the run is
// paused until it is settled.

import type { Elicitation, Outcome, Outlet, Principal } from "@holdpoint/sdk"
import type { Carrier } from "@holdpoint/sdk/asking"
import { askAndSuspend, parentOfCall } from "@holdpoint/sdk/asking"
import type { EventSource, StreamEvent } from "@holdpoint/sdk/stream"
import { toStreamEvent } from "@holdpoint/sdk/stream"
import { scopeSeparator } from "./agent.ts"
import { approvalKey } from "./approval.ts"
import type { RunLog } from "./run-log.ts"

/** One run, as its questions need it. */
export interface RunRequest {
  readonly person: Principal
  readonly log: RunLog
  /** False for a program, which approves nothing. */
  readonly isPerson: boolean
  /** Whether the person can be asked. Approvals are asked in any case: a client can answer them later. */
  readonly canAsk: boolean
  readonly isInChat?: boolean
  /** What asks under a key. */
  readonly sourceOf: (key: string) => EventSource
  /** Called when the run waits for people. */
  readonly onPause: () => Promise<void>
}

export const carrier: Carrier<RunRequest> = {
  resume: () => Promise.reject(new Error("every run is of a call that was started")),
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
    const isNew = isApproval && prompting.asked === undefined
    const onSeen = (elicitation: Elicitation) => tell(request, question.key, { elicitation, isApproval: isNew })
    return askAndSuspend(run, { ...prompting, onSeen }, ...(request.isInChat === true ? [chat] : []))
  },
  async suspend(run, waiting) {
    await run.request.onPause()
    await (await run.call)?.pause(waiting)
  },
}

/** The name of the chat among the places that show a question. */
export const chatName = "chat"

/** The chat in which the person reads the reply: its stream tells of the question and of its end. */
const chat: Outlet = { name: chatName, deliver: async () => ({ state: "shown" }), withdraw: async () => {} }

const isApprovalKey = (key: string): boolean => (key.split(scopeSeparator).at(-1) ?? key).startsWith(approvalKey)

const notAskable: Outcome = { status: "unsupported", reason: { code: "not_askable" } }

interface Told {
  readonly elicitation: Elicitation
  /** Whether stock clients have to be told of an approval. */
  readonly isApproval: boolean
}

/** The part has the question's id, so that clients replace it in place when it is sent again. */
async function tell({ log, sourceOf }: RunRequest, key: string, { elicitation, isApproval }: Told): Promise<void> {
  const source = sourceOf(key)
  const { id, status } = elicitation
  // A process that died told of it, and had not written down that it had asked.
  if (await log.has((chunk) => chunk.type === "data-elicitation" && chunk.id === id && statusOf(chunk.data) === status))
    return
  log.add({ type: "data-elicitation", id, data: toStreamEvent(elicitation, source) })
  if (isApproval && source.toolId !== undefined && source.agent === undefined)
    log.add({
      ...{ type: "tool-approval-request", approvalId: id, toolCallId: source.toolId },
      approvalDescriptor: { elicitationId: id },
    })
  const flushing = log.flush()
  // The run is about to wait, and readers of a run that waits read no further. After an answer, the log is stored with the
  // journal that has it, and an error reaches the next flush.
  if (status === "pending") await flushing
  else flushing.catch(() => {})
}

const statusOf = (event: unknown): unknown => (event as StreamEvent | undefined)?.status
