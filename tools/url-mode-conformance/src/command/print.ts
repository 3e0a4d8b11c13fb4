// Prints the results: one line each, and for a failure what was expected, what came, and the section of the specification.

import type { UrlModeReport, UrlModeResult } from "../run.ts"
import type { Output, Styled } from "./call.ts"

const styled =
  (style: Styled["style"]) =>
  (text: string): Styled => ({ text, style })
export const bold = styled("bold")
export const dim = styled("dim")
const green = styled("green")
const yellow = styled("yellow")
const red = styled("red")

const outcomeSigns: Readonly<Record<UrlModeResult["outcome"], Styled>> = {
  passed: green("✔"),
  failed: red("✘"),
  blocked: red("!"),
  skipped: yellow("–"),
}

export function printResult(out: Output, result: UrlModeResult): void {
  const { outcome, id, title } = result
  out.say("  ", outcomeSigns[outcome], " ", outcome === "failed" ? bold(id) : id, "  ", dim(title))
  if (outcome === "skipped") out.say("      ", dim(`skipped: ${result.why}`))
  if (outcome === "blocked") out.say("      could not run: ", result.why ?? "")
  if (outcome !== "failed") return
  out.say("      expected  ", result.expected ?? "")
  out.say("      received  ", result.came ?? "")
  out.say("      ", result.level === "must" ? "MUST  " : "SHOULD", "    ", dim(result.spec))
}

export function printSummary(out: Output, report: UrlModeReport): void {
  const { results, unspoken, passed, failed, blocked, skipped } = report
  const parts = [`${passed} passed`, `${failed} failed`, `${skipped} skipped`]
  if (blocked > 0) parts.splice(2, 0, `${blocked} could not run`)
  out.say("")
  out.say(failed + blocked > 0 ? red(parts.join(", ")) : green(parts.join(", ")))
  for (const advice of new Set(results.flatMap((result) => result.next ?? []))) out.say(advice)
  if (passed + failed + blocked > 0) return
  const isUnspoken = results.length === 0 && unspoken.length > 0
  const reason = isUnspoken ? "the server speaks none of these revisions" : "no check applies"
  out.say(`Nothing could be checked: ${reason}.`)
}
