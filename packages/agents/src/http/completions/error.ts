// Refusals and failures in OpenAI's format.

import { isObject } from "../../json.ts"

/** The member `error` of a response, or of a chunk in the middle of a stream. */
export const toError = (status: number, code: string, message: string) => ({
  ...{ message, type: status >= 500 ? "server_error" : "invalid_request_error", param: null, code },
})

/** Converts a refusal of the run API to OpenAI's format. */
export async function withOpenAiError(response: Response): Promise<Response> {
  const body: unknown = await response.json().catch(() => ({}))
  const { code, detail, ...otherMembers } = isObject(body) ? body : {}
  const error = toError(response.status, String(code ?? "refused"), String(detail ?? response.statusText))
  const headers = new Headers(response.headers)
  headers.delete("content-length")
  headers.set("content-type", "application/json")
  // OpenAI's clients would otherwise repeat the request after a 409 or a 5xx, and tools would run twice.
  if (response.status !== 429) headers.set("x-should-retry", "false")
  const { conversationId, elicitations } = otherMembers
  const holdpoint = conversationId === undefined ? {} : { holdpoint: { conversationId, elicitations } }
  return Response.json({ error: { ...error, ...holdpoint } }, { status: response.status, headers })
}
