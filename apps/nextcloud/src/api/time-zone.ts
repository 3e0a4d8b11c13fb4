// Reads the user's time zone from Nextcloud.

import type { Nextcloud } from "./nextcloud.ts"
import { ocs } from "./ocs.ts"
import { fieldsOf } from "./read.ts"

export async function readTimeZone(nextcloud: Nextcloud): Promise<string | undefined> {
  const activity = "looking up the user's time zone"
  const zone = fieldsOf((await ocs(nextcloud, { path: "/cloud/user", activity })).data, activity).maybeText("timezone")
  return zone === "" ? undefined : zone
}
