// Routes with which a program follows, cancels or completes its own question.

import type { StepResult } from "@holdpoint/hub"
import { HoldpointError, isHoldpointError, isSettled, type Reason } from "@holdpoint/hub"
import type { Json } from "@holdpoint/hub/internal"
import { toServerSentEvent } from "@holdpoint/hub/stream"
import type { QuestionStep } from "@holdpoint/hub/wire"
import { findOwn, toJson } from "./ask.ts"
import { readJson } from "./body.ts"
import { toTime } from "./json.ts"
import { toWireQuestion } from "./map.ts"
import type { ApiParts, ProgramRequest, ProgramRoute } from "./parts.ts"
import { toProblem, toRefusal } from "./problem.ts"
import { mostStreams } from "./stream-places.ts"

/** POST /api/questions/{id}/cancel */
export const cancelQuestion: ProgramRoute = async (parts, visit) => {
  const reason = readReason(await readJson(visit.request), "asker_cancelled", [])
  await findOwn(parts, visit)
  return toResponse(parts, await parts.hub.cancel(visit.id, reason))
}

/** POST /api/questions/{id}/complete */
export const completeQuestion: ProgramRoute = async (parts, visit) => {
  const body = await readJson(visit.request)
  const { status = "completed" } = body
  const reason = readReason(body, "page_failed", ["status"])
  if (status !== "completed" && status !== "failed") throw invalid("status", "must be completed or failed")
  await findOwn(parts, visit)
  const { hub } = parts
  return toResponse(parts, await (status === "completed" ? hub.complete(visit.id) : hub.fail(visit.id, reason)))
}

function readReason(body: Json, code: string, otherMembers: readonly string[]): Reason {
  const unknownName = Object.keys(body).find((name) => name !== "reason" && !otherMembers.includes(name))
  if (unknownName !== undefined) throw invalid(unknownName, "is not a member of this body")
  const { reason } = body
  if (reason !== undefined && typeof reason !== "string") throw invalid("reason", "must be text")
  return { code, ...(reason === undefined ? {} : { message: reason }) }
}

const invalid = (path: string, message: string): HoldpointError =>
  new HoldpointError("invalid_request", `The body cannot be used: ${path} ${message}.`, {
    problems: [{ path, message }],
  })

const toResponse = ({ addresses }: ApiParts, result: StepResult): Response =>
  result.ok ? toJson(toWireQuestion(result.elicitation, addresses)) : toRefusal(result.refusal)

/** GET /api/questions/{id}/events: the past and future steps, until the end of the question. */
export const followQuestion: ProgramRoute = async (parts, visit) => {
  const afterRevision = readLastEventId(visit.request)
  const { status, revision } = await findOwn(parts, visit)
  // HTML standard, section 9.2.3: an EventSource that gets 204 does not connect again.
  if (isSettled(status) && revision <= afterRevision) return new Response(null, { status: 204 })
  const streamPlace = parts.places.take({ program: visit.program.id })
  if (streamPlace === undefined) return toProblem("too_many_streams", tooManyStreams)
  const leave = new AbortController()
  return parts.streams.respond(events(parts, visit, { afterRevision, signal: leave.signal }), {
    leave,
    place: streamPlace,
  })
}

const tooManyStreams = `This program has ${mostStreams.program} streams open at this server. Close some of them, and try again.`

async function* events(
  { hub }: ApiParts,
  { id, isStillAllowed }: ProgramRequest,
  { afterRevision, signal }: { readonly afterRevision: number; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  try {
    for await (const { kind, status, revision, at } of hub.watch({ id, afterRevision }, { signal })) {
      if (!(await isStillAllowed())) return
      const data: QuestionStep = { kind, status, at: toTime(at) }
      yield toServerSentEvent({ id: revision, data: JSON.stringify(data) })
    }
  } catch (error) {
    const isEnd = signal.aborted || (isHoldpointError(error) && error.code === "closed")
    if (!isEnd) throw error
  }
}

/** Reads the last revision that the client received. 0 when it has received none. */
function readLastEventId({ headers, url }: Request): number {
  const text = headers.get("last-event-id") ?? new URL(url).searchParams.get("after") ?? "0"
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const problem = { path: "last-event-id", message: "must be the id of an event of this stream" }
  throw new HoldpointError("invalid_request", "The header Last-Event-ID cannot be used.", { problems: [problem] })
}
