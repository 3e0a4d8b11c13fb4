// Settings that people choose on their account page: the operator's groups of choices, and where choices are stored.

import type { PrincipalId } from "@holdpoint/hub"
import { paths } from "@holdpoint/hub"
import type { Choices } from "../identity/choices.ts"
import type { ChoiceGroupView } from "../web/index.ts"
import type { Site } from "./site.ts"

/** A group of settings on the account page. */
export interface ChoiceGroup {
  /** The id appears in addresses, so it has only lower-case letters, digits and hyphens. */
  readonly id: string
  readonly title: string
  readonly words: string
  readonly options: readonly { readonly value: string; readonly title: string }[]
  readonly items: readonly {
    /** The key under which the choice is stored. */
    readonly name: string
    readonly title: string
    /** The default value. */
    readonly usual: string
  }[]
}

/** The settings that people may choose on the account page, and where choices are stored. */
export interface PageChoices {
  readonly kept: Choices
  /** Returns the groups. Called for each page, so that groups can be loaded lazily. */
  readonly groups: () => Promise<readonly ChoiceGroup[]>
}

export async function choicesOf(
  { choices }: Pick<Site, "choices">,
  principal: PrincipalId,
): Promise<readonly ChoiceGroupView[]> {
  if (choices === undefined) return []
  const storedChoices = await choices.kept.all(principal)
  return (await choices.groups()).map((group) => ({
    ...group,
    action: paths.choices,
    items: group.items.map((item) => {
      const now = storedChoices.get(item.name)
      return now === undefined ? item : { ...item, chosen: now }
    }),
  }))
}

/**
 * Stores the posted choices of one group and returns its title. Ignores fields that are not in the group. Undefined
 * when the group does not exist.
 */
export async function keepChoices(
  { choices }: Pick<Site, "choices">,
  principal: PrincipalId,
  fields: URLSearchParams,
): Promise<string | undefined> {
  const group = (await choices?.groups())?.find(({ id }) => id === fields.get("group"))
  if (choices === undefined || group === undefined) return undefined
  for (const { name } of group.items) {
    const value = fields.get(name)
    if (value === "") await choices.kept.clear(principal, name)
    else if (value !== null && group.options.some((option) => option.value === value))
      await choices.kept.set(principal, name, value)
  }
  return group.title
}
