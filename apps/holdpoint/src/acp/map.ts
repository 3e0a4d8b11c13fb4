// Converts a question to a request of ACP, and the editor's reply to an answer. Pure. The shape of a reply is checked,
// because an editor may break the protocol.

import type {
  CreateElicitationRequest,
  ElicitationPropertySchema,
  RequestPermissionRequest,
} from "@agentclientprotocol/sdk"
import type { Elicitation } from "@holdpoint/hub"
import { type Acts, actsOf, type Field, optionsOf } from "@holdpoint/hub/forms"
import type { StreamEvent } from "@holdpoint/hub/stream"
import { plainText, quoted } from "./words.ts"

/** The modes of elicitation that the editor declares. Every editor can show a request for permission. */
export interface EditorAbilities {
  readonly form: boolean
  readonly url: boolean
}

/** How the editor shows a question. `link`: as text in the chat, with the address of the page for the answer. */
export type QuestionDisplay = "permission" | "form" | "url" | "link"

/** One request to the editor to ask the person a question. */
export interface QuestionPrompt {
  readonly question: Elicitation
  readonly session: string
  /** The id of the tool call that asks the question, if the chat shows this call. */
  readonly toolCall?: string
  /** The text of the question, with the problems of the last answer. */
  readonly message: string
}

/** The person's answer, in the form that the hub accepts. */
export interface EditorAnswer {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: unknown
}

/**
 * Selects how the editor shows a question. An approval becomes a request for permission when it has no editable fields,
 * or when the editor cannot show forms.
 */
export function displayOf(question: Elicitation, abilities: EditorAbilities): QuestionDisplay {
  if (question.mode === "url") return abilities.url ? "url" : "link"
  // The editor would show only the message, which is shortened.
  if (question.detail !== undefined) return "link"
  const acts = approvalActs(question)
  if (acts !== undefined && (!abilities.form || Object.keys(acts.rest.properties).length === 0)) return "permission"
  return abilities.form ? "form" : "link"
}

/**
 * The two choices of an approval of a tool call. Undefined for every other question, because editors may allow requests
 * for permission without asking the person.
 */
export function approvalActs(question: Elicitation): Acts | undefined {
  if (question.mode !== "form" || question.context.trigger !== "approval") return undefined
  const acts = actsOf(question.requestedSchema)
  // A request for permission has no fields, so an approval with another required field cannot become one.
  return acts?.rest.required === undefined ? acts : undefined
}

const [allow, reject] = ["allow", "reject"]

export function toPermission(
  { session, toolCall = "", message }: QuestionPrompt,
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

/**
 * Converts the reply to a request for permission. Undefined for a reply that is neither an option nor a cancellation.
 */
export function fromPermission(reply: unknown, { answers }: Acts): EditorAnswer | undefined {
  const { outcome } = fieldsOf(reply)
  const { outcome: kind, optionId } = fieldsOf(outcome)
  if (kind === "cancelled") return { action: "cancel" }
  if (kind !== "selected") return undefined
  if (optionId === allow) return { action: "accept", content: answers.yes }
  if (optionId !== reject) return undefined
  return answers.no === undefined ? { action: "decline" } : { action: "accept", content: answers.no }
}

export function toElicitation(prompt: QuestionPrompt, url?: string): CreateElicitationRequest {
  const { question, session, toolCall, message } = prompt
  const scope = { sessionId: session, ...(toolCall === undefined ? {} : { toolCallId: toolCall }) }
  const text = plainText(message)
  if (question.mode === "url")
    return { ...scope, mode: "url", elicitationId: question.id, url: url ?? question.url, message: text }
  const { properties, required } = question.requestedSchema
  const fields = Object.entries(properties).map(([name, field]) => [name, toProperty(field)] as const)
  return {
    ...{ ...scope, mode: "form", message: text },
    requestedSchema: {
      ...{ type: "object", properties: Object.fromEntries(fields) },
      ...(required === undefined ? {} : { required: [...required] }),
    },
  }
}

/** ACP has the same form fields, except for `enumNames`: the titles of choices are in `oneOf`. */
function toProperty(field: Field): ElicitationPropertySchema {
  if (!("enumNames" in field)) return structuredClone(field) as ElicitationPropertySchema
  const { enum: _values, enumNames: _titles, ...rest } = field
  return { ...rest, oneOf: (optionsOf(field) ?? []).map((option) => ({ ...option })) }
}

/** Converts the reply to an elicitation. Undefined for an unknown action. The hub checks the content. */
export function fromElicitation(reply: unknown, { mode }: Pick<Elicitation, "mode">): EditorAnswer | undefined {
  const { action, content } = fieldsOf(reply)
  if (action === "decline" || action === "cancel") return { action }
  if (action !== "accept") return undefined
  return mode === "url" ? { action } : { action, content: content ?? {} }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

/**
 * The id of the tool call that asks the question. Undefined for a call of a sub-agent, which the chat does not show.
 */
export const callIn = ({ context }: StreamEvent): string | undefined =>
  context.agent === undefined ? context.toolId : undefined
