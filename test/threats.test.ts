// The list of threats stays correct: every row names existing tests, one of which fails when a defence is removed, and
// every known threat has a row.

import { describe, expect, it } from "vitest"
import { mutations } from "../apps/holdpoint/test/attacks/mutations.ts"
import { isRunBy } from "../apps/holdpoint/test/attacks/suites.ts"
import { threats } from "../apps/holdpoint/test/attacks/threats.ts"
import { filesUnder, read } from "./guards/sources.ts"

const files = filesUnder(".")
const { text } = read("docs/threats.md")

/** The folders from which rows name tests, to keep paths short. */
const homes = ["", "apps/holdpoint/test/", "packages/testing/src/"]

const rows = text
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\|(?:\s*:?-+:?\s*\|)+$/.test(line))
  .map((line) => line.replace(/^\||\|$/g, "").split("|"))
  .filter((cells) => cells.at(-1)?.trim() !== "shown by")

describe("docs/threats.md", () => {
  it("has a threat, what stops it and a test in every row", () => {
    expect(rows.length).toBeGreaterThan(80)
    const unfinished = rows.filter(
      (cells) => cells.length !== 3 || cells.some((cell) => cell.trim() === "") || testsIn(cells).length === 0,
    )
    expect(unfinished).toEqual([])
  })

  it("names only tests that exist, by file and title", () => {
    const missing = rows.flatMap(testsIn).flatMap(({ path, title }) => {
      const file = findFile(path)
      if (file === undefined) return [`there is no ${path}`]
      return read(file).text.includes(title) ? [] : [`${file} has no test “${title}”`]
    })
    expect(missing, `\n${missing.join("\n")}\n`).toEqual([])
  })

  it("names in every row a test that notices when a defence is removed", () => {
    const isSeen = ({ path, title }: NamedTest): boolean =>
      mutations.some(
        (one) => isRunBy(findFile(path) ?? "", one.test) && (title.includes(one.title) || one.title.includes(title)),
      )
    const unseen = rows.filter((cells) => !testsIn(cells).some(isSeen)).map(([threat]) => threat?.trim())
    expect(unseen, "a mutation in apps/holdpoint/test/attacks shows that the test of a row can fail").toEqual([])
  })

  it("lists every known threat", () => {
    const untold = threats.filter(({ id }) => !text.includes(`\`${id}\``))
    expect(untold).toEqual([])
  })

  it("gives each threat a known id, once in all rows", () => {
    const known = new Set(threats.map(({ id }) => id))
    const ids = rows.flatMap(([threat = ""]) => [...threat.matchAll(/`([^`]+)`/g)].map(([, id = ""]) => id))
    expect(ids.filter((id) => !known.has(id))).toEqual([])
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(new Set(threats.map(({ id }) => id)).size).toBe(threats.length)
  })
})

interface NamedTest {
  readonly path: string
  readonly title: string
}

const findFile = (path: string): string | undefined =>
  homes.map((home) => `${home}${path}`).find((candidate) => files.includes(candidate))

function testsIn(cells: readonly string[]): readonly NamedTest[] {
  return [...(cells.at(-1) ?? "").matchAll(/`([^`]+\.ts)`: (“[^”]+”(?:, “[^”]+”)*)/g)].flatMap(
    ([, path = "", titles = ""]) => [...titles.matchAll(/“([^”]+)”/g)].map(([, title = ""]) => ({ path, title })),
  )
}
