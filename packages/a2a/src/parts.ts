// Builds and reads the data parts that contain questions and answers. Pure. Metadata is never read: only the parts of a
// message count.

import type { Part } from "@a2a-js/sdk"
import { isObject } from "@holdpoint/hub/internal"
import type { StreamEvent } from "@holdpoint/hub/stream"
import type { A2aAnswer, A2aQuestion } from "./extension.ts"
import { questionWords } from "./words.ts"

const jsonType = "application/json"

const noLabels = { metadata: undefined, filename: "" } as const

/** A part with text. */
export const textPart = (text: string): Part => ({
  content: { $case: "text", value: text },
  mediaType: "",
  ...noLabels,
})

/** A part with a JSON value. */
export const dataPart = (value: unknown): Part => ({
  content: { $case: "data", value },
  ...{ mediaType: jsonType, ...noLabels },
})

/**
 * Builds the parts that ask these questions: text that a person can read, and the event of each question. `problem` is a
 * text before them, for example the problem with the last answer.
 */
export function questionParts(questions: readonly A2aQuestion[], problem?: string): Part[] {
  const words = [...(problem === undefined ? [] : [problem]), ...questions.map(questionWords)]
  return [...(words.length === 0 ? [] : [textPart(words.join("\n\n"))]), ...questions.map(dataPart)]
}

/** Reads the questions, and the ends of questions, from the parts of a message. Ignores other parts. */
export function readQuestions(parts: readonly Part[]): A2aQuestion[] {
  return parts.flatMap(({ content }) => (content?.$case === "data" && isQuestion(content.value) ? [content.value] : []))
}

/** Builds the part that answers a question, for a message with the task's id. */
export const answerPart = (answer: Omit<A2aAnswer, "type">): Part =>
  dataPart({ type: "elicitation-response", ...answer } satisfies A2aAnswer)

/** The answers in the parts of a message, and whether a part is meant as an answer but has an invalid shape. */
export interface ReadAnswers {
  readonly answers: readonly A2aAnswer[]
  readonly isMalformed: boolean
}

/** Reads the answers from the parts of a message. */
export function readAnswers(parts: readonly Part[]): ReadAnswers {
  const responses = parts.flatMap(({ content }) =>
    content?.$case === "data" && isObject(content.value) && content.value.type === "elicitation-response"
      ? [content.value]
      : [],
  )
  const answers = responses.filter(isAnswer)
  return { answers, isMalformed: answers.length < responses.length }
}

const isText = (value: unknown): value is string => typeof value === "string"

const questionTypes: readonly unknown[] = [
  "elicitation-request",
  "elicitation-resolved",
] satisfies StreamEvent["type"][]

function isQuestion(value: unknown): value is A2aQuestion {
  if (!isObject(value) || !questionTypes.includes(value.type) || !isText(value.elicitationId)) return false
  const { mode, message, url, requestedSchema, context, expiresAt, status } = value
  const asks = mode === "url" ? isText(url) : mode === "form" && isForm(requestedSchema)
  return asks && isText(message) && isObject(context) && isText(expiresAt) && isText(status)
}

const isForm = (value: unknown): boolean => isObject(value) && isObject(value.properties)

const actions: readonly unknown[] = ["accept", "decline", "cancel"] satisfies A2aAnswer["action"][]

function isAnswer(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & A2aAnswer {
  const { elicitationId, action, content, reason } = value
  return (
    isText(elicitationId) &&
    actions.includes(action) &&
    (content === undefined || isObject(content)) &&
    (reason === undefined || isText(reason))
  )
}
