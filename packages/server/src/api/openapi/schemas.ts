// The schemas of the HTTP API's bodies, as components of its OpenAPI document (JSON Schema 2020-12). Data. Bodies may
// have additional members.

import { refTo, type Schema } from "./document.ts"

const text = { type: "string" } as const
const time = { type: "string", format: "date-time" } as const
const status = {
  enum: ["pending", "accepted", "completed", "declined", "cancelled", "expired", "failed", "unsupported"],
  description: "Open: pending, and accepted (the person agreed to open the link). All others are final.",
} as const
const reason = { type: "object", required: ["code"], properties: { code: text, message: text } } as const
const people = { type: "array", items: refTo("Person"), minItems: 1, maxItems: 100 } as const
const votes = { type: "array", items: refTo("Vote"), description: "The votes so far, in order." } as const
const escalate = {
  type: "object",
  description: "After this time, people with this role may answer too.",
  required: ["afterMs", "role"],
  additionalProperties: false,
  properties: { afterMs: { type: "integer", minimum: 1 }, role: text },
} as const
const action = { enum: ["accept", "decline", "cancel"] } as const

export const schemas: Readonly<Record<string, Schema>> = {
  Person: {
    type: "object",
    description: "A person, as their identity provider names them.",
    required: ["issuer", "subject"],
    properties: { issuer: text, subject: text },
  },
  Audience: {
    description: "Who may answer: one person, any of several, or anyone with a role.",
    anyOf: [
      refTo("Person"),
      { type: "object", required: ["people"], properties: { people } },
      { type: "object", required: ["role"], properties: { role: text } },
    ],
  },
  NamedPerson: {
    description: "A person, or the verified e-mail address of one who has signed in.",
    anyOf: [refTo("Person"), { type: "object", required: ["email"], properties: { email: text } }],
  },
  NewAudience: {
    anyOf: [
      refTo("Audience"),
      refTo("NamedPerson"),
      { type: "object", required: ["people"], properties: { people: { ...people, items: refTo("NamedPerson") } } },
    ],
  },
  NewQuestion: {
    type: "object",
    description: "A question with exactly one of confirm, form and url. Unknown members are refused.",
    required: ["message", "audience"],
    additionalProperties: false,
    properties: {
      message: { type: "string", minLength: 1, description: "The question, in plain text." },
      confirm: {
        description: "A yes-or-no question: true, or the words of the two buttons.",
        anyOf: [{ const: true }, { type: "object", properties: { yes: text, no: text }, additionalProperties: false }],
      },
      form: { type: "object", description: "The fields: a flat JSON Schema. It must not ask for secrets." },
      url: { type: "string", format: "uri", description: "The page to open. Complete the question when it is done." },
      audience: refTo("NewAudience"),
      lifetimeMs: {
        type: "integer",
        minimum: 1_000,
        description: "How long people have to answer; 5 minutes by default.",
      },
      key: { type: "string", description: "As the header Idempotency-Key." },
      approvals: {
        ...{ type: "integer", minimum: 1, maximum: 100 },
        description: "How many different people have to say Yes to a yes-or-no question. The first No declines it.",
      },
      notBy: { ...refTo("NamedPerson"), description: "The person on whose behalf it is asked, who may not answer it." },
      remindEveryMs: {
        ...{ type: "integer", minimum: 60_000 },
        description: "Reminds people who have not answered, at most ten times.",
      },
      escalate,
    },
  },
  Question: {
    type: "object",
    required: ["id", "status", "mode", "message", "audience", "page", "createdAt", "expiresAt"],
    properties: {
      ...{ id: text, status, mode: { enum: ["form", "url"] }, message: text, audience: refTo("Audience") },
      ...{ form: { type: "object" }, url: text, key: text },
      page: { type: "string", format: "uri", description: "Where the person answers." },
      ...{ createdAt: time, expiresAt: time, openedAt: time, settledAt: time },
      content: { type: "object", description: "The answer to a completed form." },
      said: { enum: ["yes", "no"], description: "The answer to a completed yes-or-no question." },
      ...{ answeredBy: refTo("Person"), answeredVia: text, reason },
      ...{ approvals: { type: "integer" }, votes, notBy: refTo("Person") },
      ...{ remindEveryMs: { type: "integer" }, escalate, escalatedTo: text },
    },
  },
  Vote: {
    type: "object",
    description: "What one person said, when, on which surface, and the reason for a No.",
    required: ["by", "said", "at"],
    properties: { by: refTo("Person"), said: { enum: ["yes", "no"] }, at: time, via: text, reason },
  },
  QuestionEvent: {
    type: "object",
    description: "A step of a question. The id of the event resumes the stream.",
    required: ["kind", "status", "at"],
    properties: {
      kind: { type: "string", description: "asked, opened, voted, accepted, completed …" },
      status,
      at: time,
    },
  },
  Cancel: {
    type: "object",
    additionalProperties: false,
    properties: { reason: { type: "string", description: "Why, for people." } },
  },
  Complete: {
    type: "object",
    additionalProperties: false,
    properties: {
      status: { enum: ["completed", "failed"] },
      reason: { type: "string", description: "Why it failed." },
    },
  },
  Answer: {
    type: "object",
    required: ["action"],
    additionalProperties: false,
    properties: {
      action,
      content: { type: "object", description: "The values of a form." },
      reason: { type: "string", description: "The reason for a No, in the person's words." },
    },
  },
  AnsweredQuestion: {
    type: "object",
    required: ["id", "status", "changed"],
    properties: {
      id: text,
      status,
      changed: { type: "boolean", description: "False when the same answer had already been given." },
      ...{ approvals: { type: "integer" }, votes },
    },
  },
  Problem: {
    type: "object",
    description: "A refusal (RFC 9457). `code` is for programs; `detail` says what happened, why, and what to do next.",
    required: ["type", "title", "status", "code", "detail"],
    properties: {
      ...{ type: text, title: text, status: { type: "integer" }, code: text, detail: text },
      problems: {
        type: "array",
        description: "Everything that is wrong, by path.",
        items: {
          type: "object",
          required: ["path", "message"],
          properties: { path: text, message: text, suggestion: text },
        },
      },
      ended: {
        type: "object",
        description: "How the question had ended before.",
        required: ["status", "at"],
        properties: { status, at: time, by: refTo("Person"), reason },
      },
    },
  },
}
