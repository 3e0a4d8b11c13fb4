// POST /run/api/tokens: a program gets a short-lived token for one of its people.

import { readJson, readName } from "./body.ts"
import type { Route } from "./parts.ts"
import { mostSeconds } from "./person-tokens.ts"
import { problem } from "./problem.ts"

const defaultSeconds = 300

export const postToken: Route = async ({ personTokens }, { request, caller }) => {
  const { key, isPerson } = caller
  if (isPerson || key?.actsFor === undefined) return problem({ status: 403, code: "not_allowed", detail: actsForRule })
  const body = await readJson(request)
  if (body instanceof Response) return body
  const { subject, seconds = defaultSeconds, conversationId } = body
  if (typeof subject !== "string" || !/^[^\p{Cc}]{1,255}$/u.test(subject)) return invalid(subjectRule)
  if (!Number.isInteger(seconds) || Number(seconds) < 1 || Number(seconds) > mostSeconds) return invalid(secondsRule)
  const conversation = conversationId === undefined ? undefined : readName(conversationId, caller)
  if (conversation instanceof Response) return conversation
  const scope = conversation === undefined ? {} : { conversation }
  const { token, expiresAt } = personTokens.mint({ key, subject, seconds: Number(seconds), ...scope })
  const response = { token, tokenType: "Bearer", expiresAt: new Date(expiresAt).toISOString() }
  return Response.json(response, { status: 201, headers: { "cache-control": "no-store" } })
}

const invalid = (detail: string): Response => problem({ status: 400, code: "invalid_token_request", detail })

const actsForRule =
  "Only an API key whose entry in agents.apiKeys has actsFor can make tokens for people. Send such a key as x-api-key."
const subjectRule = "`subject` must be the person's id at your issuer, the `sub` of its tokens: 1 to 255 characters."
const secondsRule = `\`seconds\` must be a whole number from 1 to ${mostSeconds}. A page gets a new token when its own has expired.`
