// The peer server's Tables tools, and what replaces each of them here.

export const tablesPeer: Readonly<Record<string, string>> = {
  nc_tables_list_tables: "nc_tables_list_tables",
  nc_tables_get_schema: "nc_tables_get_schema",
  nc_tables_read_table: "nc_tables_read_table (cursor in place of offset; the keys of a row are column titles)",
  nc_tables_insert_row: "nc_tables_insert_row (values by column title in place of data by column id)",
  nc_tables_update_row: "nc_tables_update_row (values by column title in place of data by column id; etag is required)",
  nc_tables_delete_row: "nc_tables_delete_row",
}
