// One call of each tool for recipes, with the ids that were recorded.

import { cookbookTools } from "../../src/tools/cookbook/cookbook.ts"
import { callTool, toolOf } from "../fits.ts"
import type { Samples } from "./sample.ts"

const missing = { recipe_id: 999_999 }

export const cookbookSamples: Samples = {
  nc_cookbook_list_recipes: { arguments: () => ({}) },
  nc_cookbook_get_recipe: { arguments: () => ({ recipe_id: 216 }), missing },
  nc_cookbook_create_recipe: {
    arguments: () => ({
      name: "Käsespätzle 🧀",
      description: "Lecker",
      servings: 4,
      prep_time: "PT20M",
      category: "Hauptgericht",
      keywords: ["käse", "schwäbisch"],
      ingredients: ["500 g Mehl", "5 Eier"],
      instructions: ["Teig rühren", "Schaben"],
    }),
  },
  nc_cookbook_update_recipe: {
    async arguments({ alice }) {
      const read = toolOf(cookbookTools, "nc_cookbook_get_recipe")
      const { etag } = await callTool<{ etag: string }>(read, { recipe_id: 216 }, alice)
      return { recipe_id: 216, etag, name: "Käsespätzle neu" }
    },
    missing: { ...missing, etag: "x", name: "x" },
    conflict: () => ({ recipe_id: 216, etag: "stale", name: "x" }),
  },
  nc_cookbook_delete_recipe: { arguments: () => ({ recipe_id: 216 }), missing },
  nc_cookbook_list_categories: { arguments: () => ({}) },
  nc_cookbook_import_recipe: {
    arguments: () => ({ url: "https://recipes.example/spaetzle" }),
    unrecorded: "Only refusals were recorded.",
  },
  nc_cookbook_get_config: { arguments: () => ({}) },
  nc_cookbook_set_config: { arguments: () => ({ update_interval: 10 }) },
  nc_cookbook_reindex_recipes: { arguments: () => ({}) },
}
