// The user's own time zone, as Nextcloud knows it: what a time means that is written without one.

import { isNextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import { fieldsOf } from "../../api/read.ts"

/** Asked for only where one of these needs it: 2026-11-20T10:30, and not 2026-11-20T10:30Z. Undefined: not known. */
export async function zoneFor(
  nextcloud: Nextcloud,
  texts: readonly (string | undefined)[],
  needsZone = isTimeOfDay,
): Promise<string | undefined> {
  if (!texts.some((text) => text !== undefined && needsZone(text.trim()))) return undefined
  const doing = "looking up the user's time zone"
  try {
    const zone = fieldsOf((await ocs(nextcloud, { path: "/cloud/user", doing })).data, doing).maybeText("timezone")
    return zone === "" ? undefined : zone
  } catch (error) {
    // Not known is not a failure: who needs it says so. Credentials that are refused are.
    if (isNextcloudError(error) && error.kind !== "unauthorized") return undefined
    throw error
  }
}

const isTimeOfDay = (text: string): boolean => /\d[T ]\d{2}:\d{2}/.test(text) && isWithoutOffset(text)

/** Days have a zone as well, where a range begins and ends with them. */
export const isWithoutOffset = (text: string): boolean => !/(Z|\d[T ].*[+-]\d{2}:?\d{2})$/i.test(text)
