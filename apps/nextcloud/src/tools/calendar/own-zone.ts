// The user's own time zone: what a time means that is written without one, and what need not be named in an answer.

import type { Nextcloud } from "../../api/nextcloud.ts"

/** Asked for only where one of these needs it: 2026-11-20T10:30, and not 2026-11-20T10:30Z. Undefined: not known. */
export async function zoneFor(
  nextcloud: Nextcloud,
  texts: readonly (string | undefined)[],
  needsZone = isTimeOfDay,
): Promise<string | undefined> {
  if (!texts.some((text) => text !== undefined && needsZone(text.trim()))) return undefined
  return nextcloud.timeZone()
}

interface Zoned {
  readonly timezone?: string | undefined
}

/** In an answer, a zone is named only if it is not the user's own; where that is not known, each is. */
export async function namingOnlyForeign<T extends Zoned>(
  nextcloud: Nextcloud,
  all: readonly T[],
): Promise<readonly (Omit<T, "timezone"> & Zoned)[]> {
  if (all.every(({ timezone }) => timezone === undefined)) return all
  const own = await nextcloud.timeZone()
  return all.map((one) => {
    const { timezone, ...rest } = one
    return timezone === own ? rest : one
  })
}

const isTimeOfDay = (text: string): boolean => /\d[T ]\d{2}:\d{2}/.test(text) && isWithoutOffset(text)

/** Days have a zone as well, where a range begins and ends with them. */
export const isWithoutOffset = (text: string): boolean => !/(Z|\d[T ].*[+-]\d{2}:?\d{2})$/i.test(text)
