// The shape of stream events as JSON Schema (2020-12), for programs that check what they read. Plain data. Events of
// other types and members that it does not name pass: members are added, never changed or removed.

const text = { type: "string" } as const

/** The form of a question, as far as every reader may rely on it. */
const formSchema = {
  type: "object",
  required: ["type", "properties"],
  properties: {
    type: { const: "object" },
    properties: {
      type: "object",
      additionalProperties: { type: "object", required: ["type"], properties: { type: text } },
    },
    required: { type: "array", items: text },
  },
} as const

const contextSchema = {
  type: "object",
  required: ["trigger"],
  properties: {
    ...{ trigger: text, toolId: text, toolName: text, credentialType: text, agent: text, provider: text },
    ...{ providerName: text, account: text },
  },
  additionalProperties: { type: ["string", "number", "boolean"] },
} as const

const question = {
  elicitationId: { type: "string", minLength: 1 },
  mode: { enum: ["form", "url"] },
  message: text,
  url: { type: "string", format: "uri" },
  requestedSchema: formSchema,
  context: contextSchema,
  expiresAt: { type: "string", format: "date-time" },
} as const

const commonMembers = ["type", "elicitationId", "mode", "message", "context", "expiresAt", "status"] as const

/** A link has an address, a form has fields, and neither has the other's. */
const byMode = {
  if: { properties: { mode: { const: "url" } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ["url"], not: { required: ["requestedSchema"] } },
  else: { required: ["requestedSchema"], not: { required: ["url"] } },
} as const

/** JSON Schema (2020-12) of every event of a stream. Events of types that it does not know pass. */
export const streamEventSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "StreamEvent",
  type: "object",
  required: ["type"],
  properties: { type: text },
  allOf: [
    {
      if: { properties: { type: { const: "elicitation-request" } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { $ref: "#/$defs/ElicitationRequestEvent" },
    },
    {
      if: { properties: { type: { const: "elicitation-resolved" } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { $ref: "#/$defs/ElicitationResolvedEvent" },
    },
  ],
  $defs: {
    ElicitationRequestEvent: {
      description: "A question that a person has to answer before the reply continues.",
      type: "object",
      required: commonMembers,
      properties: { type: { const: "elicitation-request" }, ...question, status: { enum: ["pending", "accepted"] } },
      ...byMode,
    },
    ElicitationResolvedEvent: {
      description: "The end of a question, wherever it was answered.",
      type: "object",
      required: commonMembers,
      properties: {
        type: { const: "elicitation-resolved" },
        ...question,
        status: { enum: ["completed", "declined", "cancelled", "expired", "failed", "unsupported"] },
        reason: { type: "object", required: ["code"], properties: { code: text, message: text } },
      },
      ...byMode,
    },
  },
} as const
