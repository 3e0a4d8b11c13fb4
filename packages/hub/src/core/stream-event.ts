// The events by which a stream tells of questions. Pure. Their shapes are a one-way door: members may be added, never
// changed or removed, because pages and clients of others read them.

import type { Context, Elicitation, Mode, OpenStatus, Reason, SettledStatus, Trigger } from "./elicitation.ts"
import { isSettled } from "./elicitation.ts"
import type { Form } from "./form.ts"

/** A question that a person has to answer before the reply continues. */
export interface ElicitationRequestEvent extends EventQuestion {
  readonly type: "elicitation-request"
  /** `accepted`: the person agreed to open the link and has not finished there. */
  readonly status: OpenStatus
}

/** The end of a question, wherever it was answered. It repeats the question, so that it can replace the request. */
export interface ElicitationResolvedEvent extends EventQuestion {
  readonly type: "elicitation-resolved"
  readonly status: SettledStatus
  readonly reason?: Reason
}

/** An event of a stream that tells of a question. Readers ignore events of other types. */
export type StreamEvent = ElicitationRequestEvent | ElicitationResolvedEvent

interface EventQuestion {
  readonly elicitationId: string
  readonly mode: Mode
  readonly message: string
  /** For `url`: the page to open, which finds out who the person is. The link alone approves nothing. */
  readonly url?: string
  /** For `form`: the fields, as JSON Schema. */
  readonly requestedSchema?: Form
  readonly context: EventContext
  /** ISO 8601. */
  readonly expiresAt: string
}

/** What a question is about. */
export interface EventContext extends EventSource {
  readonly trigger: Trigger
  readonly [detail: string]: string | number | boolean | undefined
}

/** What in the stream asks: a tool call, the agent that made it, and the kind of account that the call needs. */
export interface EventSource {
  /** The id of the tool call in the stream. */
  readonly toolId?: string
  readonly toolName?: string
  readonly credentialType?: string
  /** The agent that asks, if it is not the one that the person talks to. */
  readonly agent?: string
  /** For an account that was connected: its name. */
  readonly account?: string
}

/** The event that tells of the question as it is now. */
export function toStreamEvent(elicitation: Elicitation, source: EventSource = {}): StreamEvent {
  const { status, reason } = elicitation
  const question = toEventQuestion(elicitation, source)
  if (!isSettled(status)) return { type: "elicitation-request", ...question, status }
  return { type: "elicitation-resolved", ...question, status, ...(reason === undefined ? {} : { reason }) }
}

function toEventQuestion(elicitation: Elicitation, source: EventSource): EventQuestion {
  const { id, message, context, expiresAt } = elicitation
  const { mode, ...fields } = modeFields(elicitation)
  return {
    elicitationId: id,
    mode,
    message,
    ...fields,
    context: { ...toEventContext(context), ...source },
    expiresAt: new Date(expiresAt).toISOString(),
  }
}

/** A form with a detail is shown as the link to its page, because readers of events see only the message. */
function modeFields(elicitation: Elicitation): Pick<EventQuestion, "mode" | "url" | "requestedSchema"> {
  if (elicitation.mode === "url") return { mode: "url", url: elicitation.url }
  if (elicitation.detail !== undefined) return { mode: "url", url: elicitation.detail.page }
  return { mode: "form", requestedSchema: elicitation.requestedSchema }
}

/** Leaves out the members that are only meant for the pages of this server. */
function toEventContext(context: Context): EventContext {
  const { trigger, tool, provider, providerName, credentialType } = context
  return {
    trigger,
    ...(tool === undefined ? {} : { toolName: tool }),
    ...(provider === undefined ? {} : { provider }),
    ...(providerName === undefined ? {} : { providerName }),
    ...(credentialType === undefined ? {} : { credentialType }),
  } as EventContext
}
