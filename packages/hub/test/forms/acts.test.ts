// A yes-or-no question becomes two buttons that name the acts; every other form stays a form.

import { describe, expect, it } from "vitest"
import { actWordsIn } from "../../src/core/act-words.ts"
import { confirmForm } from "../../src/core/confirmation.ts"
import { choice, type Form, form, text, yesNo } from "../../src/core/form.ts"
import { validate } from "../../src/core/validate.ts"
import { actsOf } from "../../src/forms/acts.ts"

const checkbox = form({ confirmed: yesNo({ title: "Yes" }) })
const words = { yes: "Delete note", no: "Keep it" }

describe("actsOf", () => {
  it("names the two acts with the asker's words", () => {
    expect(actsOf(confirmForm(words))).toMatchObject({ ...words, rest: { properties: {} } })
  })

  it("returns the remaining fields, and which of them are required", () => {
    const asked = form({ confirmed: choice(words), note: text(), why: text() }, { optional: ["note"] })
    const { rest } = actsOf(asked) ?? {}
    expect(rest).toEqual({ type: "object", properties: { note: text(), why: text() }, required: ["why"] })
  })

  it("offers Yes and No in the page's language when the form names no acts", () => {
    expect(actsOf(confirmForm())).toMatchObject({ yes: "Yes", no: "No" })
    expect(actsOf(checkbox, { yes: "Ja", no: "Nein" })).toMatchObject({ yes: "Ja", no: "Nein" })
    expect(actsOf(form({ confirmed: choice(["yes", "no"]) }))).toMatchObject({ yes: "Yes", no: "No" })
  })

  it.each([
    ["Delete the note", undefined, { yes: "Delete the note", no: "Do not delete" }],
    ["confirm", undefined, { yes: "Confirm", no: "Do not confirm" }],
    ["I have read it", "All of it.", { yes: "Yes", no: "No", about: "I have read it\nAll of it." }],
    [undefined, undefined, { yes: "Yes", no: "No" }],
  ])("reads a form of one required yes-or-no field called %s", (title, description, expected) => {
    const field = yesNo({ ...(title && { title }), ...(description && { description }) })
    expect(actsOf(form({ sure: field }))).toMatchObject(expected)
  })

  it.each<[string, Form]>([
    ["two acts", confirmForm(words)],
    ["a foreign yes-or-no field", form({ sure: yesNo({ title: "Sure?" }) })],
  ])("returns answers that fit %s", (_what, asked) => {
    const { answers } = actsOf(asked) ?? {}
    for (const content of [answers?.yes, answers?.no]) expect(validate(asked, content)).toMatchObject({ ok: true })
  })

  it("returns no content for a No when the form has other fields, or none at all", () => {
    expect(actsOf(form({ confirmed: choice(words), note: text() }))?.answers).toEqual({ yes: { confirmed: "yes" } })
    expect(actsOf(form({}))?.answers).toEqual({ yes: {} })
  })

  it("takes the names of the acts from the message when the form has none", () => {
    expect(actsOf(form({}), {}, "Deploy version 3?")).toMatchObject({ yes: "Deploy", no: "Do not deploy" })
    expect(actsOf(checkbox, {}, "Deploy version 3?")).toMatchObject({ yes: "Deploy", no: "Do not deploy" })
    expect(actsOf(confirmForm(words), {}, "Deploy version 3?")).toMatchObject(words)
    expect(actsOf(form({}), {}, "Is it right?")).toMatchObject({ yes: "Yes", no: "No" })
  })

  it.each<[string, Form]>([
    ["with an optional yes-or-no field", form({ sure: yesNo() }, { optional: ["sure"] })],
    ["with a yes-or-no field and another", form({ sure: yesNo(), why: text() })],
    ["with a choice of other values", form({ confirmed: choice(["now", "later"]) })],
    ["with a third option", form({ confirmed: choice({ yes: "Yes", no: "No", later: "Later" }) })],
    ["with an optional confirmation", form({ confirmed: choice(words) }, { optional: ["confirmed"] })],
  ])("finds no acts in a form %s", (_what, asked) => {
    expect(actsOf(asked)).toBeUndefined()
  })
})

describe("the acts that a question asks about", () => {
  it.each([
    ["Delete the note?", "Delete", "Do not delete"],
    ["Delete “Is it true?”?\nIt has 3 lines.", "Delete", "Do not delete"],
    ["Shall I go on?", "Go on", "Do not go on"],
    ["Do you want to turn off the heating?", "Turn off", "Do not turn off"],
    ["Are you sure you want to publish this?", "Publish", "Do not publish"],
  ])("are named after its verb: %s", (message, yes, no) => {
    expect(actWordsIn(message)).toEqual({ yes, no })
  })

  it.each([
    "Is this right?",
    "Dinner at eight?",
    "Delete the note.",
    "The note is old. Delete it?",
    "Löschen?",
    "Really?",
    "",
  ])("are not guessed from “%s”", (message) => {
    expect(actWordsIn(message)).toBeUndefined()
  })
})
