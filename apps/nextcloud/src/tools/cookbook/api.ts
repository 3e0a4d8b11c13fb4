// The API of the Cookbook app. It minds no conditions, and a PUT to a recipe that is not there makes a new one.

import type { Capabilities } from "../../api/capabilities.ts"
import { isNextcloudError } from "../../api/error.ts"
import type { NcAnswer, NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"

/** `path` is below the API's own: `/recipes/5`. */
export async function cookbook(nextcloud: Nextcloud, request: NcRequest): Promise<NcAnswer> {
  try {
    return await nextcloud.send({ ...request, path: `/apps/cookbook/api/v1${request.path}` })
  } catch (error) {
    // Without valid credentials this app breaks in place of refusing: asking elsewhere tells it.
    if (isNextcloudError(error) && error.status === 500)
      await ocs(nextcloud, { path: "/cloud/user", doing: request.doing })
    throw error
  }
}

/** Every write is answered with JSON: a page in its place means that nothing was done. */
export async function changeCookbook(nextcloud: Nextcloud, request: NcRequest): Promise<void> {
  const answer = await cookbook(nextcloud, request)
  answer.json()
}

export const hasCookbook = (capabilities: Capabilities): boolean => capabilities.has("cookbook")

export async function readRecipe(nextcloud: Nextcloud, id: number, doing: string): Promise<Fields> {
  return fieldsOf((await cookbook(nextcloud, { path: `/recipes/${id}`, doing })).json(), doing)
}

export const recipeLink = (nextcloud: Nextcloud, id: number): string => nextcloud.link(`/apps/cookbook/#/recipe/${id}`)

/** Recipes of the web have lists, single texts and objects with a text: all become texts. */
export function textsIn(value: unknown): readonly string[] {
  if (value === undefined || value === null || value === "") return []
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== "object") return [String(value)]
  const { text, name, itemListElement } = value as Readonly<Record<string, unknown>>
  return itemListElement === undefined ? textsIn(text ?? name) : textsIn(itemListElement)
}

/** PT0H20M0S is PT20M. */
export function toShortTime(time: string | undefined): string | undefined {
  const [, hours = "0", minutes = "0"] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?$/.exec(time ?? "") ?? []
  const whole = Number(hours) * 60 + Number(minutes)
  if (whole === 0) return undefined
  return `PT${whole >= 60 ? `${Math.floor(whole / 60)}H` : ""}${whole % 60 === 0 ? "" : `${whole % 60}M`}`
}
