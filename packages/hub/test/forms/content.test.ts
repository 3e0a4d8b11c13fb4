// What a browser posts becomes content that core judges, and comes back as what the fields show.

import { everyField } from "@holdpoint/testkit/server/web/samples"
import { describe, expect, it } from "vitest"
import type { Field } from "../../src/core/form.ts"
import { choice, choices, date, dateTime, email, form, integer, number, text, uri, yesNo } from "../../src/core/form.ts"
import { validate } from "../../src/core/validate.ts"
import { readContent, toValues } from "../../src/forms/content.ts"
import { fieldNodes } from "../../src/forms/fields.ts"
import { toHtml } from "../../src/forms/node.ts"

const optional = (field: Field) => form({ it: field }, { optional: ["it"] })
const posted = (...pairs: readonly (readonly [string, string])[]) =>
  new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]))

describe("readContent", () => {
  it.each<[string, Field, string, unknown]>([
    ["text as it was written", text(), "  two words ", "  two words "],
    ["line breaks as line feeds", text({ maxLength: 500 }), "one\r\ntwo\rthree", "one\ntwo\nthree"],
    ["an address without the spaces around it", email(), " a@example.com ", "a@example.com"],
    ["a uri", uri(), "https://example.com/a", "https://example.com/a"],
    ["a date", date(), "2026-01-31", "2026-01-31"],
    ["a number", number(), " 4.50 ", 4.5],
    ["a negative number", number(), "-1e3", -1000],
    ["text that is not a number, as text", number(), "4,5", "4,5"],
    ["hexadecimal, as text", integer(), "0x10", "0x10"],
    ["infinity, as text", number(), "Infinity", "Infinity"],
    ["a fraction for core to refuse", integer(), "4.5", 4.5],
    ["a choice", choice(["a", "b"]), "b", "b"],
    ["an unknown choice, for core to refuse", choice(["a", "b"]), "c", "c"],
    ["an option whose line breaks a browser changed", choice(["a\nb", "c"]), "a\r\nb", "a\nb"],
    ["a ticked box", yesNo(), "yes", true],
  ])("reads %s", (_what, field, given, expected) => {
    expect(readContent(form({ it: field }), posted(["field.it", given]))).toEqual({ it: expected })
  })

  it.each<[string, Field]>([
    ["text", text()],
    ["an address", email()],
    ["a date", date()],
    ["a time", dateTime()],
    ["a number", number()],
    ["a choice", choice(["a", "b"])],
  ])("leaves out %s that is empty", (_what, field) => {
    expect(readContent(optional(field), posted(["field.it", ""]))).toEqual({})
    expect(readContent(form({ it: field }), posted(["field.it", ""]))).toEqual({})
    expect(readContent(optional(field), posted())).toEqual({})
  })

  it("reads an unticked box as no", () => {
    expect(readContent(form({ it: yesNo() }), posted())).toEqual({ it: false })
  })

  it.each([
    ["yes", { it: true }],
    ["no", { it: false }],
    ["", {}],
  ])("reads “%s” for an optional yes or no", (given, expected) => {
    expect(readContent(optional(yesNo()), posted(["field.it", given]))).toEqual(expected)
  })

  it("reads an empty value as an answer if it is one of the options", () => {
    expect(readContent(optional(choice({ "": "None", a: "A" })), posted(["field.it", ""]))).toEqual({ it: "" })
    expect(readContent(optional(choice({ "": "None", a: "A" })), posted())).toEqual({})
  })

  it("reads every ticked choice, in order", () => {
    const field = choices(["a", "b", "c"])
    expect(readContent(form({ it: field }), posted(["field.it", "a"], ["field.it", "c"]))).toEqual({ it: ["a", "c"] })
  })

  it("leaves out a list without a ticked choice, unless the field is required", () => {
    expect(readContent(optional(choices(["a"], { minItems: 1 })), posted())).toEqual({})
    expect(readContent(form({ it: choices(["a"]) }), posted())).toEqual({ it: [] })
  })

  it.each([
    ["in the offset that the script sent", "2026-07-01T09:30", "+02:00", "2026-07-01T09:30:00+02:00"],
    ["in UTC without a script", "2026-07-01T09:30", "Z", "2026-07-01T09:30:00Z"],
    ["in UTC when the offset is nonsense", "2026-07-01T09:30:15", "+2", "2026-07-01T09:30:15Z"],
    ["unchanged when it has its own offset", "2026-07-01T09:30:00-05:00", "+02:00", "2026-07-01T09:30:00-05:00"],
    ["as text when it is not a time", "tomorrow", "+02:00", "tomorrow"],
  ])("reads a time %s", (_how, value, offset, expected) => {
    const content = readContent(form({ it: dateTime() }), posted(["field.it", value], ["offset.it", offset]))
    expect(content).toEqual({ it: expected })
  })

  it("ignores everything else that is posted", () => {
    const data = posted(["csrf", "x"], ["do", "send"], ["it", "no"], ["field.other", "no"], ["field.it", "yes"])
    expect(readContent(form({ it: text() }), data)).toEqual({ it: "yes" })
  })

  it("reads fields that are named like other posted values or inherited members", () => {
    const fields = form({ csrf: text(), do: text(), toString: text() })
    const data = posted(["csrf", "x"], ["do", "send"], ["field.csrf", "a"], ["field.do", "b"], ["field.toString", "c"])
    expect(readContent(fields, data)).toEqual({ csrf: "a", do: "b", toString: "c" })
  })

  it("reads a FormData and ignores files", () => {
    const data = new FormData()
    data.set("field.it", new Blob(["x"]))
    data.set("field.other", "y")
    expect(readContent(form({ it: text(), other: text() }), data)).toEqual({ other: "y" })
  })
})

describe("a time in the zone of the program that shows it", () => {
  const asked = form({ it: dateTime({ default: "2026-07-01T09:30:00Z" }) })

  it("is shown without its offset and read back as the same moment", () => {
    const { it: localTime } = toValues(asked, undefined, "local")
    expect(localTime).toBe(isoHere(new Date("2026-07-01T09:30:00Z")))
    const read = readContent(asked, posted(["field.it", String(localTime)], ["offset.it", "local"]))
    expect(new Date(String(read.it)).toISOString()).toBe("2026-07-01T09:30:00.000Z")
    expect(read.it).toMatch(/[+-]\d\d:\d\d$/)
  })

  it("is shown with its zone, in a text that can be translated", () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const view = { prefix: "q", form: asked, texts: { timeHere: "Ihre Zeit: {zone}" } }
    expect(toHtml(fieldNodes(view))).toContain(`Ihre Zeit: ${timeZone.replaceAll("_", " ")}<`)
  })
})

/** The local date and time of a moment, as a datetime-local input wants it. */
function isoHere(at: Date): string {
  const pad = (part: number): string => String(part).padStart(2, "0")
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}`
}

describe("toValues", () => {
  it("starts with the form's defaults", () => {
    expect(toValues(everyField)).toMatchObject({
      title: "Spring meeting in Lyon",
      notes: "",
      leave: "2026-04-14T06:45",
      budget: "420.5",
      carriage: "second",
      meals: [],
      insured: true,
    })
  })

  it("shows earlier values instead, without any default", () => {
    expect(toValues(everyField, { title: "Other", people: "many" })).toMatchObject({
      title: "Other",
      people: "many",
      carriage: "",
      insured: false,
    })
  })

  it.each([
    ["2026-04-14T06:45:00+02:00", "2026-04-14T04:45"],
    ["2026-04-14T06:45:30Z", "2026-04-14T06:45:30"],
    ["2026-04-14T06:45:30.250Z", "2026-04-14T06:45:30.250"],
    ["half past six", "half past six"],
  ])("shows the time %s as %s", (value, localTime) => {
    expect(toValues(form({ it: dateTime() }), { it: value })).toEqual({ it: localTime })
  })

  it("shows values that are read back as the same content when they are posted unchanged", () => {
    const given = { title: "Trip", notes: "a\nb", contact: "a@example.com", from: "2026-04-14" }
    const more = {
      leave: "2026-04-14T06:45:00Z",
      budget: 4.5,
      people: 2,
      carriage: "first",
      meals: ["lunch", "dinner"],
    }
    const content = { ...given, ...more, insured: true }
    const data = new URLSearchParams()
    for (const [name, shown] of Object.entries(toValues(everyField, content))) {
      if (typeof shown === "boolean") data.append(`field.${name}`, "yes")
      else for (const value of [shown].flat()) data.append(`field.${name}`, value)
    }
    expect(readContent(everyField, data)).toEqual(content)
    expect(validate(everyField, readContent(everyField, data)).ok).toBe(true)
  })
})
