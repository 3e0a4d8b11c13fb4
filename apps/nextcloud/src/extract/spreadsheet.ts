// Reads the sheets of an Excel workbook: one line per row, cells separated by tabs, formulas as their results, dates as
// dates.

import type { Unzipped } from "fflate"
import type { DocumentPart } from "./extracted.ts"
import { tidyText, walkXml } from "./walk-xml.ts"

interface Workbook {
  readonly strings: readonly string[]
  /** By the index of a style: whether its cells are dates or times. */
  readonly isDateByStyle: readonly boolean[]
  readonly is1904: boolean
}

export function readSpreadsheet(files: Unzipped): readonly DocumentPart[] {
  const { sheets, is1904 } = sheetsOf(files)
  const workbook: Workbook = {
    strings: stringsOf(files["xl/sharedStrings.xml"]),
    isDateByStyle: datesOf(files["xl/styles.xml"]),
    is1904,
  }
  return sheets.map(({ name, path }) => ({ name, text: tidyText(rowsOf(files[path], workbook)) }))
}

function sheetsOf(files: Unzipped) {
  const targets = new Map<string, string>()
  walkXml(files["xl/_rels/workbook.xml.rels"], {
    open(_name, { Id, Target }) {
      if (Id !== undefined && Target !== undefined) targets.set(Id, Target.replace(/^\/xl\//, ""))
    },
  })
  const sheets: { readonly name: string; readonly path: string }[] = []
  let is1904 = false
  walkXml(files["xl/workbook.xml"], {
    open(name, attributes) {
      if (name === "workbookPr") is1904 = ["1", "true"].includes(attributes.date1904 ?? "")
      if (name !== "sheet") return
      sheets.push({ name: attributes.name ?? "", path: `xl/${targets.get(attributes.id ?? "") ?? ""}` })
    },
  })
  return { sheets, is1904 }
}

function stringsOf(bytes: Uint8Array | undefined): readonly string[] {
  const strings: string[] = []
  let isText = false
  let phoneticDepth = 0
  walkXml(bytes, {
    open(name) {
      if (name === "si") strings.push("")
      // `rPh` contains the phonetic reading of a word, which also has a `t` element: it is left out.
      if (name === "rPh") phoneticDepth += 1
      isText = name === "t" && phoneticDepth === 0
    },
    text(chunk) {
      if (isText) strings[strings.length - 1] += chunk
    },
    close(name) {
      isText = false
      if (name === "rPh") phoneticDepth -= 1
    },
  })
  return strings
}

/** The ids of Excel's built-in formats for dates and times. */
const builtInDateFormats = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47])

function datesOf(bytes: Uint8Array | undefined): readonly boolean[] {
  const ownFormats = new Map<number, boolean>()
  const dates: boolean[] = []
  let isInCellXfs = false
  walkXml(bytes, {
    open(name, { numFmtId, formatCode = "" }) {
      const id = Number(numFmtId)
      // A format is a date if it contains a letter for day, month, year or time. Quoted texts, escaped characters, and
      // colours and locales in brackets do not count.
      if (name === "numFmt") ownFormats.set(id, /[dmyhs]/i.test(formatCode.replace(/"[^"]*"|\[[^\]]*\]|\\./g, "")))
      if (name === "cellXfs") isInCellXfs = true
      if (name === "xf" && isInCellXfs) dates.push(ownFormats.get(id) ?? builtInDateFormats.has(id))
    },
    close(name) {
      if (name === "cellXfs") isInCellXfs = false
    },
  })
  return dates
}

interface Cell {
  readonly column: number
  readonly type: string
  readonly style: number
  value: string
}

function rowsOf(bytes: Uint8Array | undefined, workbook: Workbook): string {
  const lines: string[] = []
  let row: string[] = []
  let cell: Cell | undefined
  let isValue = false
  walkXml(bytes, {
    open(name, { r = "", t = "n", s }) {
      if (name === "row") row = []
      if (name === "c") cell = { column: columnOf(r) ?? row.length, type: t, style: Number(s ?? 0), value: "" }
      isValue = name === "v" || name === "t"
    },
    text(chunk) {
      if (isValue && cell !== undefined) cell.value += chunk
    },
    close(name) {
      isValue = false
      if (name === "row") lines.push(Array.from(row, (value) => value ?? "").join("\t"))
      if (name !== "c" || cell === undefined) return
      row[cell.column] = cellText(cell, workbook).replace(/\s+/g, " ")
      cell = undefined
    },
  })
  return lines.join("\n")
}

/** The column number of a reference such as “BC12”. Undefined beyond the columns that Excel has. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0]
  if (letters === undefined) return undefined
  const number = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return number <= 16_384 ? number - 1 : undefined
}

function cellText({ type, style, value }: Cell, { strings, isDateByStyle, is1904 }: Workbook): string {
  if (type === "s") return strings[Number(value)] ?? ""
  if (type === "b") return value === "1" ? "TRUE" : "FALSE"
  if (type !== "n" || value === "" || isDateByStyle[style] !== true) return value
  const days = Number(value) + (is1904 ? 1_462 : 0)
  const date = new Date(Math.round((days - 25_569) * 86_400) * 1_000)
  if (Number.isNaN(date.getTime())) return value
  const iso = date.toISOString()
  const time = iso.slice(11, 19)
  if (days < 1) return time
  return time === "00:00:00" ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`
}
