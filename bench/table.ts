// Prints results as a table: the value, its baseline, its target, and whether the target is met.

import type { Result } from "./result.ts"
import { isMet, type Target, targetOf } from "./targets.ts"

const headings = ["measured", "value", "compared", "target", ""]
const isNumberColumn = (column: number): boolean => column === 1

export function toTable(results: readonly Result[]): string {
  const rows = [headings, ...results.map(toRow)]
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return isNumberColumn(column) ? cell.padStart(width) : cell.padEnd(width)
      })
      .join("  ")
      .trimEnd(),
  )
  return lines.toSpliced(1, 0, widths.map((width) => "-".repeat(width)).join("  ")).join("\n")
}

function toRow(result: Result): readonly string[] {
  const { name, value, unit, baseline, ratio } = result
  const target = targetOf(result)
  return [
    name,
    `${toWords(value)} ${unit}`,
    ratio === undefined ? (baseline ?? "") : `${toWords(ratio)} x ${baseline}`,
    target === undefined ? "" : targetWords(target, result),
    target === undefined ? "" : isMet(target, result) ? "met" : "NOT met",
  ]
}

function targetWords(target: Target, { unit, baseline }: Result): string {
  const [sign, limit] = target.atMost === undefined ? [">=", target.atLeast] : ["<=", target.atMost]
  return `${sign} ${toWords(limit ?? Number.NaN)} ${target.of === "value" ? unit : `x ${baseline?.split("/").at(-1)}`}`
}

/** Three significant digits. */
function toWords(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en")
  return String(Number(value.toPrecision(3)))
}
