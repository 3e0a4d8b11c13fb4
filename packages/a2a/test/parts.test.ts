// Questions and answers in data parts of A2A messages, and text that answers a form.

import { choice, choices, date, email, form, integer, number, text, yesNo } from "@holdpoint/hub"
import { confirmForm } from "@holdpoint/hub/forms"
import type { StreamEvent } from "@holdpoint/hub/stream"
import { describe, expect, it } from "vitest"
import { answerFromText, answerPart, questionParts, readAnswers, readQuestions } from "../src/index.ts"
import { dataPart, textPart } from "../src/parts.ts"
import { formWords, questionWords } from "../src/words.ts"

const question: StreamEvent = {
  ...{ type: "elicitation-request", elicitationId: "e1", mode: "form", message: "Which city?", status: "pending" },
  requestedSchema: form({ city: choice({ rome: "Rome, Italy", oslo: "Oslo" }) }),
  ...{ context: { trigger: "tool_input_required" }, expiresAt: "2026-11-18T20:00:00.000Z" },
}
const { requestedSchema: _form, ...rest } = question
const link: StreamEvent = { ...rest, mode: "url", url: "https://hub.example/connect/e1", message: "Connect Notes." }

describe("a question in a message", () => {
  it("is text for people and an event for programs, and is read back unchanged", () => {
    const parts = questionParts([question, link], "That does not fit.")
    expect(parts.map(({ content }) => content?.$case)).toEqual(["text", "data", "data"])
    expect(parts[0]?.content?.value).toMatch(/^That does not fit\.\n\nWhich city\?\n\nAnswer with one of/)
    expect(parts[0]?.content?.value).toContain("Open https://hub.example/connect/e1 to continue.")
    expect(readQuestions(parts)).toEqual([question, link])
    expect(questionParts([])).toEqual([])
  })

  it("is not read from a text part or from a data part that is not a question", () => {
    const { elicitationId: _id, ...unnamed } = question
    const others = [
      { ...question, type: "other" },
      unnamed,
      { ...link, url: 7 },
      { ...question, requestedSchema: [] },
      null,
    ]
    expect(readQuestions([...others.map(dataPart), textPart(JSON.stringify(question))])).toEqual([])
  })

  it("that is over says how it ended", () => {
    const reason = { code: "said", message: "Too far" }
    const ended: StreamEvent = { ...question, type: "elicitation-resolved", status: "declined", reason }
    expect(questionWords(ended)).toBe("Which city?\n\nThis question is over: declined (Too far).")
    expect(readQuestions([dataPart(ended)])).toEqual([ended])
  })
})

describe("an answer in a message", () => {
  it("is read back unchanged", () => {
    const answers = [
      { elicitationId: "e1", action: "accept", content: { city: "rome" } },
      { elicitationId: "e2", action: "decline", reason: "Too far" },
    ] as const
    const read = readAnswers([textPart("well"), ...answers.map(answerPart), dataPart({ city: "rome" })])
    expect(read.answers).toMatchObject(answers)
    expect(read.isMalformed).toBe(false)
  })

  it.each([
    [{ action: "accept" }],
    [{ elicitationId: "e1", action: "approve" }],
    [{ elicitationId: "e1", action: "accept", content: "rome" }],
    [{ elicitationId: "e1", action: "decline", reason: 7 }],
  ])("is malformed when it has the type of an answer and the members %j", (answer) => {
    expect(readAnswers([dataPart({ type: "elicitation-response", ...answer })])).toEqual({
      answers: [],
      isMalformed: true,
    })
  })
})

describe("a text", () => {
  const colours = form({ list: choices({ r: "Red", g: "Green" }) })
  it.each([
    [form({ name: text() }), " Ada ", { name: "Ada" }],
    [form({ n: number() }), "1.5", { n: 1.5 }],
    [form({ day: date() }), "2026-01-31", { day: "2026-01-31" }],
    [form({ city: choice(["Rome", "rome"]) }), "rome", { city: "rome" }],
    [colours, "red, Green", { list: ["r", "g"] }],
    [form({ ok: yesNo() }, { optional: ["ok"] }), "No", { ok: false }],
    [confirmForm({}, "Delete the note?"), "delete", { confirmed: "yes" }],
    [confirmForm({}, "Delete the note?"), "Do not delete", { confirmed: "no" }],
    [form({}), "yes", {}],
  ])("answers the form %j when it is “%s”", (asked, answerText, content) => {
    expect(answerFromText(asked, answerText)).toEqual({ action: "accept", content })
  })

  it("declines a form without fields when it is a No", () => {
    expect(answerFromText(form({}), "no")).toEqual({ action: "decline" })
  })

  it("keeps the defaults of a form's other fields when it is one of two acts", () => {
    const asked = form({ confirmed: choice({ yes: "Send", no: "Do not send" }), to: text({ default: "Ada" }) })
    expect(answerFromText(asked, "send")).toEqual({ action: "accept", content: { confirmed: "yes", to: "Ada" } })
    expect(answerFromText(asked, "do not send")).toEqual({ action: "decline" })
  })

  it.each([
    [form({ city: choice(["Rome", "rome"]) }), "ROME", "more than one"],
    [form({ a: text(), b: text() }, { optional: ["b"] }), "Ada", "which field"],
    [form({ mail: email() }), "nowhere", "email address"],
    [form({ n: integer({ maximum: 3 }) }), "4", "n must be"],
    [form({ name: text() }), "  ", "no text"],
    [confirmForm({}, "Delete the note?"), "yes, delete", "not clear"],
    [confirmForm({ yes: "No", no: "Yes" }), "no", "not clear"],
    [confirmForm({}, "Delete the note?"), "yes", "not clear"],
  ])("does not answer the form %j when it is “%s”", (asked, answerText, problem) => {
    expect(answerFromText(asked, answerText)).toMatchObject({ problem: expect.stringContaining(problem) })
  })
})

it("lists the fields of a form in words, with their kinds and limits", () => {
  const asked = form(
    { n: integer({ minimum: 1, title: "Nights" }), note: text({ maxLength: 20 }), day: date() },
    { optional: ["note"] },
  )
  expect(formWords(asked)).toBe(
    [
      "Answer with a data part whose content has these fields:",
      "- n: a whole number, at least 1 (Nights; required)",
      "- note: a text (at most 20 characters; optional)",
      "- day: a date (such as 2026-01-31) (required)",
    ].join("\n"),
  )
})
