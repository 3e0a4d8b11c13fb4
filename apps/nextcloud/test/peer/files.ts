// The peer server's file tools, and what replaces each of them here.

export const filesPeer: Readonly<Record<string, string>> = {
  nc_webdav_list_directory: "nc_files_list_directory",
  nc_webdav_read_file: "nc_files_read_file (nc_files_read_document_text for the text of documents)",
  nc_webdav_write_file: "nc_files_write_file (if_match became `etag`; overwriting cannot be forced)",
  nc_webdav_create_directory: "nc_files_create_directory",
  nc_webdav_delete_resource: "nc_files_delete_resource",
  nc_webdav_move_resource: "nc_files_move_resource (if_destination_match became `destination_etag`)",
  nc_webdav_copy_resource: "nc_files_copy_resource (if_destination_match became `destination_etag`)",
  nc_webdav_search_files: "nc_files_search_files (scope became `folder`, name_pattern `name`, mime_type `type`)",
  nc_webdav_find_by_name: "nc_files_search_files with `name`",
  nc_webdav_find_by_type: "nc_files_search_files with `type`",
  nc_webdav_list_favorites: "nc_files_search_files with `favorites`",
}
