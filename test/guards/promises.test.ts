// No promise without an owner: a rejection that nothing handles ends the process, with everything that it holds.

import { expect, it } from "vitest"
import { findOrphans, type Orphan } from "./promises/find.ts"

const isSource = /^(?:packages|apps)\/[^/]+\/src\//
/** What test runs use, and what runs in a browser. */
const isForTests = /^packages\/testing\/|\/src\/demo\/panel\//

const places = (orphans: readonly Orphan[]): readonly string[] =>
  orphans.map(({ path, line, code }) => `${path}:${line}: ${code}`)

it("every promise of the sources has an owner", { timeout: 120_000 }, () => {
  const samples = "test/guards/promises/samples.ts"
  const orphans = findOrphans((path) => path === samples || (isSource.test(path) && !isForTests.test(path)))
  expect(places(orphans.filter(({ path }) => path !== samples))).toEqual([])
  expect(orphans.filter(({ path }) => path === samples).map(({ code }) => code)).toEqual([
    'work("floats")',
    'work("is voided")',
    'work("has only then").then(report)',
    'work("fails after its catch").catch(report).then(report)',
    'work("is awaited late")',
    'work("is awaited on one path")',
    'isCertain ? work("is started on one path") : undefined',
  ])
})
