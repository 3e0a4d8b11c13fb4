// Builds the protocol messages of this surface. Pure. The vocabulary of one revision never appears in another.

import type { Reply } from "@holdpoint/calls/internal"
import type { Elicitation, Form } from "@holdpoint/hub"
import { form as toForm, yesNo } from "@holdpoint/hub"
import type { Revision } from "@holdpoint/hub/forms"
import { isObject, tooDeepWords } from "@holdpoint/hub/internal"
import type { JSONRPCMessage } from "@modelcontextprotocol/server"
import { memberOf } from "./client.ts"

/** One question as shown to a client. */
export interface Prompt {
  readonly message: string
  readonly shown: { readonly form: Form } | { readonly url: string }
}

/** The form of one checkbox, for clients that support only forms. The link is in the message above it. */
export const acknowledgeForm: Form = toForm({
  acknowledged: yesNo({ title: "I have opened the link and finished there", default: false }),
})

/** The params of elicitation/create. */
export function toElicitParams({ message, shown }: Prompt, revision: Revision, elicitationId: string): object {
  if ("url" in shown) {
    const url = { mode: "url", message, url: shown.url }
    return revision === "2026-07-28" ? url : { ...url, elicitationId }
  }
  const form = { message, requestedSchema: shown.form }
  return revision === "2025-06-18" ? form : { mode: "form", ...form }
}

export interface UrlEntry {
  readonly mode: "url"
  readonly elicitationId: string
  readonly url: string
  readonly message: string
}

/**
 * Converts a client's reply. A link is accepted without content; an unticked checkbox means that the person has not
 * agreed to open it.
 */
export function toAnswer(elicitation: Pick<Elicitation, "mode">, { action, content }: Reply): Reply {
  if (elicitation.mode === "form" || action !== "accept") return action === "accept" ? { action, content } : { action }
  return isObject(content) && content.acknowledged === false ? { action: "decline" } : { action: "accept" }
}

/** The parts of the id of a request that this server sends. */
export interface RequestName {
  /** The id of the question, so that any process that receives the client's response can settle the question. */
  readonly elicitation: string
  readonly attempt: number
  /** Whether the client was sent to the page of a form: then its reply is not the person's answer. */
  readonly isPage: boolean
  /** 8 characters of the asking call: two calls of a session may ask the same question, and ids must be unique. */
  readonly call: string
  /**
   * 16 characters that bind the other parts to the session that is asked: no other session can answer, and this one can
   * answer nothing else.
   */
  readonly mark: string
}

export const toRequestId = ({ elicitation, attempt, isPage, call, mark }: RequestName): string =>
  `hp_${elicitation}.${attempt}${isPage ? "p" : ""}.${call}.${mark}`

export function readRequestId(id: unknown): RequestName | undefined {
  const match =
    typeof id === "string" ? /^hp_([0-9a-zA-Z-]{1,64})\.([0-9]{1,3})(p?)\.([\w-]{8})\.([\w-]{16})$/.exec(id) : null
  const [, elicitation, attempt, page, call, mark] = match ?? []
  if (elicitation === undefined || call === undefined || mark === undefined) return undefined
  return { elicitation, attempt: Number(attempt), isPage: page === "p", call, mark }
}

export const completeNotification = (elicitationId: string) => ({
  jsonrpc: "2.0" as const,
  method: "notifications/elicitation/complete",
  params: { elicitationId },
})

export const cancelledNotification = (requestId: string | number, reason: string) => ({
  jsonrpc: "2.0" as const,
  method: "notifications/cancelled",
  params: { requestId, reason },
})

export const toError = (id: unknown, code: number, message: string, data?: object) => ({
  jsonrpc: "2.0" as const,
  id: typeof id === "string" || typeof id === "number" ? id : null,
  error: { code, message, ...(data === undefined ? {} : { data }) },
})

/** The SDK's error for a refused state. It does not reveal the reason. */
export const invalidState = (id: unknown) =>
  toError(id, -32_602, "Invalid or expired requestState", { reason: "invalid_request_state" })

export const tooDeep = (id: unknown) =>
  toError(id, -32_600, `Invalid Request: the message ${tooDeepWords}. Send flatter values.`)

/** The methods that may be answered with a question. */
export const askingMethods: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"])

/** The message of the draft error and the address of the link in it, where they differ from the defaults. */
export interface Drafts {
  readonly message?: string
  readonly address?: (link: UrlEntry) => string
}

/** Rewrites an error to the code of the url mode drafts, for servers configured to use it. */
export function toDraft(message: JSONRPCMessage, drafts: Drafts): JSONRPCMessage {
  const error = memberOf(message, "error")
  if (!isObject(error) || error.code !== -32_042) return message
  const { message: words = error.message, address = ({ url }: UrlEntry) => url } = drafts
  const links = (memberOf(error.data, "elicitations") ?? []) as readonly UrlEntry[]
  const elicitations = links.map((link) => ({ ...link, url: address(link) }))
  const data = { ...(error.data as object), elicitations }
  return { ...message, error: { ...error, code: -32_000, message: words, data } } as JSONRPCMessage
}
