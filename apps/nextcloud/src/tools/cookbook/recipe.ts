// A recipe: its fields in tool inputs and outputs, and their names in schema.org.

import { createHash } from "node:crypto"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { integer, list, object, optional, text } from "../../schema.ts"
import { recipeLink, textsIn, toShortTime } from "./api.ts"

export const shortRecipe = object({
  id: integer(),
  name: text(),
  category: optional(text()),
  keywords: list(text()),
  modified: optional(text()),
  url: text(),
})

const duration = (description: string) => optional(text(description, { pattern: "^PT(\\d+H)?(\\d+M)?$|^$" }))

export const writableFields = {
  description: optional(text()),
  ingredients: optional(list(text())),
  instructions: optional(list(text(), "One step each")),
  tools: optional(list(text())),
  category: optional(text()),
  keywords: optional(list(text())),
  servings: optional(integer(undefined, { least: 1 })),
  prep_time: duration("As PT1H20M"),
  cook_time: duration("As PT1H20M"),
  total_time: duration("As PT1H20M"),
  source_url: optional(text()),
}

export const fullRecipe = object({
  id: integer(),
  name: text(),
  description: optional(text()),
  ingredients: list(text()),
  instructions: list(text()),
  tools: list(text()),
  category: optional(text()),
  keywords: list(text()),
  servings: optional(integer()),
  prep_time: optional(text()),
  cook_time: optional(text()),
  total_time: optional(text()),
  source_url: optional(text()),
  etag: text(),
  url: text(),
})

export const toKeywords = (fields: Fields): readonly string[] =>
  textsIn(fields.raw.keywords).flatMap((keywordText) =>
    keywordText
      .split(",")
      .map((word) => word.trim())
      .filter(Boolean),
  )

export function toShort(nextcloud: Nextcloud, fields: Fields) {
  const id = fields.number("recipe_id")
  return {
    id,
    name: fields.text("name"),
    ...withoutUndefined({ category: fields.maybeText("category") }),
    keywords: toKeywords(fields),
    ...withoutUndefined({ modified: fields.maybeText("dateModified") }),
    url: recipeLink(nextcloud, id),
  }
}

export function toFullRecipe(nextcloud: Nextcloud, fields: Fields) {
  const id = fields.number("id")
  const [servings] = textsIn(fields.raw.recipeYield).map((yieldText) => Number.parseInt(yieldText, 10))
  const texts = (name: string): readonly string[] => textsIn(fields.raw[name])
  return {
    id,
    name: fields.text("name"),
    ...withoutUndefined({ description: fields.maybeText("description") }),
    ingredients: texts("recipeIngredient"),
    instructions: texts("recipeInstructions"),
    tools: texts("tool"),
    ...withoutUndefined({ category: texts("recipeCategory")[0] }),
    keywords: toKeywords(fields),
    ...(servings === undefined || !Number.isFinite(servings) ? {} : { servings }),
    ...withoutUndefined({
      prep_time: toShortTime(fields.maybeText("prepTime")),
      cook_time: toShortTime(fields.maybeText("cookTime")),
      total_time: toShortTime(fields.maybeText("totalTime")),
      source_url: fields.maybeText("url"),
    }),
    etag: etagOf(fields),
    url: recipeLink(nextcloud, id),
  }
}

/** An etag made from the recipe's content, because the server has none. */
export function etagOf({ raw }: Fields): string {
  const { imageUrl: _, ...recipe } = raw
  return createHash("sha256").update(JSON.stringify(recipe)).digest("hex").slice(0, 16)
}

function withoutUndefined<T extends Readonly<Record<string, string | undefined>>>(
  members: T,
): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string
  }
}

export interface RecipeFields {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly ingredients?: readonly string[] | undefined
  readonly instructions?: readonly string[] | undefined
  readonly tools?: readonly string[] | undefined
  readonly category?: string | undefined
  readonly keywords?: readonly string[] | undefined
  readonly servings?: number | undefined
  readonly prep_time?: string | undefined
  readonly cook_time?: string | undefined
  readonly total_time?: string | undefined
  readonly source_url?: string | undefined
}

/** The recipe in schema.org form, without undefined members. */
export function toRecipe(fields: RecipeFields): Readonly<Record<string, unknown>> {
  const all = {
    name: fields.name,
    description: fields.description,
    recipeIngredient: fields.ingredients,
    recipeInstructions: fields.instructions,
    tool: fields.tools,
    recipeCategory: fields.category,
    keywords: fields.keywords?.map((word) => word.replaceAll(",", " ")).join(","),
    recipeYield: fields.servings,
    prepTime: fields.prep_time,
    cookTime: fields.cook_time,
    totalTime: fields.total_time,
    url: fields.source_url,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}
