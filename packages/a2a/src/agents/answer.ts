// Handles a message to an existing task: an answer to the questions of its run. The hub checks each answer. A message
// that contains no usable answer changes nothing, and the response explains what is needed.

import type { Message } from "@a2a-js/sdk"
import { RequestMalformedError, UnsupportedOperationError } from "@a2a-js/sdk/errors"
import type { Run } from "@holdpoint/agents/internal"
import { allowsSomething, approveInBrowser, hasEnded } from "@holdpoint/agents/internal"
import { parentOfCall } from "@holdpoint/calls"
import { isSettled, paths, type Refusal } from "@holdpoint/hub"
import { toStreamEvent } from "@holdpoint/hub/stream"
import type { A2aAnswer } from "../extension.ts"
import { readAnswers } from "../parts.ts"
import { answerFromText } from "../text-answer.ts"
import { toA2aError } from "./errors.ts"
import { contentOf, textOf } from "./message.ts"
import { type A2aParts, type A2aVisit, digest, type KnownTask } from "./parts.ts"
import { questionsIn, type TaskQuestion } from "./read-task.ts"
import type { A2aMessage } from "./records.ts"

/** The result of a message to an existing task. */
export interface MessageOutcome {
  /** Why the task still waits, as text for this response. Undefined when the message was accepted. */
  readonly needed?: string
  /** The version of the run before these answers. Each settled question wakes the run, which raises the version. */
  readonly wokenAfter?: number
}

type ElicitationAnswer = Omit<A2aAnswer, "type">

export async function answerTask(
  parts: A2aParts,
  { person, mayApprove }: A2aVisit,
  { task, run }: KnownTask,
  message: Message,
): Promise<MessageOutcome> {
  if (message.contextId !== "" && message.contextId !== task.context)
    throw new RequestMalformedError("This task belongs to another context. Leave contextId out, or send the task's.")
  const id = digest([task.id, message.messageId])
  const contentDigest = digest([contentOf(message)])
  const earlierMessage = await parts.messages.get(id)
  if (earlierMessage !== undefined && earlierMessage.digest !== contentDigest)
    throw new RequestMalformedError("This messageId was used for another message. Use a new one for each message.")
  const questions = await questionsFor(parts, run, message)
  // A repeated message applies only to the questions that the first delivery answered. It is given to the hub again,
  // which changes nothing twice: the first delivery may have been stored, and the storage lost its No.
  const targetQuestions =
    earlierMessage === undefined
      ? questions
      : questions
          .filter(({ event }) => earlierMessage.questions.includes(event.elicitationId))
          .map(({ event }) => ({ event, isOpen: true }))
  if (earlierMessage !== undefined && targetQuestions.length === 0) return {}
  const isOver = earlierMessage === undefined && hasEnded(run)
  const read = readElicitationAnswers(message, { questions: targetQuestions, isOver })
  if ("needed" in read) return read
  const allowed = mayApprove ? undefined : allowedBy(read.answers, targetQuestions)
  if (allowed !== undefined) return { needed: approveInBrowser(parts.addresses.to(paths.question, allowed)) }
  const record: A2aMessage = {
    ...{ id, tenant: task.tenant, version: 1, task: task.id, message: message.messageId, digest: contentDigest },
    ...{ questions: read.answers.map(({ elicitationId }) => elicitationId), at: parts.runtime.now() },
    expiresAt: task.expiresAt,
  }
  const insertion = earlierMessage === undefined ? parts.messages.insert(record) : undefined
  insertion?.catch(() => {})
  // An answer as text names no question. Without its record, text that is repeated after a crash would answer the next
  // question, so the record is stored first.
  if (readAnswers(message.parts).answers.length === 0) await insertion
  const refusals: Refusal[] = []
  let wakesRun = false
  for (const answer of read.answers) {
    const { refusal, isSettled: isOver = false } = await submitAnswer(parts, person, answer)
    if (refusal !== undefined) refusals.push(refusal)
    wakesRun ||= isOver
  }
  await insertion
  if (refusals.length === 0) return run.status === "waiting" && wakesRun ? { wokenAfter: run.version } : {}
  if (refusals.length < read.answers.length) return { needed: toWords(refusals) }
  await parts.messages.remove(earlierMessage ?? record)
  // An invalid answer can be corrected. A late answer is refused, and the error contains how the question ended.
  const [lateRefusal] = refusals
  if (lateRefusal !== undefined && !refusals.some(isWrong)) throw toA2aError(lateRefusal, lateWords(lateRefusal))
  return { needed: toWords(refusals) }
}

/** The id of the first question whose answer allows something. */
const allowedBy = (answers: readonly ElicitationAnswer[], questions: readonly TaskQuestion[]): string | undefined =>
  answers.find((answer) => {
    const asked = questions.find(({ event }) => event.elicitationId === answer.elicitationId)?.event
    return asked?.mode === "form" && allowsSomething(asked.requestedSchema ?? noFields, answer)
  })?.elicitationId

/**
 * The questions that the message may answer. If it names questions of this run, they are read without the log.
 */
async function questionsFor(
  parts: A2aParts,
  run: Run,
  { parts: messageParts }: Message,
): Promise<readonly TaskQuestion[]> {
  const ids = readAnswers(messageParts).answers.map(({ elicitationId }) => elicitationId)
  const namedQuestions = await Promise.all(ids.map((id) => parts.hub.get(id)))
  const ownQuestions = namedQuestions.flatMap((one) => (one?.parent === parentOfCall(run.id) ? [one] : []))
  if (ownQuestions.length === 0 || ownQuestions.length < ids.length)
    return questionsIn(parts, await parts.readers.logs.read(run, 0))
  return ownQuestions.map((one) => ({ event: toStreamEvent(one), isOpen: !isSettled(one.status) }))
}

interface Situation {
  readonly questions: readonly TaskQuestion[]
  readonly isOver: boolean
}

/** The answers in a message, or the reason why there are none. */
function readElicitationAnswers(
  message: Message,
  { questions, isOver }: Situation,
): { answers: readonly ElicitationAnswer[] } | { needed: string } {
  const { answers, isMalformed } = readAnswers(message.parts)
  if (isMalformed) throw new RequestMalformedError(answerShape)
  const unknown = answers.find((one) => !questions.some(({ event }) => event.elicitationId === one.elicitationId))
  if (unknown !== undefined) throw new RequestMalformedError("This task has no question with this elicitationId.")
  if (answers.length > 0) return { answers }
  if (isOver) throw new UnsupportedOperationError(taskIsOver)
  const open = questions.filter(({ isOpen }) => isOpen).map(({ event }) => event)
  if (open.length === 0) throw new UnsupportedOperationError(atWork)
  const [form, ...otherForms] = open.filter(({ mode }) => mode === "form")
  if (form === undefined)
    return { needed: "This question cannot be answered with a message. Send the person to its link." }
  if (otherForms.length > 0)
    return { needed: "Several questions are open. Answer each with a data part that has its elicitationId." }
  const { elicitationId, message: question, requestedSchema = noFields } = form
  const read = answerFromText(requestedSchema, textOf(message), question)
  return "problem" in read ? { needed: read.problem } : { answers: [{ elicitationId, ...read }] }
}

const noFields = { type: "object", properties: {} } as const

const answerShape =
  'An answer is a data part { "type": "elicitation-response", "elicitationId": …, "action": "accept", "decline" or "cancel", "content": {…} for a form }.'

const taskIsOver =
  "This task has ended and takes no more messages. To continue in its context, send the message with its contextId and without taskId."

const atWork =
  "The agent is working on this task and has no open question. The message was not kept: send it again when the task waits or has ended."

interface AnswerResult {
  readonly isSettled?: boolean
  /** The refusal of the hub. Undefined when the answer was accepted, now or earlier. */
  readonly refusal?: Refusal
}

async function submitAnswer(
  { hub }: A2aParts,
  person: A2aVisit["person"],
  { elicitationId, action, content, reason }: ElicitationAnswer,
): Promise<AnswerResult> {
  const result = await hub.answer(elicitationId, {
    ...{ by: person, action, via: "a2a" },
    ...(content === undefined ? {} : { content }),
    ...(reason === undefined || reason.trim() === "" ? {} : { reason: { code: "said", message: cut(reason) } }),
  })
  if (result.ok) return { isSettled: result.changed && isSettled(result.elicitation.status) }
  const { code, status, ended } = result.refusal
  // Repeating the acceptance of a link succeeds: only the page completes the question.
  const isAgreed =
    action === "accept" &&
    (code === "already_accepted" || code === "detail_unseen" || (ended?.status ?? status) === "completed")
  return isAgreed && content === undefined ? {} : { refusal: result.refusal }
}

const cut = (text: string): string => text.slice(0, 1_000)

const isWrong = ({ code }: Refusal): boolean => code === "invalid_answer"

const toWords = (refusals: readonly Refusal[]): string =>
  refusals.map((one) => (isWrong(one) ? wrongWords(one) : lateWords(one))).join("\n\n")

const lateWords = ({ message, ended }: Refusal): string =>
  ended === undefined || message.includes(ended.status)
    ? message
    : `${message} It ended with the status ${ended.status}.`

/** The text for an invalid answer. The status of the task contains the question and its fields after this text. */
function wrongWords({ message, problems = [] }: Refusal): string {
  const lines = problems.map(({ path, message: words }) => (path === "" ? words : `${path}: ${words}`))
  return lines.length === 0 ? message : lines.join("\n")
}
