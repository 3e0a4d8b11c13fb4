// A question as an ACP editor shows it, and the editor's reply as an answer. Pure. Nothing that an editor sends is
// believed to have the shape that the protocol gives it.

import type {
  CreateElicitationRequest,
  ElicitationPropertySchema,
  RequestPermissionRequest,
} from "@agentclientprotocol/sdk"
import type { Elicitation } from "@holdpoint/sdk"
import { type Acts, actsOf, type Field, optionsOf } from "@holdpoint/sdk/forms"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import { plainText, quoted } from "./words.ts"

/** What the editor said it can show. Every editor can show a request for permission. */
export interface EditorAbilities {
  readonly form: boolean
  readonly url: boolean
}

/** How a question is put to the person. `link`: told in the chat, with the address where they can answer. */
export type Way = "permission" | "form" | "url" | "link"

/** What is put before the person, and what it belongs to. */
export interface Shown {
  readonly question: Elicitation
  readonly session: string
  /** The call in the chat that asks, if the chat shows it. */
  readonly toolCall?: string
  /** The text of the question, with what was wrong with the last answer. */
  readonly message: string
}

/** The person's answer, as the hub takes it. */
export interface EditorAnswer {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: unknown
}

/** An approval without anything to edit is a request for permission; so is one that cannot be edited here. */
export function wayOf(question: Elicitation, can: EditorAbilities): Way {
  if (question.mode === "url") return can.url ? "url" : "link"
  const acts = approvalActs(question)
  if (acts !== undefined && (!can.form || Object.keys(acts.rest.properties).length === 0)) return "permission"
  return can.form ? "form" : "link"
}

/** The two acts of an approval of a tool call. Undefined for every other question, which an editor must not allow by itself. */
export function approvalActs(question: Elicitation): Acts | undefined {
  if (question.mode !== "form" || question.context.trigger !== "approval") return undefined
  const acts = actsOf(question.requestedSchema)
  // Without an answer, a field that remains and is required cannot be left out.
  return acts?.rest.required === undefined ? acts : undefined
}

const [allow, reject] = ["allow", "reject"]

export function toPermission(
  { session, toolCall = "", message }: Shown,
  acts: Acts,
  tool: { readonly title: string; readonly input?: unknown },
): RequestPermissionRequest {
  return {
    sessionId: session,
    toolCall: {
      ...{ toolCallId: toolCall, title: tool.title, status: "pending" },
      content: [{ type: "content", content: { type: "text", text: quoted(message) } }],
      ...(tool.input === undefined ? {} : { rawInput: tool.input }),
    },
    options: [
      { optionId: allow, name: plainText(acts.yes), kind: "allow_once" },
      { optionId: reject, name: plainText(acts.no), kind: "reject_once" },
    ],
  }
}

/** Undefined for anything but one of the two options, or that the person gave none. */
export function fromPermission(reply: unknown, { answers }: Acts): EditorAnswer | undefined {
  const { outcome } = fieldsOf(reply)
  const { outcome: how, optionId } = fieldsOf(outcome)
  if (how === "cancelled") return { action: "cancel" }
  if (how !== "selected") return undefined
  if (optionId === allow) return { action: "accept", content: answers.yes }
  if (optionId !== reject) return undefined
  return answers.no === undefined ? { action: "decline" } : { action: "accept", content: answers.no }
}

export function toElicitation(shown: Shown, url?: string): CreateElicitationRequest {
  const { question, session, toolCall, message } = shown
  const scope = { sessionId: session, ...(toolCall === undefined ? {} : { toolCallId: toolCall }) }
  const words = plainText(message)
  if (question.mode === "url")
    return { ...scope, mode: "url", elicitationId: question.id, url: url ?? question.url, message: words }
  const { properties, required } = question.requestedSchema
  const fields = Object.entries(properties).map(([name, field]) => [name, toProperty(field)] as const)
  return {
    ...{ ...scope, mode: "form", message: words },
    requestedSchema: {
      ...{ type: "object", properties: Object.fromEntries(fields) },
      ...(required === undefined ? {} : { required: [...required] }),
    },
  }
}

/** ACP has the fields of our forms, except for the titles of choices in their old place. */
function toProperty(field: Field): ElicitationPropertySchema {
  if (!("enumNames" in field)) return structuredClone(field) as ElicitationPropertySchema
  const { enum: _values, enumNames: _titles, ...rest } = field
  return { ...rest, oneOf: (optionsOf(field) ?? []).map((option) => ({ ...option })) }
}

/** Undefined for anything that is not a reply. The hub checks the content. */
export function fromElicitation(reply: unknown, { mode }: Pick<Elicitation, "mode">): EditorAnswer | undefined {
  const { action, content } = fieldsOf(reply)
  if (action === "decline" || action === "cancel") return { action }
  if (action !== "accept") return undefined
  return mode === "url" ? { action } : { action, content: content ?? {} }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

/** The tool call that asks, if it was made by the agent that the person talks to: the chat shows no other calls. */
export const callIn = ({ context }: StreamEvent): string | undefined =>
  context.agent === undefined ? context.toolId : undefined
