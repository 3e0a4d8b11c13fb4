// Foreign programs read the events of streams: their shape is compared with recorded ones, member by member.

import { asked, formDraft, now, urlDraft } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv"
import { describe, expect, it } from "vitest"
import type { Elicitation, SettledStatus } from "../../src/core/elicitation.ts"
import type { EventSource } from "../../src/core/stream-event.ts"
import { toStreamEvent } from "../../src/core/stream-event.ts"
import { streamEventSchema } from "../../src/core/stream-schema.ts"
import recorded from "./stream-events.json" with { type: "json" }

const source: EventSource = { toolId: "call-1", toolName: "list_notes", credentialType: "oauth2", agent: "researcher" }
const modes = { form: asked(formDraft), url: asked(urlDraft) }
const statuses = [
  "pending",
  "accepted",
  "completed",
  "declined",
  "cancelled",
  "expired",
  "failed",
  "unsupported",
] as const

/** Every kind of event, in every mode and status. */
const made = Object.values(modes).flatMap((question) =>
  statuses
    .filter((status) => status !== "accepted" || question.mode === "url")
    .map((status) => toStreamEvent(atStatus(question, status), source)),
)

function atStatus(question: Elicitation, status: (typeof statuses)[number]): Elicitation {
  if (status === "pending" || status === "accepted") return { ...question, status }
  return {
    ...question,
    status: status satisfies SettledStatus,
    settledAt: now,
    reason: { code: "said", message: "No." },
  }
}

const check = new AjvJsonSchemaValidator().getValidator<unknown>(streamEventSchema as never)
const isValid = (event: unknown): boolean => check(event).valid

describe("a stream event", () => {
  verifies("stream.shape-is-kept", "has the recorded shape, in every kind, mode and status", () => {
    expect(JSON.parse(JSON.stringify(made))).toStrictEqual(recorded)
  })

  it("has only the required members when everything optional is left out", () => {
    const event = toStreamEvent(asked({ ...formDraft, context: { trigger: "approval" } }))
    expect(Object.keys(event)).toEqual([
      ...["type", "elicitationId", "mode", "message", "requestedSchema", "context", "expiresAt", "status"],
    ])
    expect(event.context).toEqual({ trigger: "approval" })
    expect(isValid(event)).toBe(true)
  })

  it("leaves out context that is only meant for the server's pages", () => {
    const context = { trigger: "approval", tool: "deploy", connection: "c-1", scopes: "notes" } as const
    expect(toStreamEvent(asked({ ...formDraft, context })).context).toEqual({ trigger: "approval", toolName: "deploy" })
  })
})

describe("the schema of stream events", () => {
  it.each(recorded.map((event) => [event.type, event.mode, event.status, event] as const))(
    "accepts %s, %s, %s",
    (_type, _mode, _status, event) => expect(check(event)).toMatchObject({ valid: true }),
  )

  verifies("stream.schema-lets-pass", "accepts events of other types, and members that it does not define", () => {
    expect(isValid({ type: "elicitation-moved", elicitationId: 7 })).toBe(true)
    for (const event of recorded) expect(isValid({ ...event, importance: { level: 3 } })).toBe(true)
    for (const event of recorded) expect(isValid({ ...event, context: { ...event.context, seat: "12 A" } })).toBe(true)
  })

  it("refuses each member with a value of a wrong type", () => {
    for (const event of recorded) {
      for (const member of Object.keys(event)) expect(isValid({ ...event, [member]: 7 }), member).toBe(false)
      for (const member of Object.keys(event.context))
        expect(isValid({ ...event, context: { ...event.context, [member]: {} } }), member).toBe(false)
      if (event.reason !== undefined)
        for (const member of Object.keys(event.reason))
          expect(isValid({ ...event, reason: { ...event.reason, [member]: 7 } }), member).toBe(false)
    }
  })

  it("refuses an event that lacks a member, except for the optional reason", () => {
    for (const event of recorded)
      for (const member of Object.keys(event)) {
        const { [member as "message"]: _left, ...rest } = event
        expect(isValid(rest), member).toBe(member === "reason")
      }
  })

  it("refuses an address for a form, fields for a link, and a status of the other kind of event", () => {
    for (const event of recorded) {
      const other =
        event.mode === "url" ? { requestedSchema: recorded[0]?.requestedSchema } : { url: "https://a.example/" }
      expect(isValid({ ...event, ...other })).toBe(false)
      expect(isValid({ ...event, status: event.type === "elicitation-request" ? "completed" : "pending" })).toBe(false)
    }
  })
})
