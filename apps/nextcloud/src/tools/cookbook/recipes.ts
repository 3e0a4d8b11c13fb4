// Tools that list, search, read, create, change and delete recipes.

import { nextcloudError } from "../../api/error.ts"
import type { Fields } from "../../api/read.ts"
import { objectsOf } from "../../api/read.ts"
import { pageFields, paging, toPage } from "../../page.ts"
import { integer, list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { changeCookbook, cookbook, readRecipe, recipeLink } from "./api.ts"
import {
  etagOf,
  fullRecipe,
  shortRecipe,
  toFullRecipe,
  toKeywords,
  toRecipe,
  toShort,
  writableFields,
} from "./recipe.ts"

const listRecipes = defineTool({
  name: "nc_cookbook_list_recipes",
  title: "List or search recipes",
  description: "Recipes, all or by words, category or keywords, without their text.",
  scopes: ["cookbook.read"],
  effect: "read",
  input: object({
    query: optional(text("Words in name, keywords or category")),
    category: optional(text()),
    keywords: optional(list(text(), "All of these")),
    ...paging,
  }),
  output: object({ recipes: list(shortRecipe), ...pageFields }),
  async run({ query, category, keywords = [], ...page }, nextcloud) {
    const activity = "listing the recipes"
    // Slashes are removed, because web servers refuse them in a path segment even when they are encoded. A dot segment
    // would lead to another path, so a query of dots lists all recipes.
    const words = (query ?? "").replace(/[/\\]/g, " ").trim()
    const path = /^\.*$/.test(words) ? "/recipes" : `/search/${encodeURIComponent(words)}`
    const recipes = objectsOf((await cookbook(nextcloud, { path, activity })).json(), activity)
    const isMatching = (fields: Fields): boolean =>
      (category === undefined || isSame(fields.maybeText("category") ?? "", category)) &&
      keywords.every((word) => toKeywords(fields).some((keyword) => isSame(keyword, word)))
    const { items, facts } = toPage(recipes.filter(isMatching), page)
    return { recipes: items.map((fields) => toShort(nextcloud, fields)), ...facts }
  },
})

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const getRecipe = defineTool({
  name: "nc_cookbook_get_recipe",
  title: "Read a recipe",
  description: "One recipe with ingredients and steps, and the etag for changing it.",
  scopes: ["cookbook.read"],
  effect: "read",
  input: object({ recipe_id: integer() }),
  output: fullRecipe,
  run: async ({ recipe_id }, nextcloud) =>
    toFullRecipe(nextcloud, await readRecipe(nextcloud, recipe_id, `reading the recipe ${recipe_id}`)),
})

const createRecipe = defineTool({
  name: "nc_cookbook_create_recipe",
  title: "Write a recipe",
  description: "Creates a recipe. Fails if the name is taken.",
  scopes: ["cookbook.write"],
  effect: "add",
  input: object({ name: text(undefined, { least: 1 }), ...writableFields }),
  output: object({ id: integer(), name: text(), url: text() }),
  async run(fields, nextcloud) {
    const activity = `creating the recipe “${fields.name}”`
    const json = { "@context": "http://schema.org", "@type": "Recipe", ...toRecipe(fields) }
    const answer = await cookbook(nextcloud, { method: "POST", path: "/recipes", json, activity, accept: [409] })
    if (answer.status === 409) throw toNameTakenError(activity)
    const id = idIn(answer.json(), activity)
    return { id, name: fields.name, url: recipeLink(nextcloud, id) }
  },
})

export function toNameTakenError(activity: string): Error {
  const advice = "Choose another name, or change the existing recipe."
  return nextcloudError("conflict", {
    activity,
    status: 409,
    because: "there is already a recipe with this name",
    advice,
  })
}

function idIn(answer: unknown, activity: string): number {
  const id = Number(answer)
  if (Number.isInteger(id) && id > 0) return id
  throw nextcloudError("malformed", { activity, detail: "no recipe id" })
}

const updateRecipe = defineTool({
  name: "nc_cookbook_update_recipe",
  title: "Change a recipe",
  description: "Changes only the given fields. Fails with the current recipe if it has changed.",
  scopes: ["cookbook.write"],
  effect: "change",
  input: object({
    recipe_id: integer(),
    etag: text("As it was read"),
    name: optional(text(undefined, { least: 1 })),
    ...writableFields,
  }),
  output: object({ id: integer(), name: text(), url: text() }),
  requests: 2,
  async run({ recipe_id, etag, ...changes }, nextcloud) {
    const activity = `changing the recipe ${recipe_id}`
    const changed = toRecipe(changes)
    if (Object.keys(changed).length === 0)
      throw nextcloudError("invalid", { activity, because: "there is nothing to change" })
    const recipe = await readRecipe(nextcloud, recipe_id, activity)
    if (etagOf(recipe) !== etag)
      throw nextcloudError("conflict", { activity, current: toFullRecipe(nextcloud, recipe) })
    const { imageUrl: _, printImage: __, dateModified: ___, ...oldRecipe } = recipe.raw
    const json = { ...oldRecipe, ...changed, id: String(recipe_id) }
    const request = { method: "PUT", path: `/recipes/${recipe_id}`, json, activity, accept: [409] }
    const answer = await cookbook(nextcloud, request)
    if (answer.status === 409) throw toNameTakenError(activity)
    const id = idIn(answer.json(), activity)
    return { id, name: changes.name ?? recipe.text("name"), url: recipeLink(nextcloud, id) }
  },
})

const deleteRecipe = defineTool({
  name: "nc_cookbook_delete_recipe",
  title: "Delete a recipe",
  description: "Moves a recipe with its pictures to the trash of Files.",
  scopes: ["cookbook.write"],
  effect: "remove",
  input: object({ recipe_id: integer() }),
  output: object({ deleted: text("Its name") }),
  requests: 2,
  confirm: {
    policy: "once",
    verb: "Delete",
    async readLoss({ recipe_id }, nextcloud) {
      const recipe = await readRecipe(nextcloud, recipe_id, `reading the recipe ${recipe_id}`)
      const { name, ingredients, instructions, etag } = toFullRecipe(nextcloud, recipe)
      const details = [
        `${ingredients.length} ingredients, ${instructions.length} steps.`,
        "It goes to the trash of Files.",
      ]
      return { what: `the recipe “${name}”`, details, guard: etag }
    },
  },
  async run({ recipe_id }, nextcloud, { loss }) {
    // The server does not report a missing recipe on DELETE, so the recipe is read first.
    const activity = `deleting the recipe ${recipe_id}`
    const recipe = await readRecipe(nextcloud, recipe_id, activity)
    if (loss?.guard !== undefined && loss.guard !== etagOf(recipe))
      throw nextcloudError("conflict", { activity, current: toFullRecipe(nextcloud, recipe) })
    await changeCookbook(nextcloud, { method: "DELETE", path: `/recipes/${recipe_id}`, activity })
    return { deleted: recipe.text("name") }
  },
})

export const recipeTools = [listRecipes, getRecipe, createRecipe, updateRecipe, deleteRecipe]
