// Describes the parameters, bodies and responses of each route of the run API, as data for its OpenAPI document. The
// document adds the refusals that every route has.

import { type Operation, refTo, refusals } from "@holdpoint/server/http"

const optIn = {
  name: "x-supports-elicitation",
  in: "header",
  schema: { enum: ["true"] },
  description:
    "The client shows questions, and the stream stays open while the person thinks. Without this header, the agent cannot ask questions.",
} as const

const json = (name: string) => ({ "application/json": refTo(name) })
const chunks = {
  "text/event-stream": { type: "string", description: "Server-sent events; the data of each is a Chunk." },
} as const

export const operations = {
  chat: {
    operationId: "chat",
    summary: "Send a message and read the reply",
    description: "The same path accepts answers and approvals in the last message, and continues the reply.",
    parameters: [
      optIn,
      { name: "stream", in: "query", description: "`false` for one body.", schema: { enum: ["true", "false"] } },
      {
        ...{ name: "prefer", in: "header", schema: { enum: ["respond-async"] } },
        description:
          "The client reads the reply in the stream of events: the response is sent immediately, without the reply.",
      },
    ],
    body: refTo("ChatRequest"),
    responses: {
      200: { description: "The reply.", content: { ...chunks, ...json("WholeReply") } },
      202: {
        description: "The reply is in progress. Read it in the stream of events.",
        content: json("AcceptedMessage"),
      },
      ...refusals(400, 404, 409, 410, 413, 422, 429, 500),
    },
  },
  repeatStream: {
    operationId: "repeatStream",
    summary: "Read the reply that is in progress from its start",
    responses: {
      200: { description: "The reply so far, and what follows.", content: chunks },
      204: { description: "No reply is in progress." },
      ...refusals(429),
    },
  },
  stop: {
    operationId: "stop",
    summary: "Stop the reply that is in progress",
    description: "No further step of the reply begins.",
    responses: { 202: { description: "The reply ends, if one was in progress." }, ...refusals(400, 404) },
  },
  answer: {
    operationId: "answer",
    summary: "Answer a question of a conversation",
    description: "Repeating an answer changes nothing and succeeds. Only the page of a link can complete it.",
    body: refTo("Answer"),
    responses: {
      200: { description: "The question after the answer.", content: json("AnsweredQuestion") },
      ...refusals(400, 404, 409, 410, 413, 422),
    },
  },
  listQuestions: {
    operationId: "listQuestions",
    summary: "List the caller's open questions, from all conversations and programs",
    responses: { 200: { description: "The questions.", content: json("OpenQuestions") } },
  },
  events: {
    operationId: "events",
    summary: "Follow conversations and the inbox in one stream",
    description:
      "Sends the events `reply`, `timeline` and `inbox`. The current reply is sent from its first chunk, and later replies as they begin.",
    parameters: [
      {
        ...{ name: "conversation", in: "query", schema: { type: "array", items: { type: "string" }, maxItems: 20 } },
        description: "The conversations, which need not exist yet. Repeat the parameter for each.",
      },
      {
        ...{ name: "last-event-id", in: "header", schema: { type: "string" } },
        description: "The id of the last event that the client has: the stream continues after it.",
      },
      {
        ...{ name: "after", in: "query", schema: { type: "string" } },
        description: "As Last-Event-ID, for clients that cannot send the header.",
      },
    ],
    responses: {
      200: {
        description: "The events, until the client leaves or its session or token ends.",
        content: {
          "text/event-stream": { type: "string", description: "Server-sent events; the data of each is an Event." },
        },
      },
      ...refusals(400, 429),
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
    summary: "Resume reading a reply after the last event that the client has",
    parameters: [
      {
        ...{ name: "last-event-id", in: "header", schema: { type: "string", pattern: "^\\d{1,9}$" } },
        description: "The number of that event; 0 or none for the whole reply.",
      },
      {
        ...{ name: "after", in: "query", schema: { type: "string", pattern: "^\\d{1,9}$" } },
        description: "As Last-Event-ID, for clients that cannot send the header.",
      },
      {
        ...{ name: "message", in: "query", schema: { type: "string" } },
        description: "The id of the reply's message; without it the last reply is read.",
      },
    ],
    responses: {
      200: { description: "The rest of the reply.", content: chunks },
      204: { description: "The conversation has no reply, or the client has its end." },
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
        description: "The conversation to continue. Without this header, each request begins a new conversation.",
      },
      {
        ...{ name: "x-holdpoint-events", in: "header", schema: { enum: ["content"] } },
        description:
          "Sends questions as lines of JSON in the text. Each has the member `nonce` of the response header `x-holdpoint-nonce`; ignore lines with another one.",
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
      ...refusals(400, 404, 409, 413, 422, 429, 500),
    },
    refusal: "CompletionError",
  },
  makeToken: {
    operationId: "makeToken",
    summary: "Get a short-lived token for a person that a program acts for",
    description: "Requires an API key with `actsFor`. With the token, a page on another origin can talk to agents.",
    body: refTo("TokenRequest"),
    responses: { 201: { description: "The token.", content: json("PersonToken") }, ...refusals(400, 413) },
  },
} as const satisfies Readonly<Record<string, Operation>>
