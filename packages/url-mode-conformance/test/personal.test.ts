// What is known of a person is told apart from letters that a random token spells by chance.

import { expect, it } from "vitest"
import { personalIn } from "../src/credentials.ts"

const target = { personal: ["ana", "ana@example.com"] }

it("finds what stands in every sample", () => {
  expect(personalIn([["/visit/1?for=ana"], ["/visit/2?for=ana"]], target)).toBe("ana")
})

it("lets a token pass that spells a short name once", () => {
  expect(personalIn([["kQanaZ"], ["x7_Pq1"]], target)).toBeUndefined()
})

it("finds nothing where nothing is known", () => {
  expect(personalIn([["ana"], ["ana"]], {})).toBeUndefined()
})
