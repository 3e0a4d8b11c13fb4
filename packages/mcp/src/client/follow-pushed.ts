// A call of a server of revision 2025-11-25, which pushes its questions. The call stays open in this process over all
// runs of the handler. When the process has died, the call is repeated if the tool allows it, and is lost otherwise.

import { isRefusal, resultOf } from "@holdpoint/calls"
import type { VisitedQuestion } from "@holdpoint/calls/internal"
import { askingOf, elicitationOf, isDone, onRunEnd, undoEffect, visitScope, workFor } from "@holdpoint/calls/internal"
import { isHoldpointError } from "@holdpoint/hub"
import { answerElicitation } from "./answer.ts"
import type { Attempt } from "./attempt.ts"
import type { PushedCall, PushedQuestion } from "./pushed.ts"
import { firstKey, isRepeatable, signalOf } from "./send.ts"
import type { ToolResponse } from "./tool-response.ts"
import { sendToolRequest } from "./tool-response.ts"

/** The most repeats of a call whose process died. */
const mostRepeats = 3

export async function followPushed(attempt: Attempt, firstName: string): Promise<ToolResponse> {
  const { peer, ask } = attempt
  let name = firstName
  for (let number = 1; ; number++) {
    const scope = `call ${number}`
    const end = `end ${number}`
    if (await isDone(ask, end)) {
      await visitScope(ask, scope)
      return storeResult(attempt, end, { kind: "lost" })
    }
    const open = peer.pushedCalls.get(name)
    if (open !== undefined) {
      const response = await followCall({ ...attempt, ask: ask.scope(scope) }, open).catch(async (error: unknown) => {
        if (isConnectionLost(error)) await unprepare(attempt, name, number)
        throw error
      })
      // Stored outside the scope of the questions: a person who withdraws an answer does not undo the call's end.
      const storedResponse = await storeResult(attempt, end, response)
      peer.pushedCalls.forget(name)
      return storedResponse
    }
    if (!isRepeatable(attempt) || number > mostRepeats) return { kind: "lost" }
    await cancelQuestions(attempt, await visitScope(ask, scope))
    name = await ask.once(`upstream ${number + 1}`, () => peer.pushedCalls.prepare(), { repeatable: true })
  }
}

const isConnectionLost = (error: unknown): boolean => isHoldpointError(error) && error.code === "connection_needed"

/**
 * Undoes the preparation of a call that was not made, because the server refused the account. The next run makes the
 * call after the account is connected.
 */
async function unprepare({ peer, ask }: Attempt, name: string, number: number): Promise<void> {
  peer.pushedCalls.forget(name)
  await undoEffect(ask, number === 1 ? firstKey : `upstream ${number}`)
}

/** Stores the result of the call in the journal, or returns the stored result. */
async function storeResult({ ask, notes }: Attempt, key: string, response: ToolResponse): Promise<ToolResponse> {
  // Not an effect: a No that comes after the call was made must not hide how the call ended.
  const stored = await resultOf(ask, key, async () => ({ leg: response, notes }))
  notes.splice(0, notes.length, ...stored.notes)
  return stored.leg
}

/** Cancels the questions of a call whose process has died: the server asks them again. */
async function cancelQuestions({ ask }: Attempt, questions: readonly VisitedQuestion[]): Promise<void> {
  const { hub } = askingOf(ask)
  await Promise.all(questions.map(({ elicitation }) => hub.cancel(elicitation, { code: "server_gone" })))
}

async function followCall(attempt: Attempt, open: PushedCall): Promise<ToolResponse> {
  const { peer, ask } = attempt
  const signal = signalOf(attempt)
  const cancel = (): void => open.cancel(signal.reason)
  signal.addEventListener("abort", cancel, { once: true })
  onRunEnd(ask, () => signal.removeEventListener("abort", cancel))
  if (signal.aborted) cancel()
  if (!open.isSent) {
    const { granted, leave } = peer.pushedCalls.queue(open)
    onRunEnd(ask, leave)
    // Not inside `workFor`, so that the run can be suspended: the open call may be its own, and wait for a person.
    await granted
  }
  await workFor(ask, async () => open.send((signal) => sendPushed(attempt, signal)))
  const { hub } = askingOf(ask)
  let openVisit: string | undefined
  for (let number = 0; ; number++) {
    const question = await workFor(ask, () => open.question(number))
    // The server has continued, so the person has finished on the page.
    if (openVisit !== undefined) await hub.complete(openVisit)
    if (question === undefined) break
    openVisit = await answerPushed(attempt, question, `question ${number + 1}`)
  }
  const response = await workFor(ask, () => open.end)
  if (response.kind === "lost") signal.throwIfAborted()
  return response
}

async function sendPushed({ peer, ask, call }: Attempt, signal: AbortSignal): Promise<ToolResponse> {
  const { name, arguments: args, onProgress } = call
  const tool = peer.toolOf(name)
  const send = (): Promise<ToolResponse> =>
    peer.withConnection(ask, ({ client }) =>
      sendToolRequest(client, { name, arguments: args }, { signal, onProgress, tool }),
    )
  const response = await send()
  return response.kind === "unreached" ? send() : response
}

/**
 * Asks the person the pushed question, and replies to the server. Returns the id of the question if the person agreed
 * to open a page.
 */
async function answerPushed(attempt: Attempt, question: PushedQuestion, key: string): Promise<string | undefined> {
  const { peer, ask, notes } = attempt
  const { hub, report } = askingOf(ask)
  const { params, signal } = question
  // Called when the server has cancelled its question and no longer waits for an answer.
  const withdraw = (id: string): void => {
    hub.cancel(id, { code: "server_gave_up" }).catch((error: unknown) => report("ending a question of a server", error))
  }
  const onAsked = (id: string): void => {
    if (signal.aborted) withdraw(id)
    else signal.addEventListener("abort", () => withdraw(id), { once: true })
  }
  const { reply, note } = await answerElicitation({ ask, key, settings: peer.settings, onAsked }, params)
  if (note !== undefined) notes.push(note)
  try {
    await ask.once(`reply to ${key}`, () => question.reply(reply), { repeatable: true })
  } catch (error) {
    // The person withdrew the answer before it was sent.
    if (!isRefusal(error)) throw error
    question.reply({ action: "decline" })
    return undefined
  }
  return params.mode === "url" && reply.action === "accept" ? elicitationOf(ask, key) : undefined
}
