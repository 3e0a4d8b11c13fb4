// Letters that a random token contains by chance do not count as personal data.

import { expect, it } from "vitest"
import { personalIn } from "../src/credentials.ts"

const target = { personal: ["ana", "ana@example.com"] }

it("finds personal data that occurs in every sample", () => {
  expect(personalIn([["/visit/1?for=ana"], ["/visit/2?for=ana"]], target)).toBe("ana")
})

it("passes a token that contains a short name once", () => {
  expect(personalIn([["kQanaZ"], ["x7_Pq1"]], target)).toBeUndefined()
})

it("finds nothing without personal data to look for", () => {
  expect(personalIn([["ana"], ["ana"]], {})).toBeUndefined()
})
