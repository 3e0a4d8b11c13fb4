// Routes with which a program asks a question and reads its state. A program cannot read the questions of other
// programs.

import type { Draft, Elicitation } from "@holdpoint/hub"
import { HoldpointError, isHoldpointError, isSettled, type Problem, paths } from "@holdpoint/hub"
import type { Json } from "@holdpoint/hub/internal"
import { askProblems, pathTo, requesterIdOf } from "@holdpoint/hub/internal"
import type { Program } from "../identity/programs/records.ts"
import { readJson } from "./body.ts"
import { findByEmail } from "./by-email.ts"
import { readKeyHeader, readQuestion, toWireQuestion } from "./map.ts"
import type { ApiParts, ProgramRequest, ProgramRoute } from "./parts.ts"
import { toProblem } from "./problem.ts"

/** POST /api/questions */
export const postQuestion: ProgramRoute = async (parts, { request, program }) => {
  const body = await readJson(request)
  const { hub, addresses } = parts
  const asker = {
    ...{ tenant: program.tenant, requester: { id: requesterIdOf(program), name: program.name }, addresses },
    key: readKeyHeader(request.headers.get("idempotency-key")),
  }
  const { named, problems: nameProblems } = await findNamed(parts, program, body)
  const { draft, problems } = readQuestion({ ...body, ...named }, asker)
  const allProblems = [
    ...nameProblems,
    ...problems.filter(({ path }) => !nameProblems.some((one) => isSameMember(one.path, path))),
  ]
  if (allProblems.length > 0) throw await withHubProblems(hub, draft, allProblems)
  const refusedProblems = refusedBy(program, draft)
  if (refusedProblems.length > 0) return toProblem("not_allowed", notAllowed, { problems: refusedProblems })
  return parts.limits.askWithin(program, draft.key, async (count) => {
    const { question, isNew } = await ask(parts, draft)
    if (isNew) count(question)
    // This request does not wait for the answer: the program reads it with another request, from this or another
    // process.
    hub.leave(question.id)
    return toJson(toWireQuestion(question, addresses), {
      status: isNew ? 201 : 200,
      headers: { location: pathTo(paths.apiQuestion, question.id) },
    })
  })
}

/** Finds people who are named by e-mail address: the audience, and the person who may not answer. */
async function findNamed(parts: ApiParts, { may, tenant }: Program, { audience, notBy }: Json) {
  const list = () => parts.people(tenant)
  const namedAudience = await findByEmail(audience, may, list)
  const excluded = await findByEmail(notBy, may, list, "notBy")
  const named = { audience: namedAudience.audience, ...(notBy === undefined ? {} : { notBy: excluded.audience }) }
  return { named, problems: [...namedAudience.problems, ...excluded.problems] }
}

/** Whether two problems are about the same member of the body. */
const isSameMember = (path: string, other: string): boolean => path.split(".")[0] === other.split(".")[0]

/** Lists the parts of a draft that the program's rule does not allow: its audience, and the role of its escalation. */
function refusedBy({ may, tenant }: Program, { audience, escalate, url }: Draft): readonly Problem[] {
  const mode = url === undefined ? "form" : "url"
  const audienceProblems = "kind" in audience ? askProblems(may, audience, mode) : []
  if (escalate === undefined || audienceProblems.length > 0) return audienceProblems
  const isRefused = askProblems(may, { kind: "role", tenant, role: escalate.role }, mode).length > 0
  return isRefused ? [{ path: "escalate.role", message: "is not one that this program may ask" }] : []
}

const notAllowed = "This program's key does not allow this question. An administrator can make a key that does."

/**
 * Asks the question, or joins the open question with the same key. Only a new question has the id with which the hub
 * called `context`, which is how `isNew` is known.
 */
async function ask(
  { hub, sameForm }: Pick<ApiParts, "hub" | "sameForm">,
  draft: Draft,
): Promise<{ readonly question: Elicitation; readonly isNew: boolean }> {
  const { context = { trigger: "approval" } } = draft
  let createdId = ""
  const form = draft.form === undefined ? {} : { form: sameForm(draft.form as Json) }
  const question = await hub.ask({
    ...draft,
    ...form,
    context(id) {
      createdId = id
      return typeof context === "function" ? context(id) : context
    },
  } as Draft)
  return { question, isNew: question.id === createdId }
}

/** Collects all problems of a draft: the hub refuses a draft without an audience, and lists its other problems. */
async function withHubProblems(
  hub: ApiParts["hub"],
  draft: Draft,
  draftProblems: readonly Problem[],
): Promise<HoldpointError> {
  const reportedPaths = draftProblems.map(({ path }) => path)
  const hasModeProblem = reportedPaths.some((path) => ["form", "url", "confirm"].includes(path))
  const coveredPaths = new Set(["audience", ...reportedPaths, ...(hasModeProblem ? [""] : [])])
  const error: unknown = await hub.ask(draft).catch((refusal: unknown) => refusal)
  if (!isHoldpointError(error)) throw error
  const hubProblems =
    error.code === "invalid_question" ? error.problems.filter(({ path }) => !coveredPaths.has(path)) : []
  const allProblems = [...draftProblems, ...hubProblems]
  const words = allProblems.map(({ path, message }) => `${path === "" ? "question" : path} ${message}`).join("; ")
  return new HoldpointError("invalid_question", `The question cannot be asked as it is written: ${words}`, {
    problems: allProblems,
  })
}

const defaultWait = 0
/**
 * The longest wait of one request. Proxies close silent connections after a minute or more; a client may request again.
 */
export const mostWaitSeconds = 120

/** GET /api/questions/{id}, also `?wait=30` */
export const getQuestion: ProgramRoute = async (parts, visit) => {
  const ms = 1_000 * readWait(new URL(visit.request.url))
  if (!(await hasEnded(parts, visit)) && ms > 0) {
    await parts.waits.wait(visit.id, { ms, disconnected: visit.request.signal })
    // The key may have been withdrawn during the wait.
    if (!(await visit.isStillAllowed())) return toProblem("caller_unknown", "This key was withdrawn.")
  }
  return toJson(await read(parts, visit))
}

function readWait({ searchParams }: URL): number {
  const text = searchParams.get("wait") ?? String(defaultWait)
  if (/^\d{1,3}$/.test(text) && Number(text) <= mostWaitSeconds) return Number(text)
  const problem = { path: "wait", message: `must be whole seconds, ${mostWaitSeconds} at most` }
  throw new HoldpointError("invalid_request", "The parameter “wait” cannot be used.", { problems: [problem] })
}

/** Whether the question has ended. Keeps no reference to the question, because many requests may wait. */
const hasEnded = async (parts: ApiParts, visit: ProgramRequest): Promise<boolean> =>
  isSettled((await findOwn(parts, visit)).status)

/** Reads the current state of the question. Throws `content_gone` when its answer was already deleted. */
async function read(parts: ApiParts, visit: ProgramRequest) {
  const question = await findOwn(parts, visit)
  // Waiting for an answered question records that its answer was read: retention deletes the answer soon after.
  if (question.status === "completed") await parts.hub.wait(question.id)
  return toWireQuestion(question, parts.addresses)
}

/** Finds a question of this program. Throws `not_found` also for a question of another program. */
export async function findOwn({ hub }: Pick<ApiParts, "hub">, { id, program }: ProgramRequest): Promise<Elicitation> {
  const question = await hub.get(id)
  if (question?.tenant === program.tenant && question.requester.id === requesterIdOf(program)) return question
  throw new HoldpointError("not_found", "This program has no question with this id, or it was removed by retention.")
}

export function toJson(value: unknown, { status = 200, headers = {} }: JsonOptions = {}): Response {
  const allHeaders = { "content-type": "application/json", "cache-control": "no-store", ...headers }
  return new Response(JSON.stringify(value), { status, headers: allHeaders })
}

interface JsonOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}
