// Recipes, with recorded responses of a real server.

import { describe, expect, it } from "vitest"
import { textsIn, toShortTime } from "../../src/tools/cookbook/api.ts"
import { cookbookTools } from "../../src/tools/cookbook/cookbook.ts"
import { aboutOf, callTool, toolOf } from "../fits.ts"
import { connect } from "../nextcloud.ts"
import { cookbookPeer } from "../peer/cookbook.ts"
import { recorded, type UnrecordedAnswer } from "../recorded.ts"
import { cookbookSamples } from "../samples/cookbook.ts"
import { checkEvery } from "./every.ts"

const api = "/index.php/apps/cookbook/api/v1"

interface Listed {
  readonly recipes: readonly { readonly id: number }[]
  readonly total: number
}

function setUp(labels: readonly string[], answers: readonly UnrecordedAnswer[] = []) {
  const connected = connect(recorded("cookbook", labels, answers))
  const call = <O = Record<string, never>>(name: string, input: object) =>
    callTool<O>(toolOf(cookbookTools, `nc_cookbook_${name}`), input, connected.nextcloud)
  return { ...connected, call }
}

describe("reading", () => {
  it("returns ingredients, steps and times", async () => {
    const { call } = setUp(["get"])
    expect(await call("get_recipe", { recipe_id: 216 })).toEqual({
      id: 216,
      name: "Käsespätzle 🧀",
      description: "Lecker",
      ingredients: ["500 g Mehl", "5 Eier"],
      instructions: ["Teig rühren", "Schaben"],
      tools: ["Schüssel"],
      category: "Hauptgericht",
      keywords: ["käse", "schwäbisch"],
      servings: 4,
      prep_time: "PT20M",
      cook_time: "PT10M",
      total_time: "PT30M",
      etag: expect.stringMatching(/^[0-9a-f]{16}$/),
      url: "http://cloud.test/index.php/apps/cookbook/#/recipe/216",
    })
  })

  it("lists by category and keywords, and searches on the server", async () => {
    const { call, requests } = setUp(["list", "search"])
    expect(await call<Listed>("list_recipes", { limit: 1 })).toMatchObject({ total: 2, next_cursor: "at-1" })
    expect(await call<Listed>("list_recipes", { category: "hauptgericht", keywords: ["Käse"] })).toMatchObject({
      total: 2,
    })
    expect(await call<Listed>("list_recipes", { keywords: ["käse", "vegan"] })).toMatchObject({ total: 0, recipes: [] })
    expect(await call<Listed>("list_recipes", { query: "käse" })).toMatchObject({ total: 2 })
    expect(requests.at(-1)?.path).toBe(`${api}/search/k%C3%A4se`)
  })

  it("lists categories, keywords and the number of recipes without a category", async () => {
    const { call } = setUp(["categories", "keywords"])
    expect(await call("list_categories", {})).toEqual({
      categories: [{ name: "Hauptgericht", recipes: 2 }],
      without_category: 0,
      keywords: [
        { name: "käse", recipes: 2 },
        { name: "schwäbisch", recipes: 2 },
      ],
    })
  })

  it("understands steps and times as web pages write them", () => {
    expect(textsIn([{ "@type": "HowToStep", text: "a" }, "b", { itemListElement: [{ text: "c" }] }])).toEqual([
      "a",
      "b",
      "c",
    ])
    expect(textsIn("one")).toEqual(["one"])
    expect(["PT1H30M", "PT0H90M0S", "PT2H", "PT0S", "soon", undefined].map(toShortTime)).toEqual([
      "PT1H30M",
      "PT1H30M",
      "PT2H",
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe("expired credentials", () => {
  const broken: UnrecordedAnswer = {
    path: `${api}/recipes`,
    status: 500,
    type: "text/html",
    body: "<p>Internal Server Error",
  }
  const user = (status: number, statuscode: number): UnrecordedAnswer => ({
    path: "/ocs/v2.php/cloud/user",
    status,
    body: { ocs: { meta: { status: "x", statuscode, message: "" }, data: { id: "alice" } } },
  })

  it("are recognized, although this app answers 500 instead of 401", async () => {
    await expect(setUp([], [broken, user(401, 997)]).call("list_recipes", {})).rejects.toMatchObject({
      kind: "unauthorized",
    })
    await expect(setUp([], [broken, user(200, 200)]).call("list_recipes", {})).rejects.toMatchObject({
      kind: "failed",
    })
  })
})

describe("writing", () => {
  it("creates a recipe with the names of schema.org and only the given fields", async () => {
    const { call, requests } = setUp(["create"])
    const fields = { name: "Brot", ingredients: ["Mehl"], keywords: ["a", "b,c"], servings: 2, prep_time: "PT1H" }
    expect(await call("create_recipe", fields)).toMatchObject({ id: 216, name: "Brot" })
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      "@context": "http://schema.org",
      "@type": "Recipe",
      name: "Brot",
      recipeIngredient: ["Mehl"],
      keywords: "a,b c",
      recipeYield: 2,
      prepTime: "PT1H",
    })
  })

  it("says that a name is taken", async () => {
    const { call } = setUp(["create duplicate name"])
    await expect(call("create_recipe", { name: "Käsespätzle 🧀" })).rejects.toThrow(
      /there is already a recipe with this name.*another name/,
    )
  })

  it("changes the given fields, and sends everything else unchanged", async () => {
    const { call, requests } = setUp(["get", "update"])
    const { etag } = await call<{ etag: string }>("get_recipe", { recipe_id: 216 })
    await call("update_recipe", { recipe_id: 216, etag, ingredients: ["1 kg Mehl"], description: "" })
    const sent = JSON.parse(requests.at(-1)?.body ?? "") as object
    expect(sent).toMatchObject({
      id: "216",
      name: "Käsespätzle 🧀",
      description: "",
      recipeIngredient: ["1 kg Mehl"],
      recipeInstructions: ["Teig rühren", "Schaben"],
      nutrition: { "@type": "NutritionInformation" },
      dateCreated: "2026-11-15T07:18:37+00:00",
    })
    expect(sent).not.toHaveProperty("imageUrl")
  })

  it("changes nothing when the recipe has changed since it was read, or does not exist", async () => {
    const { call, requests } = setUp(["get", "get missing"])
    await expect(call("update_recipe", { recipe_id: 216, etag: "old", name: "x" })).rejects.toMatchObject({
      kind: "conflict",
      current: { id: 216, name: "Käsespätzle 🧀" },
    })
    await expect(call("update_recipe", { recipe_id: 999_999, etag: "old", name: "x" })).rejects.toMatchObject({
      kind: "not_found",
    })
    expect(requests.every(({ method }) => method === "GET")).toBe(true)
  })

  it("shows the recipe before deleting it, deletes only what was shown, and reports a missing one", async () => {
    const tool = toolOf(cookbookTools, "nc_cookbook_delete_recipe")
    const { nextcloud, requests } = setUp(["get", "delete", "get missing"])
    const loss = await aboutOf(tool, { recipe_id: 216 }, nextcloud)
    expect(loss).toMatchObject({
      what: "the recipe “Käsespätzle 🧀”",
      details: ["2 ingredients, 2 steps.", expect.any(String)],
    })
    const other = { ...loss, guard: "other" }
    await expect(callTool(tool, { recipe_id: 216 }, nextcloud, { loss: other })).rejects.toMatchObject({
      kind: "conflict",
    })
    expect(requests.every(({ method }) => method === "GET")).toBe(true)
    expect(await callTool(tool, { recipe_id: 216 }, nextcloud, { loss })).toEqual({ deleted: "Käsespätzle 🧀" })
    expect(requests.at(-1)).toMatchObject({ method: "DELETE", path: `${api}/recipes/216` })
    await expect(callTool(tool, { recipe_id: 999_999 }, nextcloud)).rejects.toMatchObject({ kind: "not_found" })
  })

  it("imports from the web, and passes on why the server refuses", async () => {
    const body = { id: "300", name: "Imported", recipeIngredient: ["x"], recipeInstructions: [] }
    const imported = setUp([], [{ method: "POST", path: `${api}/import`, body }])
    expect(await imported.call("import_recipe", { url: "https://recipes.example/a" })).toMatchObject({
      id: 300,
      name: "Imported",
    })
    expect(imported.requests).toMatchObject([{ method: "POST", body: '{"url":"https://recipes.example/a"}' }])
    const refused = setUp(["import bad url"])
    await expect(refused.call("import_recipe", { url: "http://127.0.0.1:1/none" })).rejects.toThrow(
      "The provided URL is not allowed.",
    )
  })

  it("sets only the given settings", async () => {
    const { call, requests } = setUp(["config set", "config", "reindex"])
    await call("set_config", { update_interval: 10 })
    await call("reindex_recipes", {})
    expect(requests.map(({ body }) => body)).toEqual(['{"update_interval":10}', ""])
    expect(await call("get_config", {})).toEqual({ folder: "/Recipes", update_interval: 5, print_image: true })
  })
})

checkEvery(cookbookTools, cookbookSamples, cookbookPeer)
