// The API of the Tables app: columns with their rules, rows as the server stores them, and rows keyed by column titles.

import { createHash } from "node:crypto"
import type { Capabilities } from "../../api/capabilities.ts"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { NcAnswer, NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import type { Column } from "./cell.ts"
import { fromCell, toColumn } from "./cell.ts"

/** Sends a request. `path` is relative to the API: `/tables/5`. */
export async function tables(nextcloud: Nextcloud, request: NcRequest): Promise<NcAnswer> {
  try {
    return await nextcloud.send({ ...request, path: `/apps/tables/api/1${request.path}` })
  } catch (error) {
    throw isMissing(error) ? nextcloudError("not_found", { activity: request.activity, status: 404 }) : error
  }
}

/**
 * Whether an error means “not found”. Its message is a database query, and changes and deletions have the status 500.
 */
const isMissing = (error: unknown): boolean =>
  isNextcloudError(error) &&
  (error.kind === "not_found" || (error.status === 500 && error.message.includes("found none")))

export const hasTables = (capabilities: Capabilities): boolean => capabilities.has("tables")

/** The source of rows: a table, or a view of one. */
export type RowSource = { readonly kind: "tables" | "views"; readonly id: number }

export async function readColumns(
  nextcloud: Nextcloud,
  { kind, id }: RowSource,
  activity: string,
): Promise<readonly Column[]> {
  const answer = await tables(nextcloud, { path: `/${kind}/${id}/columns`, activity })
  const columns = objectsOf(answer.json(), activity).map(toColumn)
  // Columns with the same title are told apart by their ids.
  const isTwice = (title: string): boolean => columns.filter((column) => column.title === title).length > 1
  return columns.map((column) =>
    isTwice(column.title) ? { ...column, title: `${column.title} (${column.id})` } : column,
  )
}

export async function readRow(nextcloud: Nextcloud, id: number, activity: string): Promise<Fields> {
  return fieldsOf((await tables(nextcloud, { path: `/rows/${id}`, activity })).json(), activity)
}

export function toRow(fields: Fields, columns: readonly Column[]) {
  const cells = fields.objects("data").map((cell) => [cell.number("columnId"), cell.raw.value] as const)
  const values = cells.flatMap(([id, value]) => {
    const column = columns.find((candidate) => candidate.id === id)
    return column === undefined || value === null || value === undefined
      ? []
      : [[column.title, fromCell(column, value)]]
  })
  const editedAt = fields.maybeText("lastEditAt")
  return {
    id: fields.number("id"),
    values: Object.fromEntries(values) as Readonly<Record<string, unknown>>,
    ...(editedAt === undefined ? {} : { last_edit: editedAt }),
    etag: etagOf(fields),
  }
}

/** An etag made from the row's content, because the server has none. */
export function etagOf(fields: Fields): string {
  const cells = fields.objects("data").map((cell) => [cell.number("columnId"), toComparable(cell.raw.value)] as const)
  const sortedCells = cells.filter(([, value]) => value !== "" && value !== '""').sort(([a], [b]) => a - b)
  return createHash("sha256").update(JSON.stringify(sortedCells)).digest("hex").slice(0, 16)
}

/** The value in a comparable form: some requests return a number as text. */
const toComparable = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value ?? "") : String(value)

export const tableLink = (nextcloud: Nextcloud, { kind, id }: RowSource): string =>
  nextcloud.link(`/apps/tables/#/${kind === "tables" ? "table" : "view"}/${id}`)

export const rowLink = (nextcloud: Nextcloud, table: number, row: number): string =>
  `${tableLink(nextcloud, { kind: "tables", id: table })}/row/${row}`
