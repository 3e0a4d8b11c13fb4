// A call of a 2025 server, which pushes its questions. The call stays open in this process over all runs of the handler.
// When the process has died, the call is made again if the tool allows it, and is lost otherwise.

import type { PassedQuestion } from "../../asking/on-behalf.ts"
import { askingOf, elicitationOf, isDone, onRunEnd, passScope, undoEffect, workFor } from "../../asking/on-behalf.ts"
import { isRefusal } from "../../asking/refusal.ts"
import { isHoldpointError } from "../../core/error.ts"
import { answerAsked } from "./answer.ts"
import type { Attempt } from "./call.ts"
import type { Leg } from "./leg.ts"
import { sendLeg } from "./leg.ts"
import type { PushedCall, PushedQuestion } from "./pushed.ts"
import { firstKey, isRepeatable, signalOf } from "./send.ts"

/** How often a call is made again because its process died. */
const mostRepeats = 3

export async function followPushed(attempt: Attempt, first: string): Promise<Leg> {
  const { peer, ask } = attempt
  let name = first
  for (let number = 1; ; number++) {
    const scope = `call ${number}`
    const end = `end ${number}`
    if (await isDone(ask, end)) {
      await passScope(ask, scope)
      return keep(attempt, end, { kind: "lost" })
    }
    const open = peer.pushed.get(name)
    if (open !== undefined) {
      const leg = await follow({ ...attempt, ask: ask.scope(scope) }, open).catch(async (error: unknown) => {
        if (isConnectionLost(error)) await unprepare(attempt, name, number)
        throw error
      })
      // Outside of the scope of the questions: a No that comes after the end does not undo it.
      const kept = await keep(attempt, end, leg)
      peer.pushed.forget(name)
      return kept
    }
    if (!isRepeatable(attempt) || number > mostRepeats) return { kind: "lost" }
    await giveUpQuestions(attempt, await passScope(ask, scope))
    name = await ask.once(`upstream ${number + 1}`, () => peer.pushed.prepare(), { repeatable: true })
  }
}

const isConnectionLost = (error: unknown): boolean => isHoldpointError(error) && error.code === "connection_needed"

/** The server refused the account, so the call was not made: once the account is connected, the next run makes it. */
async function unprepare({ peer, ask }: Attempt, name: string, number: number): Promise<void> {
  peer.pushed.forget(name)
  await undoEffect(ask, number === 1 ? firstKey : `upstream ${number}`)
}

/** Keeps what came of the call, or returns what was kept. */
async function keep({ ask, notes }: Attempt, key: string, leg: Leg): Promise<Leg> {
  const kept = await ask.once(key, () => ({ leg, notes }))
  notes.splice(0, notes.length, ...kept.notes)
  return kept.leg
}

/** Ends the questions of a call that died with its process: the server asks them again. */
async function giveUpQuestions({ ask }: Attempt, questions: readonly PassedQuestion[]): Promise<void> {
  const { hub } = askingOf(ask)
  await Promise.all(questions.map(({ elicitation }) => hub.cancel(elicitation, { code: "server_gone" })))
}

async function follow(attempt: Attempt, open: PushedCall): Promise<Leg> {
  const { peer, ask } = attempt
  const signal = signalOf(attempt)
  const cancel = (): void => open.cancel(signal.reason)
  signal.addEventListener("abort", cancel, { once: true })
  onRunEnd(ask, () => signal.removeEventListener("abort", cancel))
  if (signal.aborted) cancel()
  if (!open.isSent) {
    const { granted, leave } = peer.pushed.queue(open)
    onRunEnd(ask, leave)
    // Not work of the run: the call that is open now may belong to the same run, and wait for a person.
    await granted
  }
  await workFor(ask, async () => open.send((over) => sendPushed(attempt, over)))
  const { hub } = askingOf(ask)
  let visit: string | undefined
  for (let number = 0; ; number++) {
    const question = await workFor(ask, () => open.question(number))
    // The server has gone on, so what the person was sent to do is done.
    if (visit !== undefined) await hub.complete(visit)
    if (question === undefined) break
    visit = await answerPushed(attempt, question, `question ${number + 1}`)
  }
  const leg = await workFor(ask, () => open.end)
  if (leg.kind === "lost") signal.throwIfAborted()
  return leg
}

async function sendPushed({ peer, ask, call }: Attempt, signal: AbortSignal): Promise<Leg> {
  const { name, arguments: given, onProgress } = call
  const tool = peer.toolOf(name)
  const send = (): Promise<Leg> =>
    peer.onLine(ask, ({ client }) => sendLeg(client, { name, arguments: given }, { signal, onProgress, tool }))
  const leg = await send()
  return leg.kind === "unreached" ? send() : leg
}

/** Asks what the server pushed, and replies. Returns our question if the person agreed to open a page. */
async function answerPushed(attempt: Attempt, question: PushedQuestion, key: string): Promise<string | undefined> {
  const { peer, ask, notes } = attempt
  const { hub, report } = askingOf(ask)
  const { asked, signal } = question
  // The server has given up its question and waits for no answer.
  const withdraw = (id: string): void => {
    hub.cancel(id, { code: "server_gave_up" }).catch((error: unknown) => report("ending a question of a server", error))
  }
  const onAsked = (id: string): void => {
    if (signal.aborted) withdraw(id)
    else signal.addEventListener("abort", () => withdraw(id), { once: true })
  }
  const { reply, note } = await answerAsked({ ask, key, settings: peer.settings, onAsked }, asked)
  if (note !== undefined) notes.push(note)
  try {
    await ask.once(`reply to ${key}`, () => question.reply(reply), { repeatable: true })
  } catch (error) {
    // The person took the answer back before it was sent.
    if (!isRefusal(error)) throw error
    question.reply({ action: "decline" })
    return undefined
  }
  return asked.mode === "url" && reply.action === "accept" ? elicitationOf(ask, key) : undefined
}
