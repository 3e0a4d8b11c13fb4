// The parameters, bodies and responses of each route of the HTTP API, as data for its OpenAPI document.

import { type Operation, refTo, refusals } from "./document.ts"

const json = (name: string) => ({ "application/json": refTo(name) })
const currentQuestion = { description: "The question as it is now.", content: json("Question") }

export const operations = {
  ask: {
    operationId: "ask",
    summary: "Ask a question",
    description: "Needs the key of a program. The same question with the same idempotency key is asked only once.",
    parameters: [
      {
        ...{ name: "idempotency-key", in: "header", schema: { type: "string" } },
        description: "Any text that the program chooses. It works for as long as the question is kept.",
      },
    ],
    body: refTo("NewQuestion"),
    responses: {
      201: { description: "The question was asked.", content: json("Question") },
      200: { description: "The question had already been asked with this key.", content: json("Question") },
      ...refusals(400, 409, 413, 422, 429),
    },
  },
  get: {
    operationId: "get",
    summary: "Read a question, or wait for its end",
    parameters: [
      {
        ...{ name: "wait", in: "query", schema: { type: "integer", minimum: 0, maximum: 120 } },
        description: "Seconds to wait for the end. After that, a question that is still open is returned as it is.",
      },
    ],
    responses: { 200: currentQuestion, ...refusals(400, 404, 410, 429) },
  },
  events: {
    operationId: "events",
    summary: "Follow the steps of a question until its end",
    parameters: [
      {
        ...{ name: "last-event-id", in: "header", schema: { type: "string", pattern: "^\\d{1,9}$" } },
        description: "The id of the last event that the client has: the stream continues after it.",
      },
      {
        ...{ name: "after", in: "query", schema: { type: "string", pattern: "^\\d{1,9}$" } },
        description: "As Last-Event-ID, for clients that cannot send the header.",
      },
    ],
    responses: {
      200: {
        description: "The steps so far and those to come.",
        content: { "text/event-stream": { type: "string", description: "The data of each event is a QuestionEvent." } },
      },
      204: { description: "The question has ended, and no more events follow." },
      ...refusals(400, 404, 429),
    },
  },
  cancel: {
    operationId: "cancel",
    summary: "Withdraw a question",
    body: refTo("Cancel"),
    isBodyOptional: true,
    responses: { 200: currentQuestion, ...refusals(400, 404, 409, 410, 413, 429) },
  },
  complete: {
    operationId: "complete",
    summary: "Report that the task behind a link is done, or has failed",
    description: "For questions with a url, once the person has agreed to open it.",
    body: refTo("Complete"),
    isBodyOptional: true,
    responses: { 200: currentQuestion, ...refusals(400, 404, 409, 410, 413, 429) },
  },
  answer: {
    operationId: "answer",
    summary: "Answer a question as the person it is for",
    description: "Needs the session of a page of this origin, or a token that was issued for /api.",
    body: refTo("Answer"),
    responses: {
      200: { description: "The question after the answer.", content: json("AnsweredQuestion") },
      ...refusals(400, 403, 404, 409, 410, 413, 422),
    },
  },
} as const satisfies Readonly<Record<string, Operation>>
