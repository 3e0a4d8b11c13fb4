// The API reference is generated from the sources, and explains every public name.

import { beforeAll, expect, it } from "vitest"
import { type Reference, toReference } from "../scripts/api-reference.ts"
import { filesUnder, read } from "./guards/sources.ts"

let reference: Reference

beforeAll(() => {
  reference = toReference()
})

it("the reference has an up-to-date page for every entry; npm run docs:api writes it", () => {
  const written = new Map(filesUnder("docs/api").map((path) => [path, read(path).text]))
  expect([...written.keys()]).toEqual([...reference.pages.keys()].sort())
  for (const [path, text] of reference.pages) expect(written.get(path), path).toBe(text)
})

it("explains every public name in a sentence: write a doc comment for those without one", () => {
  expect(reference.unexplained).toEqual([])
})
