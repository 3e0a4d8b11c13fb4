// Draws comments of the sources at random, to be read as a newcomer would. The same seed draws the same comments from
// the same sources. `npm run comments -- --seed 7 --count 20`

import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { endWrong, readCommandLine } from "@holdpoint/testkit/command-line"

const help = `npm run comments -- [flags]

Prints comments of the sources at random, each with the first line of code after it.

  --seed TEXT     the same seed draws the same comments (default 1)
  --count NUMBER  how many comments (default 20)
  --help          show this help
`

const { seed = "1", count = "20" } = readCommandLine(help, {
  flags: { seed: { type: "string" }, count: { type: "string" } },
}).flags
if (!/^\d+$/.test(count)) endWrong(`--count must be a whole number, not “${count}”.`, help)
print(draw(seed, Number(count)))

interface Comment {
  readonly at: string
  readonly text: string
  readonly code: string
}

function draw(seed: string, count: number): readonly Comment[] {
  const rank = ({ at, text }: Comment): string => createHash("sha256").update(`${seed}\n${at}\n${text}`).digest("hex")
  return globSync("{apps,packages}/*/src/**/*.ts", { cwd: new URL("..", import.meta.url) })
    .flatMap(commentsIn)
    .map((comment) => ({ comment, rank: rank(comment) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ comment }) => comment)
}

/** Runs of `//` lines and doc comments that begin a line, each with the first line of code after it. */
function commentsIn(file: string): readonly Comment[] {
  const source = readFileSync(new URL(`../${file}`, import.meta.url), "utf8")
  const comment = /^[ \t]*(\/\*\*[\s\S]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*)\n+(.*)/gm
  return [...source.matchAll(comment)].map(([whole, text = "", code = ""]) => ({
    at: `${file}:${source.slice(0, source.indexOf(whole)).split("\n").length}`,
    text: text
      .replace(/^[ \t]*(?:\/\/|\/\*\*|\*\/|\*)[ \t]?/gm, "")
      .replace(/\s*\*\/$/, "")
      .replace(/\s+/g, " ")
      .trim(),
    code: code.trim(),
  }))
}

function print(comments: readonly Comment[]): void {
  for (const [index, { at, text, code }] of comments.entries())
    console.log(`${index + 1}. ${at}\n   ${text}\n   > ${code}\n`)
}
