// The Cookbook tools: recipes, categories and keywords, import from the web, and the app's settings.

import { nextcloudError } from "../../api/error.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool, withOfferTest } from "../../tool.ts"
import { changeCookbook, cookbook, hasCookbook } from "./api.ts"
import { toFullRecipe } from "./recipe.ts"
import { recipeTools, toNameTakenError } from "./recipes.ts"

const countedNames = list(object({ name: text(), recipes: integer() }))

const listCategories = defineTool({
  name: "nc_cookbook_list_categories",
  title: "List categories and keywords",
  description: "The categories and keywords of all recipes, and how many recipes each has.",
  scopes: ["cookbook.read"],
  effect: "read",
  input: object({}),
  output: object({ categories: countedNames, without_category: integer(), keywords: countedNames }),
  requests: 2,
  async run(_, nextcloud) {
    const readCounts = async (path: string) => {
      const activity = `listing the ${path.slice(1)} of recipes`
      const entries = objectsOf((await cookbook(nextcloud, { path, activity })).json(), activity)
      return entries.map((fields) => ({ name: fields.text("name"), recipes: fields.number("recipe_count") }))
    }
    const [categories, keywords] = await Promise.all([readCounts("/categories"), readCounts("/keywords")])
    // “*” counts the recipes without a category.
    const uncategorized = categories.find(({ name }) => name === "*")?.recipes ?? 0
    return { categories: categories.filter(({ name }) => name !== "*"), without_category: uncategorized, keywords }
  },
})

const importRecipe = defineTool({
  name: "nc_cookbook_import_recipe",
  title: "Import a recipe from the web",
  description: "Nextcloud reads a web page and stores its recipe.",
  scopes: ["cookbook.write"],
  effect: "add",
  reach: { kinds: ["outside"], find: ({ url }) => [{ kind: "outside", to: url, object: url }] },
  input: object({ url: text(undefined, { pattern: "^https?://" }) }),
  output: object({ id: integer(), name: text(), url: text() }),
  source: "documented",
  notRecorded: "A successful response: the recipe.",
  confirm: {
    requests: 0,
    verb: "Import",
    keptText: "was not opened",
    readLoss: async ({ url }) => ({
      what: `the recipe at “${url}”`,
      details: ["Your Nextcloud opens this address: its server learns everything that the address says."],
    }),
  },
  async run({ url }, nextcloud) {
    const activity = `importing the recipe at ${url}`
    const answer = await cookbook(nextcloud, {
      method: "POST",
      path: "/import",
      json: { url },
      activity,
      accept: [409],
    })
    if (answer.status === 409) throw toNameTakenError(activity)
    const { id, name, url: link } = toFullRecipe(nextcloud, fieldsOf(answer.json(), activity))
    return { id, name, url: link }
  },
})

const config = object({ folder: text(), update_interval: integer("Minutes"), print_image: flag() })

const getConfig = defineTool({
  name: "nc_cookbook_get_config",
  title: "Settings of Cookbook",
  description: "The folder of the recipes, and how often it is scanned.",
  scopes: ["cookbook.read"],
  effect: "read",
  input: object({}),
  output: config,
  async run(_, nextcloud) {
    const activity = "reading the settings of Cookbook"
    const fields = fieldsOf((await cookbook(nextcloud, { path: "/config", activity })).json(), activity)
    return {
      folder: fields.text("folder"),
      update_interval: fields.number("update_interval"),
      print_image: fields.flag("print_image"),
    }
  },
})

const setConfig = defineTool({
  name: "nc_cookbook_set_config",
  title: "Change settings of Cookbook",
  description: "Changes the given settings. Another folder shows other recipes; none are moved.",
  scopes: ["cookbook.write"],
  effect: "set",
  input: object({
    folder: optional(text("As /Recipes", { least: 1 })),
    update_interval: optional(integer("Minutes", { least: 1 })),
    print_image: optional(flag()),
  }),
  output: object({ saved: flag() }),
  notRecorded: "Changing the folder or the printing of pictures.",
  async run(json, nextcloud) {
    const activity = "changing the settings of Cookbook"
    if (Object.values(json).every((value) => value === undefined))
      throw nextcloudError("invalid", { activity, because: "there is nothing to change" })
    await changeCookbook(nextcloud, { method: "POST", path: "/config", json, activity })
    return { saved: true }
  },
})

const reindex = defineTool({
  name: "nc_cookbook_reindex_recipes",
  title: "Rescan the recipe folder",
  description: "Finds recipes that were added or changed as files in the folder.",
  scopes: ["cookbook.write"],
  effect: "set",
  input: object({}),
  output: object({ done: flag() }),
  async run(_, nextcloud) {
    await changeCookbook(nextcloud, { method: "POST", path: "/reindex", activity: "rescanning the recipes" })
    return { done: true }
  },
})

export const cookbookTools = withOfferTest(hasCookbook, [
  ...recipeTools,
  listCategories,
  importRecipe,
  getConfig,
  setConfig,
  reindex,
])
