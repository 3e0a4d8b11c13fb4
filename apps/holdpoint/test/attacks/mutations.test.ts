// The table of mutations is valid: each text to replace occurs exactly once, and each named test exists.

import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { mutations } from "./mutations.ts"
import { isRunBy } from "./suites.ts"

const root = new URL("../../../../", import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), "utf8")
const sources = globSync("{packages/*/{src,test},test/across}/**/*.ts", { cwd: fileURLToPath(root) })

/** The titles in the test file itself and in the suites that it runs. */
const casesOf = (test: string): readonly string[] => [test, ...sources.filter((file) => isRunBy(file, test))].map(read)

describe("every mutation", () => {
  it("changes a text that occurs exactly once in its file", () => {
    const wrong = mutations.filter(({ file, find }) => read(file).split(find).length !== 2)
    expect(wrong.map(({ check, file }) => `${check}: ${file}`)).toEqual([])
  })

  it("names a test that exists", () => {
    const wrong = mutations.filter(({ test, title }) => !casesOf(test).some((text) => isIn(text, title)))
    expect(wrong.map(({ check, test, title }) => `${check}: ${test}: ${title}`)).toEqual([])
  })

  it("removes a different check, and there are at least 30", () => {
    expect(new Set(mutations.map(({ check }) => check)).size).toBe(mutations.length)
    expect(mutations.length).toBeGreaterThanOrEqual(30)
  })
})

/** Whether the file has this title, literally or as a template with placeholders whose values occur in the file. */
function isIn(text: string, title: string): boolean {
  if (text.includes(title)) return true
  const templates = [...text.matchAll(/"((?:[^"\\\n]|\\.)*%s(?:[^"\\\n]|\\.)*)"/g)].map(([, template = ""]) => template)
  return templates.flatMap(toPatterns).some((pattern) => {
    const [, ...words] = pattern.exec(title) ?? []
    return words.length > 0 && words.every((word) => text.includes(`"${word}"`) || text.includes(`"${word} `))
  })
}

/** The patterns for the whole title, and for its beginning up to each placeholder. */
function toPatterns(template: string): readonly RegExp[] {
  const parts = template.split("%s").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  const beginnings = parts.slice(1).map((_part, at) => `${parts.slice(0, at + 1).join("(.+)")}(.+)`)
  return [parts.join("(.+)"), ...beginnings].map((pattern) => new RegExp(`^${pattern}$`))
}
