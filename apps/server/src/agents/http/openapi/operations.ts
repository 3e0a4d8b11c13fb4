// What each route of the run API takes and gives, as data for its OpenAPI document. Refusals of callers and failures are
// added there, since every route has them.

import { type Operation, refTo, refusals } from "@holdpoint/sdk/http"

const optIn = {
  name: "x-supports-elicitation",
  in: "header",
  schema: { enum: ["true"] },
  description: "The client shows questions, and the stream is held while the person thinks. Without it none are asked.",
} as const

const json = (name: string) => ({ "application/json": refTo(name) })
const chunks = {
  "text/event-stream": { type: "string", description: "Server-sent events; the data of each is a Chunk." },
} as const

export const operations = {
  chat: {
    operationId: "chat",
    summary: "Send a message and read the reply",
    description: "The same address takes answers and approvals in the last message, and goes on with the reply.",
    parameters: [
      optIn,
      { name: "stream", in: "query", description: "`false` for one body.", schema: { enum: ["true", "false"] } },
      {
        ...{ name: "prefer", in: "header", schema: { enum: ["respond-async"] } },
        description: "The reply is read in the stream of events: the response comes at once, without it.",
      },
    ],
    body: refTo("ChatRequest"),
    responses: {
      200: { description: "The reply.", content: { ...chunks, ...json("WholeReply") } },
      202: {
        description: "The reply is under way. Read it in the stream of events.",
        content: json("AcceptedMessage"),
      },
      ...refusals(400, 404, 409, 410, 413, 422, 429),
    },
  },
  repeatStream: {
    operationId: "repeatStream",
    summary: "Read the reply that is under way from its start",
    responses: {
      200: { description: "The reply so far, and what follows.", content: chunks },
      204: { description: "No reply is under way." },
    },
  },
  stop: {
    operationId: "stop",
    summary: "Stop the reply that is under way",
    description: "What has not begun is not done.",
    responses: { 202: { description: "It ends, if one was under way." }, ...refusals(400, 404) },
  },
  answer: {
    operationId: "answer",
    summary: "Answer a question of a conversation",
    description: "Sending an answer again changes nothing and is a success. A link is completed by its page alone.",
    body: refTo("Answer"),
    responses: {
      200: { description: "The question after the answer.", content: json("AnsweredQuestion") },
      ...refusals(400, 404, 409, 410, 413, 422),
    },
  },
  listQuestions: {
    operationId: "listQuestions",
    summary: "List the caller's open questions, of every conversation and program",
    responses: { 200: { description: "The questions.", content: json("OpenQuestions") } },
  },
  events: {
    operationId: "events",
    summary: "Follow conversations and the inbox in one stream",
    description:
      "Events `reply`, `timeline` and `inbox`. The reply that is under way comes from its first chunk, and each later one by itself.",
    parameters: [
      {
        ...{ name: "conversation", in: "query", schema: { type: "array", items: { type: "string" }, maxItems: 20 } },
        description: "The conversations, also those that have not begun. Repeat the parameter for each.",
      },
      {
        ...{ name: "last-event-id", in: "header", schema: { type: "string" } },
        description: "The id of the last event that the client has: the stream goes on after it.",
      },
      {
        ...{ name: "after", in: "query", schema: { type: "string" } },
        description: "The same, for clients that cannot send the header.",
      },
    ],
    responses: {
      200: {
        description: "The events, until the client leaves or its session or token ends.",
        content: {
          "text/event-stream": { type: "string", description: "Server-sent events; the data of each is an Event." },
        },
      },
      ...refusals(400),
    },
  },
  showConversation: {
    operationId: "showConversation",
    summary: "Show the messages of a conversation",
    responses: { 200: { description: "The conversation.", content: json("Conversation") }, ...refusals(400, 404) },
  },
  showTimeline: {
    operationId: "showTimeline",
    summary: "Show what happened in the replies of a conversation, step by step",
    responses: { 200: { description: "The timeline.", content: json("Timeline") }, ...refusals(400, 404) },
  },
  resumeStream: {
    operationId: "resumeStream",
    summary: "Read on in a reply after the last event that the client has",
    parameters: [
      {
        ...{ name: "last-event-id", in: "header", schema: { type: "string", pattern: "^\\d{1,9}$" } },
        description: "The number of that event; 0 or none for the whole reply.",
      },
      {
        ...{ name: "after", in: "query", schema: { type: "string", pattern: "^\\d{1,9}$" } },
        description: "The same, for clients that cannot send the header.",
      },
      {
        ...{ name: "message", in: "query", schema: { type: "string" } },
        description: "The id of the reply's message; without it the last reply is read.",
      },
    ],
    responses: {
      200: { description: "The rest of the reply.", content: chunks },
      204: { description: "The conversation has no reply." },
      ...refusals(400, 404),
    },
  },
  complete: {
    operationId: "complete",
    summary: "Talk to an agent with a client of OpenAI's API",
    parameters: [
      optIn,
      {
        ...{ name: "x-holdpoint-conversation", in: "header", schema: { type: "string" } },
        description: "The conversation to go on with. Without it each request is one of its own.",
      },
      {
        ...{ name: "x-holdpoint-events", in: "header", schema: { enum: ["content"] } },
        description: "Questions as lines of JSON in the text.",
      },
    ],
    body: refTo("CompletionRequest"),
    responses: {
      200: {
        description: "The reply.",
        content: {
          ...json("Completion"),
          "text/event-stream": { type: "string", description: "Server-sent events; the data of each is a Completion." },
        },
      },
      ...refusals(400, 404, 409, 413, 422, 429),
    },
    refusal: "CompletionError",
  },
  makeToken: {
    operationId: "makeToken",
    summary: "Get a short-lived token for one of a program's people",
    description: "For programs whose API key acts for people, so that a page on another origin can talk to agents.",
    body: refTo("TokenRequest"),
    responses: { 201: { description: "The token.", content: json("PersonToken") }, ...refusals(400, 413) },
  },
} as const satisfies Readonly<Record<string, Operation>>
