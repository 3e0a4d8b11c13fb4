// One task, from the first message to the reply for the model. Each message and each wait is an effect of the run, so
// that any process can continue the task.

import type { Ask } from "@holdpoint/calls"
import { isRefusal } from "@holdpoint/calls"
import { askingOf, declinedNote, leaveRun, onRunEnd } from "@holdpoint/calls/internal"
import { HoldpointError } from "@holdpoint/hub"
import { isYes } from "@holdpoint/hub/internal"
import { askForm, askText, toAnswer, toTextAnswer } from "./answer.ts"
import type { Attempt, PeerParts, RemoteTask } from "./attempt.ts"
import { createAttempt } from "./attempt.ts"
import { authorize } from "./authorize.ts"
import { agentLimits } from "./limits.ts"
import type { A2aPart } from "./parts.ts"
import { textIn, textPart } from "./parts.ts"
import type { PollOptions, TurnResult } from "./poll.ts"
import { cancelTask, pollTask } from "./poll.ts"
import type { TaskQuestions } from "./questions.ts"
import { questionsOf } from "./questions.ts"
import type { AnswerResult } from "./send.ts"
import { giveTask, sendAnswer } from "./send.ts"
import type { A2aCall } from "./settings.ts"
import type { Snapshot } from "./snapshot.ts"
import {
  doneText,
  endedWords,
  excessWords,
  goneWords,
  lostWords,
  refusedWords,
  tooLongWords,
  tooManyWords,
  unansweredWords,
  unaskableWords,
  unreachedWords,
  vanishedWords,
} from "./words.ts"

/** An agent's reply to a task, or the reason why the task failed. */
export interface A2aReply {
  /** Whether the task failed. The parts then contain the reason. */
  readonly isError: boolean
  readonly parts: readonly A2aPart[]
}

/** The most times that one task may wait for a person. After that, the task is cancelled. */
const mostRounds = 40

export async function callAgent(peer: PeerParts, ask: Ask, call: A2aCall): Promise<A2aReply> {
  const attempt = await createAttempt(peer, ask, call)
  const { settings } = peer
  const start = await giveTask(attempt)
  switch (start.kind) {
    case "reply":
      return toReply(attempt, start.parts)
    case "refused":
      return toFailure(attempt, refusedWords(settings, start.message))
    case "unreached":
      throw new HoldpointError("provider_unavailable", unreachedWords(settings, start.message))
    case "excess":
      return toFailure(attempt, excessWords(settings, start.message))
    case "lost":
      throw new HoldpointError("effect_unknown", lostWords(settings))
    case "task":
      return runUntilStopped(attempt, start.task)
  }
}

/**
 * Runs the task to its end. Cancels it at the agent when the person stops the run, or when the caller aborts the call.
 */
async function runUntilStopped(attempt: Attempt, task: RemoteTask): Promise<A2aReply> {
  const { stopped } = attempt
  const cancel = (): void => {
    cancelTask(attempt, task).catch((error: unknown) =>
      askingOf(attempt.ask).report("cancelling a task of another agent", error),
    )
  }
  const forget = (): void => stopped.removeEventListener("abort", cancel)
  stopped.addEventListener("abort", cancel, { once: true })
  onRunEnd(attempt.ask, forget)
  if (stopped.aborted) cancel()
  try {
    return await runRounds(attempt, task)
  } catch (error) {
    // This run ends because this process closes or another question was answered. The next run follows the task.
    if (attempt.following.aborted && !attempt.signal.aborted) return await leaveRun(attempt.ask)
    throw error
  } finally {
    forget()
  }
}

async function runRounds(attempt: Attempt, task: RemoteTask): Promise<A2aReply> {
  const { peer, ask } = attempt
  let knownTurn: TurnResult | undefined
  let questions = 0
  let mark: string | undefined
  for (let round = 1; round <= mostRounds; round++) {
    const following: PollOptions = { task, mark, signal: attempt.following }
    const turnResult: TurnResult =
      knownTurn ?? (await ask.once(`turn ${round}`, () => pollTask(attempt, following), { repeatable: true }))
    if (turnResult.kind !== "turn") return giveUpTurn(attempt, task, turnResult)
    const { snapshot } = turnResult
    if (snapshot.state !== "input" && snapshot.state !== "auth") return toEnd(attempt, snapshot)
    questions += countOf(questionsOf(snapshot))
    if (questions > agentLimits.questions) break
    const next = await react(attempt, { task, round, snapshot })
    if (next.kind === "reply") return next.reply
    mark = snapshot.mark
    knownTurn = next.kind === "turn" ? next.turn : undefined
  }
  return giveUp(attempt, task, tooManyWords(peer.settings))
}

const countOf = ({ forms, links }: TaskQuestions): number => Math.max(1, forms.length + links.length)

interface Round {
  readonly task: RemoteTask
  readonly round: number
  readonly snapshot: Snapshot
}

type Reaction =
  | { readonly kind: "answered" }
  | { readonly kind: "turn"; readonly turn: TurnResult }
  | { readonly kind: "reply"; readonly reply: A2aReply }

async function react(attempt: Attempt, round: Round): Promise<Reaction> {
  const questions = questionsOf(round.snapshot)
  if (questions.forms.length > 0) return answerForms(attempt, round, questions)
  if (questions.links.length > 0 || round.snapshot.state === "auth") return visitPages(attempt, round, questions)
  return answerText(attempt, round, questions)
}

/** Asks the person all forms at once, and sends the answers in one message. */
async function answerForms(attempt: Attempt, round: Round, { forms }: TaskQuestions): Promise<Reaction> {
  const results = await Promise.all(
    forms.map((form, index) => askForm(attempt, `question ${round.round}.${index + 1}`, form)),
  )
  for (const result of results) if ("refused" in result) note(attempt, result.refused)
  const parts = forms.map(({ id }, index) => toAnswer(id, results[index] ?? { refused: "" }))
  return send(attempt, round, parts)
}

/**
 * Asks the person the agent's plain-text question. A text cannot say that the person declined, so the task is cancelled
 * when they do not answer.
 */
async function answerText(attempt: Attempt, round: Round, { text }: TaskQuestions): Promise<Reaction> {
  const { settings } = attempt.peer
  const result = await askText(attempt, `question ${round.round}`, text)
  if ("refused" in result)
    return toReplyReaction(await giveUp(attempt, round.task, unaskableWords(settings, result.refused)))
  const { outcome } = result
  if (outcome.status === "completed" && outcome.content !== undefined)
    return send(attempt, round, [toTextAnswer(outcome.content)])
  return toReplyReaction(await giveUp(attempt, round.task, unansweredWords(settings, outcome)))
}

async function visitPages(attempt: Attempt, round: Round, questions: TaskQuestions): Promise<Reaction> {
  const { settings } = attempt.peer
  const authorized = await authorize(attempt, { ...round, questions })
  if (authorized.kind === "left") return { kind: "turn", turn: authorized.turn }
  const id = questions.links[authorized.at]?.id
  if (authorized.kind === "refused") {
    note(attempt, authorized.message)
    if (id !== undefined) return send(attempt, round, [toAnswer(id, { refused: authorized.message })])
    return toReplyReaction(await giveUp(attempt, round.task, unaskableWords(settings, authorized.message)))
  }
  const { outcome } = authorized
  // The agent sent no link, and the person confirms that they have finished.
  if (questions.links.length === 0 && outcome.status === "completed" && isYes(outcome.content ?? {}))
    return send(attempt, round, [textPart(doneText)])
  if (id !== undefined && outcome.status !== "completed") return send(attempt, round, [toAnswer(id, { outcome })])
  return toReplyReaction(await giveUp(attempt, round.task, unansweredWords(settings, toDeclined(outcome))))
}

/** Converts a No to “It is done” to a decline: that question was answered, so its own status is `completed`. */
const toDeclined = (outcome: Parameters<typeof unansweredWords>[1]): Parameters<typeof unansweredWords>[1] =>
  outcome.status === "completed" ? { status: "declined" } : outcome

async function send(
  attempt: Attempt,
  round: Round,
  parts: Parameters<typeof sendAnswer>[1]["parts"],
): Promise<Reaction> {
  const { settings } = attempt.peer
  const message = { task: round.task, mark: round.snapshot.mark, parts }
  let result: AnswerResult
  try {
    result = await sendAnswer(attempt, { ...message, key: `answer ${round.round}` })
  } catch (error) {
    // The person withdrew the answer before it was sent.
    if (!isRefusal(error)) throw error
    return toReplyReaction(await giveUp(attempt, round.task, error.message))
  }
  switch (result.kind) {
    case "sent":
      return { kind: "answered" }
    case "reply":
      return toReplyReaction(toReply(attempt, result.parts))
    case "refused":
      return toReplyReaction(await giveUp(attempt, round.task, refusedWords(settings, result.message)))
    case "excess":
      return toReplyReaction(await giveUp(attempt, round.task, excessWords(settings, result.message)))
    case "vanished":
      return toReplyReaction(toFailure(attempt, vanishedWords(settings, result.message)))
  }
}

function note({ notes, peer }: Attempt, problem: string): void {
  if (notes.length < agentLimits.notes) notes.push(declinedNote(peer.settings, problem))
}

const toReplyReaction = (reply: A2aReply): Reaction => ({ kind: "reply", reply })

async function giveUpTurn(
  attempt: Attempt,
  task: RemoteTask,
  turn: Exclude<TurnResult, { kind: "turn" }>,
): Promise<A2aReply> {
  const { settings } = attempt.peer
  switch (turn.kind) {
    case "gone":
      return toFailure(attempt, goneWords(settings))
    case "vanished":
      return toFailure(attempt, vanishedWords(settings, turn.message))
    case "refused":
      return toFailure(attempt, refusedWords(settings, turn.message))
    case "excess":
      return giveUp(attempt, task, excessWords(settings, turn.message))
    case "too-long":
      return giveUp(attempt, task, tooLongWords(settings))
  }
}

/**
 * Cancels the task at the agent, and returns a failure. The cancellation is not stored as an effect of the run:
 * repeating it after a crash does no harm, and a person who withdraws an earlier answer does not prevent it.
 */
async function giveUp(attempt: Attempt, task: RemoteTask, words: string): Promise<A2aReply> {
  await cancelTask(attempt, task)
  return toFailure(attempt, words)
}

function toEnd(attempt: Attempt, { state, said, result }: Snapshot): A2aReply {
  switch (state) {
    case "failed":
    case "canceled":
    case "rejected":
      return toFailure(attempt, endedWords(attempt.peer.settings, state, textIn(said)))
    default:
      return toReply(attempt, result)
  }
}

const toReply = ({ notes }: Attempt, parts: readonly A2aPart[]): A2aReply => ({
  isError: false,
  parts: [...parts, ...notes.map(toText)],
})

const toFailure = ({ notes }: Attempt, words: string): A2aReply => ({
  isError: true,
  parts: [words, ...notes].map(toText),
})

const toText = (text: string): A2aPart => ({ type: "text", text })
