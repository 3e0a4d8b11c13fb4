// Record kinds: each has a unique name, is described in docs/storage.md, and is in the list that tests iterate over.

import { expect, it } from "vitest"
import { allKinds } from "../records.ts"
import { isUnder, read, sources } from "./sources.ts"

/** The names after `…: RecordKind<…> = {` in the sources of these folders. */
const namedIn = (...folders: readonly string[]): readonly string[] =>
  sources()
    .filter(({ path }) => isUnder(path, ...folders) && !path.includes("/testing/"))
    .flatMap(({ text }) => [...text.matchAll(/: RecordKind<\w+> = \{\s*name: "(\w+)"/g)].map(([, name = ""]) => name))

const named = namedIn("packages/holdpoint/src", "apps/*/src")

it("have names of their own", () => {
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([])
})

it("are all gone through by the tests that concern every kind", () => {
  const ofLibrary = namedIn("packages/holdpoint/src")
  expect(allKinds.map(({ name }) => name).toSorted()).toEqual(ofLibrary.toSorted())
})

it("are described in docs/storage.md, with what is in clear and what is sealed", () => {
  const { text } = read("docs/storage.md")
  const documented = named.filter((name) => text.split(`\n| \`${name}\` `).length === 3)
  expect(documented).toEqual(named)
})
