// The user's time zone: the meaning of times without a zone, and the zone that outputs omit.

import type { Nextcloud } from "../../api/nextcloud.ts"

/**
 * The user's zone, read only if one of these times needs it: 2026-11-20T10:30, but not 2026-11-20T10:30Z. Undefined
 * when no time needs the zone, or when it is not known.
 */
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

/** Removes the zone from items whose zone is the user's. When the user's zone is not known, every zone stays. */
export async function withoutOwnZone<T extends Zoned>(
  nextcloud: Nextcloud,
  all: readonly T[],
): Promise<readonly (Omit<T, "timezone"> & Zoned)[]> {
  if (all.every(({ timezone }) => timezone === undefined)) return all
  const ownZone = await nextcloud.timeZone()
  return all.map((one) => {
    const { timezone, ...otherFields } = one
    return timezone === ownZone ? otherFields : one
  })
}

const isTimeOfDay = (text: string): boolean => /\d[T ]\d{2}:\d{2}/.test(text) && isWithoutOffset(text)

/**
 * Whether a date or time has no offset. A date is without offset too: as the bound of a range it depends on the zone.
 */
export const isWithoutOffset = (text: string): boolean => !/(Z|\d[T ].*[+-]\d{2}:?\d{2})$/i.test(text)
