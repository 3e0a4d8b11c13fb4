// Columns and cells: values are checked before they are sent, because the server answers invalid ones with 500 or
// stores something else.

import type { Fields } from "../../api/read.ts"

export interface Option {
  readonly id: number
  readonly label: string
}

export interface Column {
  readonly id: number
  readonly title: string
  /** The type: text, number, selection, datetime, usergroup. */
  readonly type: string
  /** The subtype: line, rich, link, date, time, check, multi, stars, progress … */
  readonly subtype?: string
  readonly mandatory: boolean
  readonly description?: string
  readonly options?: readonly Option[]
  readonly least?: number
  readonly most?: number
  readonly maxLength?: number
  readonly hasDefault: boolean
}

export function toColumn(fields: Fields): Column {
  const type = fields.text("type")
  const options = fields
    .objects("selectionOptions")
    .map((option) => ({ id: option.number("id"), label: option.text("label") }))
  return {
    id: fields.number("id"),
    title: fields.text("title"),
    type,
    mandatory: fields.maybeFlag("mandatory") ?? false,
    hasDefault: isFilled(fields.raw[`${type}Default`]),
    ...withoutUndefined({
      subtype: fields.maybeText("subtype"),
      description: fields.maybeText("description"),
      options: options.length === 0 ? undefined : options,
      least: fields.maybeNumber("numberMin"),
      most: fields.maybeNumber("numberMax"),
      maxLength: fields.maybeNumber("textMaxLength"),
    }),
  }
}

const isFilled = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)

/** The value as the server expects it, or what is wrong with it. */
export type Cell = { readonly value: unknown } | { readonly wrong: string }

export function toCell(column: Column, value: unknown): Cell {
  if (value === null || value === "") return column.mandatory ? { wrong: "must not be empty" } : { value }
  const check = checks[`${column.type}-${column.subtype}`] ?? checks[column.type]
  return check === undefined ? { value } : check(column, value)
}

type Check = (column: Column, value: unknown) => Cell

const checkText: Check = ({ maxLength }, value) => {
  if (typeof value !== "string" && typeof value !== "number") return { wrong: "must be a text" }
  const isLong = maxLength !== undefined && String(value).length > maxLength
  return isLong ? { wrong: `must not be longer than ${maxLength} characters` } : { value: String(value) }
}

const checkNumber: Check = ({ least, most }, value) => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  if (typeof number !== "number" || !Number.isFinite(number)) return { wrong: "must be a number" }
  if (least !== undefined && number < least) return { wrong: `must be at least ${least}` }
  if (most !== undefined && number > most) return { wrong: `must be at most ${most}` }
  return { value: number }
}

const checkFlag: Check = (_, value) => {
  const isFlag = typeof value === "boolean" || value === "true" || value === "false"
  return isFlag ? { value: String(value) } : { wrong: "must be true or false" }
}

const checkOption: Check = ({ options = [] }, value) => {
  const option = options.find(({ id, label }) => label === value || id === value)
  return option === undefined ? { wrong: `must be one of ${labels(options)}` } : { value: option.id }
}

const checkOptions: Check = (column, value) => {
  const all = Array.isArray(value) ? value : [value]
  const results = all.map((item) => checkOption(column, item))
  const failedResult = results.find((result) => "wrong" in result)
  return failedResult ?? { value: results.map((result) => ("value" in result ? result.value : undefined)) }
}

/** Returns a check for an integer from 0 to a limit that Tables has but does not report with the column. */
const checkWhole =
  (maximum: number): Check =>
  (column, value) => {
    const cell = checkNumber({ ...column, least: 0, most: maximum }, value)
    return "value" in cell && !Number.isInteger(cell.value) ? { wrong: "must be a whole number" } : cell
  }

/**
 * Returns a check for dates and times. The server stores “2026-11-15 09:30” and discards other forms, even with
 * seconds.
 */
const checkTime =
  (pattern: RegExp, description: string): Check =>
  (_, value) => {
    const match = typeof value === "string" ? pattern.exec(value.trim()) : null
    const { day, time } = match?.groups ?? {}
    const isValid = match !== null && isDay(day) && (time === undefined || /^([01]\d|2[0-3]):[0-5]\d$/.test(time))
    return isValid ? { value: [day, time].filter(Boolean).join(" ") } : { wrong: `must be like ${description}` }
  }

/** Whether the date exists: 30 February does not. */
function isDay(day: string | undefined): boolean {
  if (day === undefined) return true
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

/** Matches the addresses that the server stores completely when they are sent without a title. */
const keptAddress = /^https?:\/\/[a-zA-Z0-9.-]+\.[a-zA-Z]{2,3}(\/\S*)?$/

const checkLink: Check = (_, value) => {
  if (typeof value !== "string") return { wrong: "must be an address such as https://example.com" }
  // Sent unchanged: JSON as the server returns it, “Title (https://example.com)”, and addresses that it stores
  // completely.
  if (value.startsWith("{") || /.+ \(https?:.*\)$/.test(value) || keptAddress.test(value)) return { value }
  if (!/^https?:\/\/\S+$/.test(value)) return { wrong: "must be an address such as https://example.com" }
  return { value: JSON.stringify({ title: value, value }) }
}

/** Checks people, groups and teams. A text is the id of a user. */
const checkPeople: Check = (_, value) => {
  const all = (Array.isArray(value) ? value : [value]).map((item: unknown) =>
    typeof item === "string" ? { id: item, type: 0 } : item,
  )
  return all.every(isPerson)
    ? { value: all }
    : { wrong: "must be user ids, or objects like {id, type: 0}; type 1 is a group, 2 a team" }
}

function isPerson(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  const { id, type } = value as Readonly<Record<string, unknown>>
  return typeof id === "string" && id !== "" && (type === 0 || type === 1 || type === 2)
}

/** The checks by type and subtype, else by type alone. The values of other types are sent unchecked. */
const checks: Readonly<Record<string, Check>> = {
  text: checkText,
  "text-link": checkLink,
  number: checkNumber,
  "number-stars": checkWhole(5),
  "number-progress": checkWhole(100),
  selection: checkOption,
  "selection-multi": checkOptions,
  "selection-check": checkFlag,
  datetime: checkTime(
    /^(?<day>\d{4}-\d\d-\d\d)[ T](?<time>\d\d:\d\d)(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/,
    "2026-11-15 09:30",
  ),
  "datetime-date": checkTime(/^(?<day>\d{4}-\d\d-\d\d)$/, "2026-11-15"),
  "datetime-time": checkTime(/^(?<time>\d\d:\d\d)(:\d\d)?$/, "09:30"),
  usergroup: checkPeople,
}

const labels = (options: readonly Option[]): string => options.map(({ label }) => `“${label}”`).join(", ")

/** Converts a stored cell for output: labels instead of ids, true instead of "true". */
export function fromCell({ type, subtype, options = [] }: Column, value: unknown): unknown {
  if (type !== "selection") return value
  if (subtype === "check") return value === true || value === "true" || value === 1
  const toLabel = (id: unknown): unknown => options.find((option) => option.id === Number(id))?.label ?? id
  return Array.isArray(value) ? value.map(toLabel) : toLabel(value)
}

function withoutUndefined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
