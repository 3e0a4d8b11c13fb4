// What asks for a secret and what only talks about one.

import { verifies } from "@holdpoint/testkit/verifies"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { findSecrets, secretRule } from "../../src/secrets/rule.ts"
import * as later from "./later-lists.ts"
import {
  askingDescriptions,
  askingMessages,
  heldOutInnocents,
  heldOutSecrets,
  innocentDescriptions,
  innocentMessages,
  innocentNames,
  secretNames,
} from "./lists.ts"

const asks = (message: string) => secretRule.inMessage(message).length > 0
const refuses = (name: string, field: Record<string, unknown> = {}) =>
  findSecrets({ properties: { [name]: { type: "string", ...field } } }).length > 0

describe("names and titles", () => {
  it.each(secretNames)("refuses a field called %s", (name) => expect(refuses(name)).toBe(true))
  it.each(innocentNames)("allows a field called %s", (name) => expect(refuses(name)).toBe(false))
  it.each(heldOutSecrets)("refuses the held-out name %s", (name) => expect(refuses(name)).toBe(true))
  it.each(heldOutInnocents)("allows the held-out name %s", (name) => expect(refuses(name)).toBe(false))

  const { fourthSecrets, fifthSecrets, fourthInnocents, fifthInnocents, missed } = later
  it("misses only the listed names of two later lists, and refuses no innocent one", () => {
    expect([...fourthSecrets, ...fifthSecrets].filter((name) => !refuses(name))).toEqual(missed)
    expect([...fourthInnocents, ...fifthInnocents].filter((name) => refuses(name))).toEqual([])
  })

  verifies(
    "secret.ordinary-words-pass",
    "has tables of at least 60 names that it must refuse and 60 that it must allow",
    () => {
      expect(innocentNames.length).toBeGreaterThanOrEqual(60)
      expect(secretNames.length).toBeGreaterThanOrEqual(60)
      expect([...innocentNames, ...heldOutInnocents].filter((name) => refuses(name))).toEqual([])
    },
  )

  it("reads the title when the name says nothing", () => {
    expect(refuses("field_1", { title: "Your password" })).toBe(true)
    expect(refuses("field_1", { title: "Your nickname" })).toBe(false)
  })
})

describe("types and formats", () => {
  it("never treats a boolean, a choice or a list of choices as a secret", () => {
    expect(refuses("password", { type: "boolean" })).toBe(false)
    expect(refuses("token", { enum: ["a", "b"] })).toBe(false)
    expect(refuses("api_key", { oneOf: [{ const: "a", title: "A" }] })).toBe(false)
    expect(refuses("secrets", { type: "array", items: { enum: ["a"] } })).toBe(false)
  })

  it("treats a number as a PIN, a code or card data, never as a token", () => {
    for (const name of ["pin", "otp", "cvv", "card_number"]) expect(refuses(name, { type: "integer" })).toBe(true)
    for (const name of ["token", "secret", "key"]) expect(refuses(name, { type: "integer" })).toBe(false)
  })

  it("treats a date as a secret only when it is the expiry of a card", () => {
    expect(refuses("password_set", { format: "date" })).toBe(false)
    expect(refuses("card_expiry", { format: "date" })).toBe(true)
  })

  it("refuses the password format under any name", () => {
    expect(refuses("comment", { format: "password" })).toBe(true)
  })

  it("treats a pincode next to a city as a postal code", () => {
    const pincode = { type: "string" }
    expect(findSecrets({ properties: { city: {}, pincode } })).toEqual([])
    expect(findSecrets({ properties: { amount: {}, pincode } })).toHaveLength(1)
    expect(refuses("pincode", { title: "Delivery pincode" })).toBe(false)
  })
})

describe("prose", () => {
  it.each(askingDescriptions)("refuses the description: %s", (text) =>
    expect(refuses("x1", { description: text })).toBe(true),
  )
  it.each(innocentDescriptions)("allows the description: %s", (text) =>
    expect(refuses("x1", { description: text })).toBe(false),
  )
  it("recognizes all later texts as descriptions, and all but at most six as messages", () => {
    const descriptionMissed = later.fourthAsking.filter((text) => !refuses("x1", { description: text }))
    expect(descriptionMissed).toEqual([])
    expect(later.fourthInnocentTexts.filter((text) => refuses("x1", { description: text }) || asks(text))).toEqual([])
    expect(later.fourthAsking.filter((text) => !asks(text)).length).toBeLessThanOrEqual(6)
  })
  it.each(askingMessages)("refuses the message: %s", (text) => expect(asks(text)).toBe(true))
  it.each(innocentMessages)("allows the message: %s", (text) => expect(asks(text)).toBe(false))
})

verifies("secret.refused-in-fields", "a problem says which field asks for what, and what to do instead", () => {
  expect(findSecrets({ properties: { name: {}, db_pass: { type: "string" } } })).toEqual([
    {
      path: "properties.db_pass",
      message: "The name of this field asks for a secret: “db pass”.",
      suggestion: expect.stringContaining("url mode"),
    },
  ])
})

it.each([
  "Open this address (127.0.0.1) in your browser:\nhttp://127.0.0.1:4650/connect/6e00f5e5-a2fa-4735-a66e-16a88a813c49",
  "Payments asks you to pay. https://pay.example.org/connect/d1e82524-1cc8-4f0d-8ec9-945575a5553e",
  "Delete the build e5ddcd19-b60e-4d2f-a7f2-a9839a051358?",
  "Deploy 9e2fa0a79e5d61dcbe6acfb34bf2be30 to production?",
  "See https://docs.example.org/enter-your-password for how it is done.",
])("addresses and ids are not read as words: %s", (message) => {
  expect(asks(message)).toBe(false)
})

it("the text beside an address is read", () => {
  expect(asks("Enter your password for https://cloud.example.org/login")).toBe(true)
  expect(asks("https://github.com/settings/tokens: paste your token here")).toBe(true)
})

it("the rule finishes on an address of 100,000 characters", () => {
  expect(asks(`http://${"a/2fa-".repeat(17_000)}`)).toBe(false)
  expect(asks("a1".repeat(50_000))).toBe(false)
})

it("the rule never throws, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (name, text) => {
      findSecrets({ properties: { [name]: { title: text, description: text } } })
      secretRule.inMessage(text)
      secretRule.inAddress(`https://example.org/?${name}=${text}`)
    }),
  )
})

it.each(["password policy ", "token ", "enter ", "code texted ", "(", "a", "密", "passwordx", "no card "])(
  "the rule finishes on 20,000 characters of %j",
  (part) => {
    const text = part.repeat(20_000 / part.length)
    const problems = findSecrets({ properties: { [text]: { title: text, description: text } } })
    expect(problems.length).toBeLessThanOrEqual(1)
  },
)
