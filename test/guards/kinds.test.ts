// Record kinds: each has a unique name, is described in docs/storage.md, and is in the list that tests iterate over.

import { allKinds } from "@holdpoint/testkit/records"
import { expect, it } from "vitest"
import { isUnder, read, sources } from "./sources.ts"

/** The names after `…: RecordKind<…> = {` in the sources of these folders. */
const namedIn = (...folders: readonly string[]): readonly string[] =>
  sources()
    .filter(({ path }) => isUnder(path, ...folders) && !path.includes("/testing/"))
    .flatMap(({ text }) => [...text.matchAll(/: RecordKind<\w+> = \{\s*name: "(\w+)"/g)].map(([, name = ""]) => name))

const named = namedIn("packages/*/src", "apps/*/src")

it("record kinds have unique names", () => {
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([])
})

it("all record kinds but those of agents are in the list that tests iterate over", () => {
  const ofAgents = namedIn("packages/agents/src", "packages/*/src/agents")
  const ofLibrary = namedIn("packages/*/src").filter((name) => !ofAgents.includes(name))
  expect(allKinds.map(({ name }) => name).toSorted()).toEqual(ofLibrary.toSorted())
})

it("record kinds are described in both tables of docs/storage.md", () => {
  const { text } = read("docs/storage.md")
  const documented = named.filter((name) => text.split(`\n| \`${name}\` `).length === 3)
  expect(documented).toEqual(named)
})
