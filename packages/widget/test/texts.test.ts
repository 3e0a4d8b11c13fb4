// Every language has every text, and its texts have the same placeholders.

import { describe, expect, it } from "vitest"
import { de } from "../src/texts/de.ts"
import { en } from "../src/texts/en.ts"

const placesOf = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).sort()

const german = new Map<string, string>(Object.entries(de))

describe("German", () => {
  it("has every English text, with the same placeholders", () => {
    const differing = Object.entries(en).filter(
      ([name, text]) => placesOf(german.get(name) ?? "").join() !== placesOf(text).join() || !german.has(name),
    )
    expect(differing).toEqual([])
  })

  it("has no text that is left in English", () => {
    const same = Object.entries(en).filter(([name, text]) => german.get(name) === text)
    expect(same.map(([name]) => name)).toEqual(["toolCalling"])
  })
})
