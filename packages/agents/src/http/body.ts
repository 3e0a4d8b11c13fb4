// Reads the bodies of the run API: JSON of a limited size, and the person's message in it. What a client claims about
// the earlier messages of a conversation is ignored.

import type { ModelMessage, UIMessage } from "ai"
import { isObject, type Json } from "../json.ts"
import type { RunCaller } from "./callers.ts"
import { problem } from "./problem.ts"

const mostBytes = 8 * 1_024 * 1_024

export async function readJson(request: Request): Promise<Json | Response> {
  const text = await readText(request)
  if (text === undefined)
    return problem({
      status: 413,
      code: "too_large",
      detail: `The body is too large. It can have at most ${mostBytes / 1_048_576} MiB.`,
    })
  const invalid = { status: 400, code: "invalid_body", detail: "The body must be a JSON object." }
  return parseObject(text) ?? problem(invalid)
}

/** Parses a JSON object. Undefined for any other text. */
export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Reads the body as text. Undefined when it is too large. */
export async function readText(request: Request): Promise<string | undefined> {
  const length = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY)
  // Faster than reading part by part, and safe: the HTTP server reads no more bytes than the header states.
  if (length <= mostBytes) return request.text()
  const decoder = new TextDecoder()
  let text = ""
  let bytes = 0
  for await (const part of request.body ?? []) {
    bytes += part.byteLength
    if (bytes > mostBytes) return undefined
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

/**
 * Checks the id that a client chose for a conversation. Refuses it when the caller's token is for another conversation.
 */
export function readName(value: unknown, { conversation }: Pick<RunCaller, "conversation">): string | Response {
  const isName = typeof value === "string" && /^[\x21-\x7e]{1,200}$/.test(value)
  if (isName && (conversation === undefined || conversation === value)) return value
  if (isName)
    return problem({ status: 403, code: "wrong_conversation", detail: "Your token is for another conversation." })
  const detail = "The id of a conversation must have 1 to 200 visible ASCII characters, without spaces."
  return problem({ status: 400, code: "invalid_conversation", detail })
}

/** The person's message, in its original form and as a model reads it. */
export interface ReadMessage {
  readonly message: UIMessage
  readonly prompt: readonly ModelMessage[]
}

export async function readMessage(value: unknown): Promise<ReadMessage | Response> {
  const fields = isObject(value) ? value : {}
  const parts = (Array.isArray(fields.parts) ? fields.parts : []).flatMap(toPart)
  const linkedFile = parts.find((part) => part.type === "file" && !part.url.startsWith("data:"))
  if (linkedFile !== undefined)
    return problem({
      status: 422,
      code: "foreign_file",
      detail: "The server does not fetch files by URL. Send the file in the message itself, as a data: URL.",
    })
  if (parts.length === 0)
    return problem({
      status: 422,
      code: "empty_message",
      detail: "The last message is empty. Send text or a file.",
    })
  const id = typeof fields.id === "string" && fields.id.length <= 200 ? fields.id : ""
  const message = { id, role: "user", parts } as UIMessage
  const { convertToModelMessages } = await import("ai")
  return { message, prompt: await convertToModelMessages([message]) }
}

type Part = { readonly type: "text"; readonly text: string } | FilePart
type FilePart = { readonly type: "file"; readonly mediaType: string; readonly url: string; readonly filename?: string }

function toPart(value: unknown): readonly Part[] {
  if (!isObject(value)) return []
  const { type, text, mediaType, url, filename } = value
  if (type === "text" && typeof text === "string" && text !== "") return [{ type, text }]
  if (type !== "file" || typeof mediaType !== "string" || typeof url !== "string") return []
  return [{ type, mediaType, url, ...(typeof filename === "string" ? { filename } : {}) }]
}
