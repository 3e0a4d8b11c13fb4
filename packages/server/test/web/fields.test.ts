// Every type of field gets the input that fits it, with its limits, its default, and its problems tied to it.

import type { Problem } from "@holdpoint/hub"
import { choice, choices, date, dateTime, email, form, integer, number, text, uri, yesNo } from "@holdpoint/hub"
import type { Field } from "@holdpoint/hub/forms"
import { describe, expect, it } from "vitest"
import { formFields, problemSummary } from "../../src/web/fields.ts"

const six = ["a", "b", "c", "d", "e", "f"]
const show = (field: Field, options: { optional?: readonly "it"[]; problems?: readonly Problem[] } = {}): string =>
  String(formFields({ prefix: "q", form: form({ it: field }, options), problems: options.problems }))

describe("a field", () => {
  it.each<[string, Field, readonly string[]]>([
    [
      "text",
      text({ minLength: 2, default: "x" }),
      ['type="text"', 'minlength="2"', 'value="x"', "At least 2 characters."],
    ],
    [
      "long text",
      text({ maxLength: 2000, default: "x" }),
      ["<textarea", ">\nx</textarea>", "At most 2000 characters."],
    ],
    ["email", email(), ['inputmode="email"', 'autocomplete="email"']],
    ["uri", uri(), ['type="url"']],
    ["date", date({ default: "2026-01-31" }), ['type="date"', 'value="2026-01-31"']],
    [
      "date-time",
      dateTime({ default: "2026-01-31T09:30:00+01:00" }),
      ['type="datetime-local"', 'value="2026-01-31T08:30"', 'type="hidden" name="offset.it" value="Z"', "Time in UTC."],
    ],
    [
      "number",
      number({ minimum: 0, maximum: 9.5, default: 1.5 }),
      ['type="number"', 'step="any"', 'min="0"', 'max="9.5"', 'value="1.5"', "0 to 9.5."],
    ],
    ["integer", integer({ minimum: 1 }), ['step="1"', 'min="1"', "A whole number, at least 1."]],
    ["yes or no", yesNo({ default: true }), ['type="checkbox"', 'value="yes" checked']],
    ["few options", choice(["a", "b"], { default: "b" }), ['role="radiogroup"', 'type="radio"', 'value="b" checked']],
    ["many options", choice(six, { default: "f" }), ["<select", '<option value="f" selected>f</option>', "Choose one"]],
    ["titled options", choice({ a: "First" }), ['value="a"', ">First</label>"]],
    [
      "several options",
      choices(["a", "b"], { minItems: 1, default: ["a"] }),
      ["<fieldset", 'type="checkbox"', 'value="a" checked', "Choose at least 1."],
    ],
  ])("of %s shows what it holds and expects", (_what, field, expected) => {
    const markup = show(field)
    for (const piece of expected) expect(markup).toContain(piece)
    expect(markup).toMatch(/>it(?: <span class="required" aria-hidden="true">\*<\/span>)?</)
  })

  it.each<[string, Field]>([
    ["text", text()],
    ["email", email()],
    ["date", date()],
    ["number", number()],
    ["few options", choice(["a"])],
    ["many options", choice(six)],
  ])("of %s is required, or is marked as optional", (_what, field) => {
    expect(show(field)).toMatch(/ required[ >]/)
    expect(show(field)).not.toContain("optional")
    expect(show(field, { optional: ["it"] })).not.toMatch(/ required[ >]/)
    expect(show(field, { optional: ["it"] })).toContain("optional")
  })

  it.each<[string, Field, boolean]>([
    ["text", text(), true],
    ["one of a few options", choice(["a"]), true],
    ["at least one of several", choices(["a"], { minItems: 1 }), true],
    ["any number of several", choices(["a"]), false],
    ["yes or no", yesNo(), false],
  ])("of %s is marked as required only where an empty answer is refused", (_what, field, isMarked) => {
    expect(show(field).includes('class="required"')).toBe(isMarked)
    expect(show(field, { optional: ["it"] })).not.toContain('class="required"')
  })

  it("of an optional yes or no can be left open, unless it has a default", () => {
    const open = show(yesNo(), { optional: ["it"] })
    for (const label of ["Yes", "No", "No answer"]) expect(open).toContain(`>${label}</label>`)
    expect(open).toContain('value="" checked')
    expect(show(yesNo({ default: false }), { optional: ["it"] })).toContain('type="checkbox"')
  })

  it.each([
    ["notes", text(), "<textarea"],
    ["notes", text({ maxLength: 60 }), "<input"],
    ["place", text(), "<input"],
  ])("called %s gets the room that its texts need", (name, field, control) => {
    expect(String(formFields({ prefix: "q", form: { type: "object", properties: { [name]: field } } }))).toContain(
      control,
    )
  })

  it.each<[Field, string]>([
    [number({ minimum: -5 }), "At least -5."],
    [integer({ minimum: 0 }), "A whole number, at least 0."],
    [text({ minLength: 1, maxLength: 9 }), "At most 9 characters."],
    [choices(["a", "b"], { minItems: 0, maxItems: 1 }), "Choose at most 1."],
    [choices(["a", "b", "c"], { minItems: 2, maxItems: 2 }), "Choose 2."],
  ])("says its limits: %j", (field, hint) => {
    expect(show(field)).toContain(`>${hint}</p>`)
  })

  it("uses the language of the page", () => {
    const texts = {
      optional: "freiwillig",
      noAnswer: "Keine Antwort",
      atLeast: "mindestens {least}",
      choose: "Wähle {range}.",
    }
    const asked = form({ a: choice(["x"]), b: choices(["x", "y"], { minItems: 1 }) }, { optional: ["a"] })
    const markup = String(formFields({ prefix: "q", form: asked, texts }))
    for (const words of ["freiwillig", "Keine Antwort", "Wähle mindestens 1."]) expect(markup).toContain(words)
  })

  it("with options can be left open when it is optional", () => {
    expect(show(choice(["a"]), { optional: ["it"] })).toContain(">No answer</label>")
    expect(show(choice(six), { optional: ["it"] })).toContain('<option value="">No answer</option>')
    expect(show(choice({ "": "None", a: "A" }), { optional: ["it"] })).not.toContain("No answer")
  })

  it("is linked to its title, its description, its hint and its problem", () => {
    const problems = [{ path: "it", message: "It is wrong." }]
    const markup = show(text({ title: "It", description: "About it.", minLength: 2 }), { problems })
    expect(markup).toContain('<label for="q-1">It <span class="required" aria-hidden="true">*</span></label>')
    expect(markup).toContain('aria-describedby="q-1-about q-1-hint q-1-problem" aria-invalid="true"')
    for (const id of ["q-1", "q-1-about", "q-1-hint", "q-1-problem"]) expect(markup).toContain(`id="${id}"`)
  })

  it("shows the value that the person wrote", () => {
    const markup = formFields({ prefix: "q", form: form({ it: text() }), values: { it: "4,5" } })
    expect(String(markup)).toContain('value="4,5"')
  })
})

describe("the summary of problems", () => {
  it("is announced and leads to each field, and to the first input of a group", () => {
    const fields = form({ a: text(), b: choice(["x", "y"]) })
    const problems = [
      { path: "a", message: "A is wrong." },
      { path: "b", message: "B is missing." },
      { path: "", message: "It is too much." },
    ]
    const markup = String(problemSummary({ prefix: "q", form: fields, problems }))
    expect(markup).toContain('role="alert"')
    expect(markup).toContain('<a href="#q-1">A is wrong.</a>')
    expect(markup).toContain('<a href="#q-2-1">B is missing.</a>')
    expect(markup).toContain("<li>It is too much.</li>")
  })

  it("is absent without problems", () => {
    expect(problemSummary({ prefix: "q", form: form({ a: text() }) })).toBe(false)
  })
})
