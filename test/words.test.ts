// Everything that people read here follows the rules of plain English that a machine can check.

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { breachesIn } from "./words.ts"

/** The files that quote forbidden words. */
const quoting = new Set(["test/words.ts", "test/words.test.ts", "CONTRIBUTING.md"])

const root = new URL("..", import.meta.url)
const files = execFileSync("git", ["ls-files", "*.ts", "*.js", "*.md", "*.css"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && !quoting.has(file) && !file.includes("/recordings/"))

describe("Plain English", () => {
  it.each([
    ["Named by nobody, it is the one there is.", 1],
    ["“x” is no path of a file", 1],
    ["The link is no longer valid.", 0],
    ["// Of the claims of a token.", 1],
    ["// Who may call what is mounted here.", 0],
    ["There is no page here.", 0],
    ["It is closed. Who closes it gives back the result.", 1],
    ["const found = pattern.exec(text)", 1],
    ["interface Told {", 1],
    ["const match = pattern.exec(text)", 0],
    ["The loser of the race returns the winner's result.", 0],
  ])("is checked by the rules: %s", (line, breaches) => {
    expect(breachesIn(line)).toHaveLength(breaches)
  })

  it("is used in every source and document", () => {
    const breaches = files.flatMap((file) =>
      breachesIn(readFileSync(new URL(file, root), "utf8")).map((breach) => `${file}:${breach}`),
    )
    expect(breaches).toEqual([])
  })
})
