// Tools that list tables, their columns, and their rows keyed by column titles.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { objectsOf } from "../../api/read.ts"
import { offsetIn, pageFields, paging, toCursor, toPage } from "../../page.ts"
import { anyValue, flag, integer, list, number, object, optional, record, text } from "../../schema.ts"
import { defineTool, withOfferTest } from "../../tool.ts"
import type { RowSource } from "./api.ts"
import { hasTables, readColumns, tableLink, tables, toRow } from "./api.ts"
import { makingTools } from "./creating.ts"
import { rowTools } from "./rows.ts"

const shortTable = object({
  id: integer(),
  title: text(),
  description: optional(text()),
  owner: text(),
  rows: integer(),
  columns: integer(),
  views: list(object({ id: integer(), title: text(), rows: optional(integer()) })),
  url: text(),
})

function toShort(nextcloud: Nextcloud, fields: Fields) {
  const description = fields.maybeText("description")
  const views = fields.objects("views").map((view) => {
    const rows = view.maybeNumber("rowsCount")
    return { id: view.number("id"), title: view.text("title"), ...(rows === undefined ? {} : { rows }) }
  })
  return {
    id: fields.number("id"),
    title: fields.text("title"),
    ...(description === undefined ? {} : { description }),
    owner: fields.maybeText("ownerDisplayName") ?? fields.text("ownership"),
    rows: fields.number("rowsCount"),
    columns: fields.number("columnsCount"),
    views,
    url: tableLink(nextcloud, { kind: "tables", id: fields.number("id") }),
  }
}

const listTables = defineTool({
  name: "nc_tables_list_tables",
  title: "List tables",
  description: "The user's tables and those shared with them, with their views.",
  scopes: ["tables.read"],
  effect: "read",
  input: object({ ...paging }),
  output: object({ tables: list(shortTable), ...pageFields }),
  async run(page, nextcloud) {
    const activity = "listing the tables"
    const entries = objectsOf((await ocs(nextcloud, { path: "/apps/tables/api/2/tables", activity })).data, activity)
    const { items, facts } = toPage(entries, page)
    return { tables: items.map((fields) => toShort(nextcloud, fields)), ...facts }
  },
})

const column = object({
  id: integer(),
  title: text(),
  type: text(),
  subtype: optional(text()),
  mandatory: flag(),
  description: optional(text()),
  options: optional(list(text())),
  min: optional(number()),
  max: optional(number()),
  max_length: optional(integer()),
})

const getSchema = defineTool({
  name: "nc_tables_get_schema",
  title: "Columns of a table",
  description: "The columns of a table: their titles, types, and which values they take.",
  scopes: ["tables.read"],
  effect: "read",
  input: object({ table_id: integer() }),
  output: object({ columns: list(column), url: text() }),
  async run({ table_id }, nextcloud) {
    const source: RowSource = { kind: "tables", id: table_id }
    const columns = await readColumns(nextcloud, source, `reading the columns of the table ${table_id}`)
    const toOutput = ({
      options,
      least,
      most,
      maxLength,
      hasDefault: _,
      ...otherFields
    }: (typeof columns)[number]) => ({
      ...otherFields,
      ...(options === undefined ? {} : { options: options.map(({ label }) => label) }),
      ...(least === undefined ? {} : { min: least }),
      ...(most === undefined ? {} : { max: most }),
      ...(maxLength === undefined ? {} : { max_length: maxLength }),
    })
    return { columns: columns.map(toOutput), url: tableLink(nextcloud, source) }
  },
})

const readTable = defineTool({
  name: "nc_tables_read_table",
  title: "Read rows of a table",
  description: "Rows of a table, or of a view with its filter and order, with column titles as keys.",
  scopes: ["tables.read"],
  effect: "read",
  input: object({ table_id: optional(integer()), view_id: optional(integer("Instead of table_id")), ...paging }),
  output: object({
    rows: list(object({ id: integer(), values: record(anyValue()), last_edit: optional(text()), etag: text() })),
    next_cursor: optional(text()),
    url: text(),
  }),
  requests: 2,
  notRecorded: "The columns of a view. The list of tables has the total number of rows.",
  async run({ table_id, view_id, limit = 50, cursor }, nextcloud) {
    const source = toRowSource(table_id, view_id)
    const activity = `reading the rows of the ${source.kind === "tables" ? "table" : "view"} ${source.id}`
    const offset = offsetIn(cursor)
    // One extra row shows whether there are more.
    const query = { limit: limit + 1, offset }
    const [columns, answer] = await Promise.all([
      readColumns(nextcloud, source, activity),
      tables(nextcloud, { path: `/${source.kind}/${source.id}/rows`, query, activity }),
    ])
    const rows = objectsOf(answer.json(), activity)
    return {
      rows: rows.slice(0, limit).map((fields) => toRow(fields, columns)),
      ...(rows.length > limit ? { next_cursor: toCursor(offset + limit) } : {}),
      url: tableLink(nextcloud, source),
    }
  },
})

function toRowSource(table: number | undefined, view: number | undefined): RowSource {
  if (table !== undefined && view !== undefined)
    throw nextcloudError("invalid", {
      activity: "reading rows",
      because: "only one of table_id and view_id can be given",
    })
  if (view !== undefined) return { kind: "views", id: view }
  if (table !== undefined) return { kind: "tables", id: table }
  const advice = "Give `table_id` or `view_id`; nc_tables_list_tables lists both."
  throw nextcloudError("invalid", { activity: "reading rows", because: "the table is missing", advice })
}

export const tableTools = withOfferTest(hasTables, [listTables, getSchema, readTable, ...makingTools, ...rowTools])
