// Forms that programs send again are one object, so that the hub judges them once.

import { expect, it } from "vitest"
import { createSameForm } from "../../src/api/forms.ts"

const formOf = (title: string) => ({ type: "object", properties: { ok: { type: "boolean", title } }, required: ["ok"] })

it("forms with the same JSON are one frozen object, others are not", () => {
  const sameForm = createSameForm()
  const first = sameForm(formOf("Yes"))
  expect(sameForm(formOf("Yes"))).toBe(first)
  expect(sameForm(formOf("No"))).toEqual(formOf("No"))
  expect(Object.isFrozen((first as ReturnType<typeof formOf>).properties.ok)).toBe(true)
})

it("forgets the oldest form, and does not remember large ones", () => {
  const sameForm = createSameForm()
  const first = sameForm(formOf("0"))
  for (let at = 1; at <= 500; at++) sameForm(formOf(String(at)))
  expect(sameForm(formOf("0"))).not.toBe(first)
  const large = sameForm(formOf("x".repeat(5_000)))
  expect(sameForm(formOf("x".repeat(5_000)))).not.toBe(large)
})
