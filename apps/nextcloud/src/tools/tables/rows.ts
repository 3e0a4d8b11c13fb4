// Tools that insert, change and delete rows. Values are keyed by column titles and checked before they are sent.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"
import { toExcerpt } from "../../page.ts"
import { anyValue, integer, object, record, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { etagOf, readColumns, readRow, rowLink, tables, toRow } from "./api.ts"
import type { Column } from "./cell.ts"
import { toCell } from "./cell.ts"

type Values = Readonly<Record<string, unknown>>

const values = record(anyValue(), "By column title")

const oneRow = object({ id: integer(), values: record(anyValue()), etag: text(), url: text() })

function toFullRow(nextcloud: Nextcloud, fields: Fields, columns: readonly Column[]) {
  const { id, values, etag } = toRow(fields, columns)
  return { id, values, etag, url: rowLink(nextcloud, fields.number("tableId"), id) }
}

/** The values keyed by column ids, as the server expects them. Reports all mistakes at once. */
export function toData(columns: readonly Column[], values: Values, activity: string): Values {
  const problems: string[] = []
  const data = Object.entries(values).flatMap(([title, value]) => {
    const column = columns.find((tableColumn) => tableColumn.title === title)
    if (column === undefined) {
      problems.push(`there is no column “${title}”`)
      return []
    }
    const cell = toCell(column, value)
    if ("value" in cell) return [[String(column.id), cell.value] as const]
    problems.push(`“${title}” ${cell.wrong}`)
    return []
  })
  if (problems.length === 0) return Object.fromEntries(data)
  throw refusal(columns, problems, activity)
}

function refusal(columns: readonly Column[], problems: readonly string[], activity: string): Error {
  const titles = columns.map(({ title }) => `“${title}”`).join(", ")
  const advice = `Nothing was sent to Nextcloud. The columns are ${titles}; nc_tables_get_schema says which values they accept.`
  return nextcloudError("invalid", { activity, because: problems.join("; "), advice })
}

const insertRow = defineTool({
  name: "nc_tables_insert_row",
  title: "Add a row to a table",
  description: "Adds a row. Selections by label, dates as 2026-11-15.",
  scopes: ["tables.write"],
  effect: "add",
  input: object({ table_id: integer(), values }),
  output: oneRow,
  requests: 2,
  async run({ table_id, values }, nextcloud) {
    const activity = `adding a row to the table ${table_id}`
    const columns = await readColumns(nextcloud, { kind: "tables", id: table_id }, activity)
    const data = toData(columns, values, activity)
    const missingColumns = columns.filter(
      (column) => column.mandatory && !column.hasDefault && data[String(column.id)] === undefined,
    )
    if (missingColumns.length > 0)
      throw refusal(
        columns,
        missingColumns.map(({ title }) => `“${title}” must be given`),
        activity,
      )
    const request = { method: "POST", path: `/apps/tables/api/2/tables/${table_id}/rows`, json: { data }, activity }
    return toFullRow(nextcloud, fieldsOf((await ocs(nextcloud, request)).data, activity), columns)
  },
})

const updateRow = defineTool({
  name: "nc_tables_update_row",
  title: "Change a row of a table",
  description: "Changes only the given cells. Fails with the current row if it has changed.",
  scopes: ["tables.write"],
  effect: "change",
  input: object({ row_id: integer(), etag: text("As it was read"), values }),
  output: oneRow,
  requests: 3,
  async run({ row_id, etag, values }, nextcloud) {
    const activity = `changing the row ${row_id}`
    const row = await readRow(nextcloud, row_id, activity)
    const columns = await readColumns(nextcloud, { kind: "tables", id: row.number("tableId") }, activity)
    // The server has no conditional requests: the current row is compared with what the caller saw.
    if (etagOf(row) !== etag)
      throw nextcloudError("conflict", { activity, current: toFullRow(nextcloud, row, columns) })
    const data = toData(columns, values, activity)
    if (Object.keys(data).length === 0) throw refusal(columns, ["there is nothing to change"], activity)
    const request = { method: "PUT", path: `/rows/${row_id}`, json: { data }, activity }
    return toFullRow(nextcloud, fieldsOf((await tables(nextcloud, request)).json(), activity), columns)
  },
})

const deleteRow = defineTool({
  name: "nc_tables_delete_row",
  title: "Delete a row of a table",
  description: "Deletes a row for good.",
  scopes: ["tables.write"],
  effect: "remove",
  input: object({ row_id: integer() }),
  output: object({ deleted: integer("Its id") }),
  requests: 2,
  confirm: {
    requests: 2,
    verb: "Delete",
    async readLoss({ row_id }, nextcloud) {
      const activity = `reading the row ${row_id}`
      const fields = await readRow(nextcloud, row_id, activity)
      const columns = await readColumns(nextcloud, { kind: "tables", id: fields.number("tableId") }, activity)
      const { values, etag } = toRow(fields, columns)
      const cells = Object.entries(values).map(([title, value]) => `${title}: ${toExcerpt(toWords(value), 80)}`)
      const [firstValue = "no values"] = Object.values(values).map((value) => toExcerpt(toWords(value), 60))
      return { what: `the row “${firstValue}”`, details: [...cells.slice(0, 10), "It cannot be undone."], guard: etag }
    },
  },
  async run({ row_id }, nextcloud, { loss }) {
    const activity = `deleting the row ${row_id}`
    const row = await readRow(nextcloud, row_id, activity)
    if (loss?.guard !== undefined && loss.guard !== etagOf(row)) {
      const columns = await readColumns(nextcloud, { kind: "tables", id: row.number("tableId") }, activity)
      throw nextcloudError("conflict", { activity, current: toFullRow(nextcloud, row, columns) })
    }
    const answer = await tables(nextcloud, { method: "DELETE", path: `/rows/${row_id}`, activity })
    return { deleted: fieldsOf(answer.json(), activity).number("id") }
  },
})

const toWords = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

export const rowTools = [insertRow, updateRow, deleteRow]
