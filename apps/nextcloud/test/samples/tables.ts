// One call of each tool for tables, with the ids that were recorded.

import { tableTools } from "../../src/tools/tables/tables.ts"
import { callTool, toolOf } from "../fits.ts"
import type { Samples } from "./sample.ts"

export const tablesSamples: Samples = {
  nc_tables_list_tables: { arguments: () => ({}) },
  nc_tables_get_schema: { arguments: () => ({ table_id: 2 }) },
  nc_tables_read_table: { arguments: () => ({ table_id: 2, limit: 3 }) },
  nc_tables_create_table: { arguments: () => ({ title: "Tabelle 测试", emoji: "🦊" }) },
  nc_tables_create_column: { arguments: () => ({ table_id: 2, title: "Näme", type: "text", mandatory: true }) },
  nc_tables_insert_row: { arguments: () => ({ table_id: 2, values: { Näme: "via OCS" } }) },
  nc_tables_update_row: {
    async arguments({ alice }) {
      const read = toolOf(tableTools, "nc_tables_read_table")
      const { rows } = await callTool<{ rows: readonly { id: number; etag: string }[] }>(read, { table_id: 2 }, alice)
      return { row_id: 8, etag: rows.find(({ id }) => id === 8)?.etag, values: { Näme: "Geändert" } }
    },
    missing: { row_id: 99_999, etag: "x", values: { Näme: "x" } },
    conflict: () => ({ row_id: 8, etag: "stale", values: { Näme: "x" } }),
  },
  nc_tables_delete_row: { arguments: () => ({ row_id: 8 }), missing: { row_id: 99_999 } },
}
