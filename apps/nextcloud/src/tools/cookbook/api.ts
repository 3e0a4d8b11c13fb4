// The API of the Cookbook app. It ignores conditional headers, and PUT to a missing recipe creates a new one.

import type { Capabilities } from "../../api/capabilities.ts"
import { isNextcloudError } from "../../api/error.ts"
import type { NcAnswer, NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"

/** Sends a request. `path` is relative to the API: `/recipes/5`. */
export async function cookbook(nextcloud: Nextcloud, request: NcRequest): Promise<NcAnswer> {
  try {
    return await nextcloud.send({ ...request, path: `/apps/cookbook/api/v1${request.path}` })
  } catch (error) {
    // Cookbook answers invalid credentials with 500. If they are the reason, this request throws the right error.
    if (isNextcloudError(error) && error.status === 500)
      await ocs(nextcloud, { path: "/cloud/user", activity: request.activity })
    throw error
  }
}

/** Sends a write. Throws unless the answer is JSON, because a web page means that nothing was done. */
export async function changeCookbook(nextcloud: Nextcloud, request: NcRequest): Promise<void> {
  const answer = await cookbook(nextcloud, request)
  answer.json()
}

export const hasCookbook = (capabilities: Capabilities): boolean => capabilities.has("cookbook")

export async function readRecipe(nextcloud: Nextcloud, id: number, activity: string): Promise<Fields> {
  return fieldsOf((await cookbook(nextcloud, { path: `/recipes/${id}`, activity })).json(), activity)
}

export const recipeLink = (nextcloud: Nextcloud, id: number): string => nextcloud.link(`/apps/cookbook/#/recipe/${id}`)

/** Recipes from the web contain lists, single texts and objects with a text: all become lists of texts. */
export function textsIn(value: unknown): readonly string[] {
  if (value === undefined || value === null || value === "") return []
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== "object") return [String(value)]
  const { text, name, itemListElement } = value as Readonly<Record<string, unknown>>
  return itemListElement === undefined ? textsIn(text ?? name) : textsIn(itemListElement)
}

/** Shortens a duration: PT0H20M0S becomes PT20M. Undefined for zero and for other texts. */
export function toShortTime(time: string | undefined): string | undefined {
  const [, hours = "0", minutes = "0"] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?$/.exec(time ?? "") ?? []
  const totalMinutes = Number(hours) * 60 + Number(minutes)
  if (totalMinutes === 0) return undefined
  return `PT${totalMinutes >= 60 ? `${Math.floor(totalMinutes / 60)}H` : ""}${totalMinutes % 60 === 0 ? "" : `${totalMinutes % 60}M`}`
}
