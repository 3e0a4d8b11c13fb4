// The peer server's recipe tools, and what replaces each of them here.

export const cookbookPeer: Readonly<Record<string, string>> = {
  nc_cookbook_import_recipe: "nc_cookbook_import_recipe",
  nc_cookbook_list_recipes: "nc_cookbook_list_recipes",
  nc_cookbook_get_recipe: "nc_cookbook_get_recipe",
  nc_cookbook_create_recipe: "nc_cookbook_create_recipe (servings, keywords as a list, source_url)",
  nc_cookbook_update_recipe: "nc_cookbook_update_recipe (etag is required; servings, keywords as a list, source_url)",
  nc_cookbook_delete_recipe: "nc_cookbook_delete_recipe",
  nc_cookbook_search_recipes: "nc_cookbook_list_recipes with query",
  nc_cookbook_list_categories: "nc_cookbook_list_categories",
  nc_cookbook_get_recipes_in_category: "nc_cookbook_list_recipes with category",
  nc_cookbook_list_keywords: "nc_cookbook_list_categories (keywords are in the same answer)",
  nc_cookbook_get_recipes_with_keywords: "nc_cookbook_list_recipes with keywords",
  nc_cookbook_set_config: "nc_cookbook_set_config",
  nc_cookbook_reindex: "nc_cookbook_reindex_recipes",
}
