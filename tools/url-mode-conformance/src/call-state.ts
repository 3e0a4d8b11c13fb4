// The state of a tool call, in any revision: the server asks, waits, holds the response, has finished or refused.

import type { Json } from "./json.ts"
import { dig, isRecord } from "./json.ts"

export interface Question {
  /** The key of `inputRequests`, the id of the pushed request, or the index in the list of -32042. */
  readonly key: string | number
  readonly method: string
  readonly params: Json
  /** `form` when the request names no mode. */
  readonly mode: string
  readonly url?: string
}

/** How a server asks: in a result (2026-07-28), by a request to the client, or with the error -32042. */
export type Channel = "result" | "push" | "error"

export type CallState =
  | { readonly kind: "asked"; readonly channel: Channel; readonly questions: readonly Question[]; readonly raw: Json }
  /** An `input_required` result without a question, which the client answers with a retry. */
  | { readonly kind: "waiting"; readonly raw: Json }
  /** No response within the time limit. */
  | { readonly kind: "held" }
  | { readonly kind: "done"; readonly result: Json; readonly raw: Json }
  | { readonly kind: "refused"; readonly code?: number; readonly status: number; readonly raw: Json }

export function toQuestion(key: string | number, request: unknown): Question {
  const params = dig(request, "params")
  const url = dig(params, "url")
  return {
    key,
    method: String(dig(request, "method")),
    params: isRecord(params) ? params : {},
    mode: String(dig(params, "mode") ?? "form"),
    ...(typeof url === "string" ? { url } : {}),
  }
}

/** Reads the call's state from a response of any revision. */
export function toCallState(raw: Json, status: number): CallState {
  const code = dig(raw, "error", "code")
  const elicitations = dig(raw, "error", "data", "elicitations")
  if (code === -32042 && Array.isArray(elicitations)) {
    const questions = elicitations.map((params, index) => toQuestion(index, { method: "elicitation/create", params }))
    return { kind: "asked", channel: "error", questions, raw }
  }
  const result = dig(raw, "result")
  if (!isRecord(result)) return { kind: "refused", ...(typeof code === "number" ? { code } : {}), status, raw }
  const requests = dig(result, "inputRequests")
  if (isRecord(requests) && Object.keys(requests).length > 0) {
    const questions = Object.entries(requests).map(([key, request]) => toQuestion(key, request))
    return { kind: "asked", channel: "result", questions, raw }
  }
  if (dig(result, "resultType") === "input_required") return { kind: "waiting", raw }
  return { kind: "done", result, raw }
}

/** The text of a result: all its text blocks, joined by line breaks. */
export function textOf(result: unknown): string {
  const content = dig(result, "content")
  const texts = Array.isArray(content) ? content.map((block) => dig(block, "text")) : []
  return texts.filter((text) => typeof text === "string").join("\n")
}

/** Describes the call's state in words, for reports. */
export function describeCallState(callState: CallState): string {
  switch (callState.kind) {
    case "asked":
      return `a question (${callState.questions.map(({ mode }) => mode).join(", ")})`
    case "waiting":
      return "an unfinished result without a question"
    case "held":
      return "no answer yet"
    case "done":
      return `${dig(callState.result, "isError") === true ? "an error result" : "a result"}: “${textOf(callState.result).slice(0, 160)}”`
    case "refused":
      return `the error ${callState.code ?? "without a code"} (HTTP ${callState.status}): “${String(dig(callState.raw, "error", "message") ?? "").slice(0, 160)}”`
  }
}
