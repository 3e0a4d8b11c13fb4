// Tools that create tables and columns.

import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { fieldsOf } from "../../api/read.ts"
import type { Of } from "../../schema.ts"
import { flag, integer, list, number, object, oneOf, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { tableLink, tables } from "./api.ts"

/** The type and subtype of each kind of column in Tables. */
const types = {
  text: ["text", "line"],
  long_text: ["text", "rich"],
  link: ["text", "link"],
  number: ["number", ""],
  stars: ["number", "stars"],
  progress: ["number", "progress"],
  selection: ["selection", ""],
  multi_selection: ["selection", "multi"],
  yes_no: ["selection", "check"],
  date: ["datetime", "date"],
  time: ["datetime", "time"],
  date_time: ["datetime", ""],
} as const

const typeNames = Object.keys(types) as readonly (keyof typeof types)[]

const columnFields = {
  title: text(undefined, { least: 1, most: 200 }),
  type: oneOf(typeNames),
  options: optional(list(text(), "Labels of a selection")),
  mandatory: optional(flag()),
  description: optional(text()),
  min: optional(number("Numbers")),
  max: optional(number("Numbers")),
  decimals: optional(integer("Numbers", { least: 0, most: 10 })),
  unit: optional(text("After a number")),
}

const column = object(columnFields)

type NewColumn = Of<typeof column>

const createTable = defineTool({
  name: "nc_tables_create_table",
  title: "Create a table",
  description: "Creates a table, optionally with columns.",
  scopes: ["tables.write"],
  effect: "add",
  input: object({
    title: text(undefined, { least: 1, most: 200 }),
    emoji: optional(text()),
    columns: optional(list(column, undefined, 50)),
  }),
  output: object({
    id: integer(),
    title: text(),
    columns: list(object({ id: integer(), title: text() })),
    url: text(),
  }),
  requestsNote: "One more for each column.",
  async run({ title, emoji = "", columns = [] }, nextcloud) {
    const activity = `creating the table “${title}”`
    for (const newColumn of columns) assertFits(newColumn, activity)
    const json = { title, emoji, template: "" }
    const createdTable = fieldsOf(
      (await tables(nextcloud, { method: "POST", path: "/tables", json, activity })).json(),
      activity,
    )
    const id = createdTable.number("id")
    return {
      id,
      title,
      columns: await addAll(nextcloud, id, columns),
      url: tableLink(nextcloud, { kind: "tables", id }),
    }
  },
})

async function addAll(nextcloud: Nextcloud, table: number, columns: readonly NewColumn[]) {
  const added: { id: number; title: string }[] = []
  for (const column of columns) {
    try {
      added.push(await addColumn(nextcloud, table, column))
    } catch (error) {
      if (!isNextcloudError(error)) throw error
      const advice = `The table ${table} was created, with ${added.length} of ${columns.length} columns. Add the others with nc_tables_create_column.`
      throw nextcloudError(error.kind, {
        status: error.status,
        detail: error.detail,
        activity: toActivity(column),
        advice,
      })
    }
  }
  return added
}

const createColumn = defineTool({
  name: "nc_tables_create_column",
  title: "Add a column to a table",
  description: "Adds a column, which is empty in existing rows.",
  scopes: ["tables.write"],
  effect: "add",
  input: object({ table_id: integer(), ...columnFields }),
  output: object({ id: integer(), title: text(), url: text() }),
  async run({ table_id, ...newColumn }, nextcloud) {
    assertFits(newColumn, toActivity(newColumn))
    const createdColumn = await addColumn(nextcloud, table_id, newColumn)
    return { ...createdColumn, url: tableLink(nextcloud, { kind: "tables", id: table_id }) }
  },
})

const toActivity = ({ title }: Pick<NewColumn, "title">): string => `adding the column “${title}”`

/** Refuses options that the type does not have: the server would silently drop them. */
function assertFits({ title, type, options, min, max, decimals, unit }: NewColumn, activity: string): void {
  const isSelection = type === "selection" || type === "multi_selection"
  const hasNumbers = [min, max, decimals, unit].some((value) => value !== undefined)
  if (isSelection === (options !== undefined && options.length > 0) && !(hasNumbers && type !== "number")) return
  const because = isSelection
    ? `the selection column “${title}” needs \`options\``
    : `“${title}” is a column of the type ${type}, which takes no ${hasNumbers ? "limits or unit of numbers" : "options"}`
  throw nextcloudError("invalid", { activity, because })
}

async function addColumn(nextcloud: Nextcloud, table: number, newColumn: NewColumn) {
  const [type, subtype] = types[newColumn.type]
  const { title, mandatory = false, description = "", options, min, max, decimals, unit } = newColumn
  const labels = options?.map((label, id) => ({ id, label }))
  const json = {
    ...{ type, subtype, title, mandatory, description, selectedViewIds: [] },
    ...(labels === undefined ? {} : { selectionOptions: JSON.stringify(labels) }),
    ...(type === "number" ? { numberMin: min, numberMax: max, numberDecimals: decimals, numberSuffix: unit } : {}),
  }
  const activity = toActivity(newColumn)
  const answer = await tables(nextcloud, { method: "POST", path: `/tables/${table}/columns`, json, activity })
  const createdColumn = fieldsOf(answer.json(), activity)
  return { id: createdColumn.number("id"), title: createdColumn.text("title") }
}

export const makingTools = [createTable, createColumn]
