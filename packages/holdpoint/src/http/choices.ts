// What people choose for themselves: groups of choices that whoever runs the pages has named, and where they are kept.

import { paths } from "../core/addresses.ts"
import type { PrincipalId } from "../core/principal.ts"
import type { Choices } from "../identity/choices.ts"
import type { ChoiceGroupView } from "../surfaces/web/index.ts"
import type { Site } from "./site.ts"

/** Settings that belong together on the account page. */
export interface ChoiceGroup {
  /** In addresses: lower-case letters, digits and hyphens. */
  readonly id: string
  readonly title: string
  readonly words: string
  readonly options: readonly { readonly value: string; readonly title: string }[]
  readonly items: readonly {
    /** Under which it is kept. */
    readonly name: string
    readonly title: string
    /** What holds when nothing is chosen. */
    readonly usual: string
  }[]
}

/** What people may choose for themselves on the account page, and where it is kept. */
export interface PageChoices {
  readonly kept: Choices
  /** Asked each time, so that loading them may wait. */
  readonly groups: () => Promise<readonly ChoiceGroup[]>
}

export async function choicesOf(
  { choices }: Pick<Site, "choices">,
  principal: PrincipalId,
): Promise<readonly ChoiceGroupView[]> {
  if (choices === undefined) return []
  const chosen = await choices.kept.all(principal)
  return (await choices.groups()).map((group) => ({
    ...group,
    action: paths.choices,
    items: group.items.map((item) => {
      const now = chosen.get(item.name)
      return now === undefined ? item : { ...item, chosen: now }
    }),
  }))
}

/** Keeps what the form says of one group; anything that is not of it is left out. Undefined when there is no such group. */
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
