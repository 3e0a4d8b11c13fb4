// The exact protocol messages.

import { form, yesNo } from "@holdpoint/hub"
import { verifies } from "@holdpoint/testkit/verifies"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readReply } from "../../../../calls/src/reply.ts"
import {
  acknowledgeForm,
  cancelledNotification,
  completeNotification,
  invalidState,
  readRequestId,
  toAnswer,
  toElicitParams,
  toError,
  toRequestId,
} from "../../../src/server/wire.ts"

const requestedSchema = form({ ok: yesNo() })
const asForm = { message: "Sure?", shown: { form: requestedSchema } }
const asUrl = { message: "Pay.", shown: { url: "https://pay.example/1" } }

describe("the params of elicitation/create", () => {
  verifies(["mcp.wires-apart", "mcp.oldest-forms"], "are those of each revision, and have nothing of another", () => {
    expect(toElicitParams(asForm, "2025-06-18", "e")).toEqual({ message: "Sure?", requestedSchema })
    for (const revision of ["2025-11-25", "2026-07-28"] as const)
      expect(toElicitParams(asForm, revision, "e")).toEqual({ mode: "form", message: "Sure?", requestedSchema })
    const url = { mode: "url", message: "Pay.", url: "https://pay.example/1" }
    expect(toElicitParams(asUrl, "2025-11-25", "e")).toEqual({ ...url, elicitationId: "e" })
    expect(toElicitParams(asUrl, "2026-07-28", "e")).toEqual(url)
  })

  it("of a link in a form have one box, and no field for an address", () => {
    expect(Object.keys(acknowledgeForm.properties)).toEqual(["acknowledged"])
    expect(acknowledgeForm.properties.acknowledged).toMatchObject({ type: "boolean" })
  })
})

describe("a reply", () => {
  it.each([
    [
      { action: "accept", content: { ok: true } },
      { action: "accept", content: { ok: true } },
    ],
    [{ action: "accept" }, { action: "accept" }],
    [{ action: "accept", content: null }, { action: "accept" }],
    [{ action: "decline", content: undefined }, { action: "decline" }],
    [{ action: "cancel", _meta: {} }, { action: "cancel" }],
    [{ action: "ACCEPT" }, undefined],
    [{ action: ["accept"] }, undefined],
    [{}, undefined],
    [null, undefined],
    ["accept", undefined],
    [[{ action: "accept" }], undefined],
  ])("%j is read as %j", (given, read) => {
    expect(readReply(given)).toEqual(read)
  })

  it("to a link has no content, and an empty box is a no", () => {
    const link = { mode: "url" } as const
    expect(toAnswer(link, { action: "accept", content: { acknowledged: true, more: 1 } })).toEqual({ action: "accept" })
    expect(toAnswer(link, { action: "accept", content: {} })).toEqual({ action: "accept" })
    expect(toAnswer(link, { action: "accept", content: { acknowledged: false } })).toEqual({ action: "decline" })
    expect(toAnswer(link, { action: "cancel", content: { acknowledged: true } })).toEqual({ action: "cancel" })
  })

  it("to a form has content only when it accepts", () => {
    const content = { acknowledged: false }
    expect(toAnswer({ mode: "form" }, { action: "accept", content })).toEqual({ action: "accept", content })
    expect(toAnswer({ mode: "form" }, { action: "decline", content })).toEqual({ action: "decline" })
  })
})

describe("the id of a request of ours", () => {
  const names = fc.record({
    elicitation: fc.uuid(),
    attempt: fc.integer({ min: 0, max: 999 }),
    isPage: fc.boolean(),
    call: fc.stringMatching(/^[\w-]{8}$/),
    mark: fc.stringMatching(/^[\w-]{16}$/),
  })

  it("is read as it was written", () => {
    fc.assert(fc.property(names, (name) => void expect(readRequestId(toRequestId(name))).toEqual(name)))
  })

  it("is not read from any other string or value", () => {
    fc.assert(fc.property(fc.anything(), (id) => void expect(readRequestId(id)).toBeUndefined()))
    const id = toRequestId({ elicitation: "e", attempt: 0, isPage: false, call: "12345678", mark: "1234567890123456" })
    expect(readRequestId(id)).toBeDefined()
    for (const other of [
      `${id}x`,
      `x${id}`,
      ` ${id}`,
      `${id}\n`,
      id.slice(1),
      id.replace("hp_", "HP_"),
      id.replace(".0.", ".."),
    ])
      expect(readRequestId(other)).toBeUndefined()
  })
})

describe("other messages", () => {
  it("match the revisions", () => {
    expect(completeNotification("e")).toEqual({
      jsonrpc: "2.0",
      method: "notifications/elicitation/complete",
      params: { elicitationId: "e" },
    })
    expect(cancelledNotification("r", "It is over.")).toEqual({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "r", reason: "It is over." },
    })
    expect(invalidState(7)).toMatchObject({ id: 7, error: { code: -32602, data: { reason: "invalid_request_state" } } })
  })

  it("have a null id when they answer a request with an invalid id", () => {
    for (const id of [undefined, null, {}, [], true]) expect(toError(id, -1, "no").id).toBeNull()
    expect(toError("a", -1, "no").id).toBe("a")
    expect(toError(0, -1, "no").id).toBe(0)
  })
})
