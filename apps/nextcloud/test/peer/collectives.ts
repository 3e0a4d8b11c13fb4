// The peer server's Collectives tools, and what replaces each of them here.

export const collectivesPeer: Readonly<Record<string, string>> = {
  collectives_get_collectives: "nc_collectives_list_collectives",
  collectives_get_pages: "nc_collectives_list_pages",
  collectives_get_page: "nc_collectives_get_page",
  collectives_search_pages: "nc_collectives_search_pages",
  collectives_get_tags: "nc_collectives_list_tags",
  collectives_get_trashed_pages: "nc_collectives_list_pages with trashed",
  collectives_get_trashed_collectives: "nc_collectives_list_collectives with trashed",
  collectives_create_collective: "nc_collectives_create_collective",
  collectives_set_collective_emoji: "nc_collectives_set_emoji",
  collectives_trash_collective: "nc_collectives_delete_collective",
  collectives_delete_collective: "nc_collectives_delete_collective with forever",
  collectives_restore_collective: "nc_collectives_restore_item",
  collectives_create_page: "nc_collectives_create_page",
  collectives_move_page: "nc_collectives_move_page",
  collectives_trash_page: "nc_collectives_delete_page",
  collectives_restore_page: "nc_collectives_restore_item with page_id",
  collectives_set_page_emoji: "nc_collectives_set_emoji with page_id",
  collectives_create_tag: "nc_collectives_create_tag",
  collectives_assign_tag: "nc_collectives_set_page_tag",
  collectives_remove_tag: "nc_collectives_set_page_tag with assigned: false",
}
