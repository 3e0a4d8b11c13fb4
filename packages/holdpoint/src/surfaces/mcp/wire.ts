// What goes over the wire, as this surface writes it. Pure constructors; nothing of one revision appears in another.

import type { JSONRPCMessage } from "@modelcontextprotocol/server"
import type { Reply } from "../../asking/reply.ts"
import type { Revision } from "../../core/degrade.ts"
import { tooDeepWords } from "../../core/depth.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import type { Form } from "../../core/form.ts"
import { form as toForm, yesNo } from "../../core/form.ts"
import { isObject, memberOf } from "./client.ts"

/** One question as a client is shown it. */
export interface Prompt {
  readonly message: string
  readonly shown: { readonly form: Form } | { readonly url: string }
}

/** Of a link in a form, for clients that show forms only. */
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

/** A link is accepted without content; whoever leaves the box of a link empty has not agreed to open it. */
export function toAnswer(elicitation: Pick<Elicitation, "mode">, { action, content }: Reply): Reply {
  if (elicitation.mode === "form" || action !== "accept") return action === "accept" ? { action, content } : { action }
  return isObject(content) && content.acknowledged === false ? { action: "decline" } : { action: "accept" }
}

/** What the id of a request of ours says. */
export interface RequestName {
  /** So that whichever process gets the response can settle it. */
  readonly elicitation: string
  readonly attempt: number
  /** The client was sent to the page of a form, so that its answer is not the person's. */
  readonly isPage: boolean
  /** The call that asks, in 8 characters: two calls of a session may ask the same, and no id is used twice. */
  readonly call: string
  /** Of the rest and of the session that is asked, in 16: no other can answer, and this one nothing else. */
  readonly mark: string
}

export const toRequestId = ({ elicitation, attempt, isPage, call, mark }: RequestName): string =>
  `hp_${elicitation}.${attempt}${isPage ? "p" : ""}.${call}.${mark}`

export function readRequestId(id: unknown): RequestName | undefined {
  const found =
    typeof id === "string" ? /^hp_([0-9a-zA-Z-]{1,64})\.([0-9]{1,3})(p?)\.([\w-]{8})\.([\w-]{16})$/.exec(id) : null
  const [, elicitation, attempt, page, call, mark] = found ?? []
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

/** What the SDK says of a state that it refuses. Why, is said to nobody outside. */
export const invalidState = (id: unknown) =>
  toError(id, -32_602, "Invalid or expired requestState", { reason: "invalid_request_state" })

export const tooDeep = (id: unknown) =>
  toError(id, -32_600, `Invalid Request: the message ${tooDeepWords}. Send flatter values.`)

/** The methods that may be answered with a question. */
export const askingMethods: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"])

/** What the error of the drafts says, and the address of a link in it, where they are not ours. */
export interface Drafts {
  readonly message?: string
  readonly address?: (link: UrlEntry) => string
}

/** The code of the drafts of url mode, where a server is told to use it. */
export function toDraft(message: JSONRPCMessage, drafts: Drafts): JSONRPCMessage {
  const error = memberOf(message, "error")
  if (!isObject(error) || error.code !== -32_042) return message
  const { message: words = error.message, address = ({ url }: UrlEntry) => url } = drafts
  const links = (memberOf(error.data, "elicitations") ?? []) as readonly UrlEntry[]
  const elicitations = links.map((link) => ({ ...link, url: address(link) }))
  const data = { ...(error.data as object), elicitations }
  return { ...message, error: { ...error, code: -32_000, message: words, data } } as JSONRPCMessage
}
