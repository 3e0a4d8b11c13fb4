// Asking in the middle of a call, as clients up to 2025-11-25 are asked: a request of ours that carries the elicitation's
// id, withdrawn when the question ends elsewhere. The call is held until then.

import type { Elicitation, Outcome } from "../../core/elicitation.ts"
import { isSettled, toOutcome } from "../../core/elicitation.ts"
import type { Problem } from "../../core/error.ts"
import { canAnswer } from "../../core/principal.ts"
import { validate } from "../../core/validate.ts"
import type { Outlet } from "../../ports/outlet.ts"
import type { Entry } from "../../ports/trail.ts"
import type { OpenCall } from "./calls.ts"
import { isObject } from "./client.ts"
import { watchProgress } from "./progress.ts"
import { toPrompt } from "./prompt.ts"
import type { Asked, Question } from "./put.ts"
import { invalidAnswers, isOnPage, mostAttempts, remember } from "./put.ts"
import type { Connection } from "./surface.ts"
import { principalOf } from "./surface.ts"
import type { Turn } from "./turn.ts"
import type { Way } from "./way.ts"
import {
  cancelledNotification,
  completeNotification,
  readReply,
  readRequestId,
  toAnswer,
  toElicitParams,
  toRequestId,
} from "./wire.ts"

export async function pushAndWait(turn: Turn, call: OpenCall, question: Question, way: Way): Promise<Outcome> {
  const { surface, signal } = turn
  signal.throwIfAborted()
  const pushed = createPush(turn, way)
  const elicitation = await question.ask(call, [pushed.outlet])
  const { key, digest } = question
  const asked: Asked = {
    kind: "asked",
    key,
    digest,
    batch: call.journal.batch,
    elicitation: elicitation.id,
    attempts: 0,
  }
  call.journal.set(asked)
  const settled = toOutcome(elicitation)
  if (settled !== undefined) return remember(call, asked, settled)
  const unfollow = surface.followers.follow(elicitation.id, (entry) => pushed.happened(elicitation, entry))
  const unwatch = watchProgress(turn, elicitation)
  try {
    const failed = pushed.failed
    // A consent outlives the call that caused it; a form does not.
    const onAbort = elicitation.mode === "form" ? "cancel" : "leave"
    const outcome = await Promise.race([surface.hub.wait(elicitation.id, { signal, onAbort }), failed])
    if (outcome.status === "completed" && way.shape === "url") await pushed.complete(elicitation)
    return remember(call, asked, outcome)
  } catch (error) {
    if (elicitation.mode === "url") await turn.connection.promise?.(elicitation.id)
    throw error
  } finally {
    unwatch()
    unfollow()
    pushed.end()
  }
}

/** Prompts that clients of this process have before them. */
const open = new Map<string, { failed(why: string): void; misfit(problems: readonly Problem[]): void }>()

const nameOf = ({ via }: Connection, requestId: string): string => `${via} ${requestId}`

function createPush(turn: Turn, way: Way) {
  const { surface, connection, client, context } = turn
  const revision = client.revision ?? "2025-06-18"
  const requestIds: string[] = []
  let problems: readonly Problem[] | undefined
  let attempts = 0
  let fail: (outcome: Outcome) => void = () => {}
  const failed = new Promise<Outcome>((resolve) => (fail = resolve))
  const send = async (message: object): Promise<void> => connection.send?.(message, context.mcpReq.id)

  const prompt = async (elicitation: Elicitation): Promise<void> => {
    const requestId = toRequestId(elicitation.id, attempts, isOnPage(elicitation, way))
    requestIds.push(requestId)
    open.set(nameOf(connection, requestId), {
      failed: (message) => fail({ status: "failed", reason: { code: "client_failed", message } }),
      misfit: (found) => (problems = found),
    })
    const { prompt: shown } = toPrompt(turn, elicitation, way, attempts === 0 ? undefined : (problems ?? []))
    const params = toElicitParams(shown, revision, elicitation.id)
    await send({ jsonrpc: "2.0", id: requestId, method: "elicitation/create", params })
  }

  const askAgain = async (elicitation: Elicitation): Promise<void> => {
    attempts++
    if (attempts < mostAttempts) await prompt(elicitation)
    else await surface.hub.cancel(elicitation.id, invalidAnswers)
  }

  const outlet: Outlet = {
    name: "mcp",
    async deliver(elicitation) {
      await prompt(elicitation)
      return { state: "shown" }
    },
    async withdraw(elicitation) {
      const requestId = requestIds.at(-1)
      // What was answered here is not before the person any more.
      if (requestId === undefined || elicitation.answeredVia === connection.via) return
      if (!open.has(nameOf(connection, requestId))) return
      const why = isSettled(elicitation.status) ? `The question is ${elicitation.status}.` : "The server closes."
      await send(cancelledNotification(requestId, why))
    },
  }

  return {
    outlet,
    failed,
    complete: (elicitation: Elicitation) => send(completeNotification(elicitation.id)),
    /** An answer that did not fit, wherever it arrived. */
    happened(elicitation: Elicitation, { kind, detail }: Entry): void {
      if (kind !== "refused" || detail.code !== "invalid_answer" || detail.via !== connection.via) return
      askAgain(elicitation).catch((error: unknown) => surface.report("asking again", error))
    },
    end(): void {
      // What withdraws comes right after the end.
      setImmediate(() => {
        for (const requestId of requestIds) open.delete(nameOf(connection, requestId))
      })
    },
  }
}

/** A client's response to a request of ours, at whichever process it arrived. False when it is not one. */
export async function receive(connection: Connection, message: unknown): Promise<boolean> {
  if (!isObject(message) || "method" in message) return false
  const named = readRequestId(message.id)
  if (named === undefined) return false
  const { hub } = connection.surface
  const principal = principalOf(connection, "")
  const elicitation = await hub.get(named.elicitation)
  const prompt = open.get(nameOf(connection, String(message.id)))
  open.delete(nameOf(connection, String(message.id)))
  const reply = readReply(message.result)
  if (elicitation === undefined || !canAnswer(elicitation, principal)) return true
  if (reply === undefined) {
    prompt?.failed(`The client answered with an error${codeOf(message.error)}`)
    return true
  }
  const isAgreed = named.isPage && toAnswer({ mode: "url" }, reply).action === "accept"
  if (isAgreed) return true
  const answer = toAnswer(elicitation, reply)
  if (elicitation.mode === "form" && answer.action === "accept") {
    const judged = validate(elicitation.requestedSchema, answer.content)
    if (!judged.ok) prompt?.misfit(judged.problems)
  }
  await hub.answer(elicitation.id, { by: principal, via: connection.via, ...answer })
  return true
}

const codeOf = (error: unknown): string => (isObject(error) ? ` (${Number(error.code)})` : "")
