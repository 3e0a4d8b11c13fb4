// /hooks/complete: an external program, such as a payment provider, reports that the task behind a link is done or has
// failed. It authenticates with the question's completion token; cookies are ignored.

import { readText } from "@holdpoint/fetching/internal"
import type { Elicitation, Refusal } from "@holdpoint/hub"
import { type Addresses, paths } from "@holdpoint/hub"
import { errorCodes, fromCompletionToken, visitedAddress } from "@holdpoint/hub/internal"
import type { Tokens } from "@holdpoint/hub/sealing"
import { toJson } from "./respond.ts"
import type { RouteRow, Visit } from "./site.ts"

const mostHookBytes = 16 * 1_024

export const hookRow = (tokens: Tokens): RouteRow => ({
  method: "POST",
  path: paths.completeHook,
  route: (visit) => completeByHook(tokens, visit),
})

async function completeByHook(tokens: Tokens, { site, request }: Visit): Promise<Response> {
  const text = await readText(request, mostHookBytes)
  if (text === undefined) return refuse(413, "too_large", `At most ${mostHookBytes} bytes are read.`)
  const posted = parse(text)
  const id = fromCompletionToken(tokens, bearerOf(request) ?? posted.token ?? "")
  const question = id === undefined ? undefined : await site.hub.get(id)
  if (question === undefined || !isCompletedElsewhere(question, site.addresses))
    return refuse(404, "not_found", "No question has this completion token.")
  const { status, reason } = posted
  if (status !== "completed" && status !== "failed") return refuse(400, "invalid_hook", expected)
  const settled = await (status === "completed"
    ? site.hub.complete(question.id)
    : site.hub.fail(question.id, { code: "page_failed", ...(reason === undefined ? {} : { message: reason }) }))
  return settled.ok ? toJson({ status: settled.elicitation.status }) : toRefusal(settled.refusal)
}

/**
 * Whether a program may complete the question: a visit, or a direct link to another site. The consent to an account
 * ends only on its own page.
 */
function isCompletedElsewhere(question: Elicitation, addresses: Addresses): boolean {
  if (visitedAddress(question, addresses) !== undefined) return true
  const isConsent = question.context.trigger === "credential_required"
  return question.mode === "url" && !isConsent && !addresses.isOurs(question.url)
}

const expected = 'Send JSON: {"status": "completed"}, or {"status": "failed", "reason": "…"}.'

const bearerOf = ({ headers }: Request): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1]

type PostedCompletion = Readonly<Partial<Record<"token" | "status" | "reason", string>>>

/** Reads the known text fields and ignores all others. A body that is not JSON counts as empty. */
function parse(text: string): PostedCompletion {
  try {
    const { token, status, reason } = Object(JSON.parse(text))
    const texts = Object.entries({ token, status, reason }).filter(([, value]) => typeof value === "string")
    return Object.fromEntries(texts)
  } catch {
    return {}
  }
}

/** The refusal with its reason: the holder of the completion token may know how the question ended. */
function toRefusal({ code, message, status }: Refusal): Response {
  return toJson(
    { error: code, message, ...(status === undefined ? {} : { status }) },
    { status: errorCodes[code].http },
  )
}

const refuse = (status: number, error: string, message: string): Response => toJson({ error, message }, { status })
