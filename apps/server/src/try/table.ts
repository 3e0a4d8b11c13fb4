// Formats the rows of a result as lines for a terminal.

type Row = Readonly<Record<string, unknown>>

const mostColumns = 4
const mostRows = 12
const widest = 32

export function toTable(rows: readonly Row[]): readonly string[] {
  const columns = [...new Set(rows.flatMap(Object.keys))]
    .filter((name) => rows.every((row) => typeof row[name] !== "object") && name !== "url" && name !== "favorite")
    .slice(0, mostColumns)
  const cells = rows.slice(0, mostRows).map((row) => columns.map((name) => toWords(row[name])))
  const widths = columns.map((name, index) => Math.max(widthOf(name), ...cells.map((row) => widthOf(row[index] ?? ""))))
  const line = (words: readonly string[]): string =>
    words
      .map((word, index) => word + " ".repeat(Math.max(0, (widths[index] ?? 0) - widthOf(word))))
      .join("  ")
      .trimEnd()
  const omitted = rows.length - cells.length
  return [line(columns), ...cells.map(line), ...(omitted > 0 ? [`… and ${omitted} more`] : [])]
}

function toWords(value: unknown): string {
  const text = value === undefined || value === "" ? "–" : String(value)
  const words = text.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*$/, "$1 $2").replaceAll(/\s+/g, " ")
  return words.length > widest ? `${words.slice(0, widest - 1)}…` : words
}

/** East Asian characters and pictographs are two columns wide. */
function widthOf(text: string): number {
  return [...text].reduce(
    (sum, letter) =>
      sum +
      (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u.test(letter)
        ? 2
        : 1),
    0,
  )
}
