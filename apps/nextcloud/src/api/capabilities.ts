// The capabilities that a server reports: its version, its apps, and the features of each app.

import type { Nextcloud } from "./nextcloud.ts"
import { ocs } from "./ocs.ts"
import type { Fields } from "./read.ts"
import { fieldsOf, objectsOf } from "./read.ts"

export interface Capabilities {
  /** For example 32.0.1. */
  readonly version: string
  readonly major: number
  /** Whether an app reports capabilities. Some do not: Collectives, News. */
  has(app: string): boolean
  of(app: string): Fields | undefined
  readonly raw: Readonly<Record<string, unknown>>
}

export async function readCapabilities(nextcloud: Nextcloud): Promise<Capabilities> {
  const activity = "reading the server's capabilities"
  return toCapabilities((await ocs(nextcloud, { path: "/cloud/capabilities", activity })).data)
}

/**
 * Whether pages have addresses without /index.php. Nextcloud reports this since version 29. False for older servers,
 * where every page is reachable with /index.php.
 */
export const hasShortAddresses = ({ raw }: Capabilities): boolean =>
  (raw.core as { readonly "mod-rewrite-working"?: unknown } | undefined)?.["mod-rewrite-working"] === true

/** Reads which apps this person has in their menu. */
export async function readApps(nextcloud: Nextcloud): Promise<ReadonlySet<string>> {
  const activity = "reading the list of installed apps"
  const { data } = await ocs(nextcloud, { path: "/core/navigation/apps", activity })
  return new Set(objectsOf(data, activity).map((app) => app.maybeText("app") ?? app.text("id")))
}

/** Parses the `data` of /ocs/v2.php/cloud/capabilities. */
export function toCapabilities(data: unknown): Capabilities {
  const activity = "reading the server's capabilities"
  const all = fieldsOf(data, activity)
  const version = all.object("version")
  const apps = all.maybeObject("capabilities") ?? fieldsOf({}, activity)
  return {
    version: version.text("string"),
    major: version.number("major"),
    has: (app) => Object.hasOwn(apps.raw, app),
    of: (app) => apps.maybeObject(app),
    raw: apps.raw,
  }
}
