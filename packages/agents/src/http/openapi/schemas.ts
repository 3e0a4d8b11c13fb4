// The schemas of the run API's bodies, as components of its OpenAPI document (JSON Schema 2020-12). Bodies may have
// further members.

import { streamEventSchema } from "@holdpoint/hub/stream"
import { refTo } from "@holdpoint/server/http"

type Schema = Readonly<Record<string, unknown>>

const text = { type: "string" } as const
const conversationId = {
  type: "string",
  pattern: "^[\\x21-\\x7e]{1,200}$",
  description: "An id that the client chooses.",
} as const

const { $schema: _draft, $defs: events, ...anyEvent } = streamEventSchema

const questionStatus = {
  enum: ["pending", "accepted", "completed", "declined", "cancelled", "expired", "failed", "unsupported"],
} as const

const answer = {
  elicitationId: text,
  action: { enum: ["accept", "decline", "cancel"] },
  content: { type: "object", description: "The values of a form." },
  reason: { type: "string", description: "Why the person declined, in their words. The agent reads it." },
} as const

const waiting = {
  type: "object",
  description: "What the reply waits for. After the answer, send `continue` with the next request to read the rest.",
  required: ["conversationId", "elicitations", "continue"],
  properties: {
    conversationId: text,
    elicitations: { type: "array", items: refTo("StreamEvent") },
    continue: text,
  },
} as const

export const schemas: Readonly<Record<string, Schema>> = {
  StreamEvent: toComponents(anyEvent) as Schema,
  ...(toComponents(events) as Readonly<Record<string, Schema>>),
  Problem: {
    type: "object",
    description:
      "A refusal (RFC 9457). `code` is for programs; `detail` tells people what happened, why, and what to do next.",
    required: ["type", "title", "status", "code", "detail"],
    properties: {
      ...{ type: text, title: text, status: { type: "integer" }, code: text, detail: text },
      problems: { type: "array", items: { type: "object" }, description: "What does not fit the form." },
      conversationId: text,
      elicitations: { type: "array", items: refTo("StreamEvent"), description: "What the reply waits for." },
    },
  },
  Message: {
    type: "object",
    description: "A message of the AI SDK (UIMessage).",
    required: ["id", "role", "parts"],
    properties: {
      id: text,
      role: { enum: ["user", "assistant", "system"] },
      parts: { type: "array", items: { type: "object", required: ["type"], properties: { type: text } } },
    },
  },
  ChatRequest: {
    type: "object",
    description: "The body that useChat of the AI SDK sends. Only the last message is read.",
    required: ["id"],
    properties: {
      id: conversationId,
      messages: { type: "array", items: { type: "object" } },
      agent: { type: "string", description: "The agent that answers, by its name in the configuration." },
      trigger: { enum: ["submit-message", "regenerate-message"] },
      stream: { type: "boolean", description: "False for one body instead of a stream." },
      continue: {
        type: "string",
        description: "The handle of a reply that waited: the response is the rest of that reply.",
      },
    },
  },
  WholeReply: {
    type: "object",
    required: ["conversationId", "agent", "message", "finishReason"],
    properties: {
      ...{ conversationId: text, agent: text, message: refTo("Message"), error: text, holdpoint: waiting },
      finishReason: { enum: ["stop", "error", "waiting"] },
    },
  },
  AcceptedMessage: {
    type: "object",
    required: ["conversationId", "messageId"],
    properties: { conversationId: text, messageId: { type: "string", description: "The id of the reply." } },
  },
  Event: { anyOf: [refTo("ReplyEvent"), refTo("TimelineEvent"), refTo("InboxEvent")] },
  ReplyEvent: {
    type: "object",
    description: "The data of an event `reply`: a chunk of a reply. Its chunks are numbered from 1.",
    required: ["conversationId", "messageId", "number", "chunk"],
    properties: { conversationId: text, messageId: text, number: { type: "integer" }, chunk: refTo("Chunk") },
  },
  TimelineEvent: {
    type: "object",
    description: "The data of an event `timeline`.",
    required: ["conversationId", "item"],
    properties: { conversationId: text, item: refTo("TimelineItem") },
  },
  Timeline: {
    type: "object",
    required: ["id", "items"],
    properties: { id: text, items: { type: "array", items: refTo("TimelineItem") } },
  },
  TimelineItem: {
    type: "object",
    description: "A step of a reply, without the content of an answer. Further members depend on the kind.",
    required: ["kind", "at", "number", "messageId"],
    properties: {
      kind: { type: "string", description: "run-started, tool-called, tool-finished, asked, answered, run-ended …" },
      at: { type: "string", format: "date-time" },
      number: { type: "integer", description: "Unique, and increasing in the order of events." },
      messageId: { type: "string", description: "The id of the reply in which it happened." },
      elicitationId: text,
      toolId: text,
      waitedMs: { type: "integer" },
    },
  },
  InboxEvent: {
    type: "object",
    description:
      "The data of an event `inbox`: a step of one of the person's questions. The first event has only `open`.",
    required: ["open"],
    properties: {
      open: { type: "integer", description: "How many questions are open now." },
      id: { type: "string", description: "The id of the question." },
      kind: { type: "string", description: "What happened to it: asked, opened, accepted, completed, declined …" },
      status: questionStatus,
    },
  },
  Answer: {
    type: "object",
    required: ["conversationId", "elicitationId", "action"],
    properties: { conversationId, ...answer },
  },
  AnsweredQuestion: {
    type: "object",
    required: ["elicitationId", "status", "changed"],
    properties: {
      elicitationId: text,
      status: questionStatus,
      changed: { type: "boolean", description: "False when the same answer had been given before." },
    },
  },
  OpenQuestions: {
    type: "object",
    required: ["elicitations"],
    properties: { elicitations: { type: "array", items: refTo("ElicitationRequestEvent") } },
  },
  Conversation: {
    type: "object",
    required: ["id", "agent", "status", "messages"],
    properties: {
      ...{ id: text, agent: text, messages: { type: "array", items: refTo("Message") } },
      status: { enum: ["running", "waiting", "done", "failed", "stopped"] },
      reply: {
        type: "object",
        description: "The last reply: its message, and the number of the last event that is in it.",
        required: ["messageId", "number"],
        properties: { messageId: text, number: { type: "integer", minimum: 0 } },
      },
    },
  },
  Chunk: {
    type: "object",
    description: "A chunk of the AI SDK's UI message stream. The `data` of a `data-elicitation` is a StreamEvent.",
    required: ["type"],
    properties: { type: text },
    if: { properties: { type: { const: "data-elicitation" } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required: ["id", "data"], properties: { id: text, data: refTo("StreamEvent") } },
  },
  TokenRequest: {
    type: "object",
    required: ["subject"],
    properties: {
      subject: {
        type: "string",
        minLength: 1,
        maxLength: 255,
        description: "The person's id at the issuer, the `sub` of its tokens.",
      },
      seconds: { type: "integer", minimum: 1, description: "How long the token is valid." },
      conversationId: { ...conversationId, description: "The only conversation that the token is valid for." },
    },
  },
  PersonToken: {
    type: "object",
    required: ["token", "tokenType", "expiresAt"],
    properties: { token: text, tokenType: { const: "Bearer" }, expiresAt: { type: "string", format: "date-time" } },
  },
  CompletionRequest: {
    type: "object",
    description: "A request for OpenAI's chat completions. Model settings are ignored: the agent has its own.",
    required: ["model"],
    properties: {
      model: { type: "string", description: "The name of an agent." },
      messages: { type: "array", items: { type: "object" } },
      stream: { type: "boolean" },
      n: { const: 1 },
      holdpoint: { type: "object", properties: { conversationId, continue: text } },
    },
  },
  Completion: {
    type: "object",
    required: ["id", "object", "choices"],
    properties: { id: text, object: text, model: text, choices: { type: "array" }, holdpoint: { type: "object" } },
  },
  CompletionError: {
    type: "object",
    required: ["error"],
    properties: {
      error: {
        type: "object",
        required: ["message", "type", "code"],
        properties: { message: text, type: text, code: text, holdpoint: { type: "object" } },
      },
    },
  },
}

/** Rewrites references within a schema as references to components. */
function toComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toComponents)
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).map(([name, member]) => {
    const isRef = name === "$ref" && typeof member === "string"
    return [name, isRef ? member.replace("#/$defs/", "#/components/schemas/") : toComponents(member)]
  })
  return Object.fromEntries(members)
}
