// OCS of Nextcloud's core: the current user, the capabilities, and the menu of apps.

import { createHash } from "node:crypto"
import type { Area, Call, Reply } from "./area.ts"
import { recordedData } from "./recordings.ts"
import { emptyReply, noStore, ocs } from "./replies.ts"
import { createArea, inOcs } from "./routes.ts"
import { userData } from "./user-data.ts"

/** The recorded capabilities, without those of missing apps. */
function capabilities(call: Call): Reply {
  const { user, world, headers, url, pages } = call
  const recordedCapabilities = recordedData(user === undefined ? "capabilities anonymous" : "capabilities authed", url)
  const { version, capabilities: all } = recordedCapabilities as {
    version: object
    capabilities: Record<string, unknown>
  }
  const offeredCapabilities = Object.fromEntries(Object.entries(all).filter(([app]) => world.isInstalled(app)))
  const core =
    offeredCapabilities.core === undefined
      ? {}
      : { core: { ...offeredCapabilities.core, "mod-rewrite-working": pages === url } }
  const data = { version, capabilities: { ...offeredCapabilities, ...core } }
  const etag = `"${createHash("md5").update(JSON.stringify(data)).digest("hex")}"`
  return headers.get("if-none-match") === etag ? notModified(etag) : ocs(call, data, { etag })
}

const notModified = (etag: string): Reply => ({ status: 304, headers: { ...noStore, etag } })

function navigation(call: Call): Reply {
  const recordedApps = recordedData("navigation apps", call.url) as readonly { readonly app: string }[]
  const offeredApps = [...recordedApps, ...addedApps].filter(({ app }) => call.world.isInstalled(app))
  const etag = `"${createHash("md5").update(JSON.stringify(offeredApps)).digest("hex")}"`
  return ocs(call, offeredApps, { etag })
}

/** Apps that are missing in the recorded menu; the stand-in has them too. */
const addedApps = [menuItem("news", "News"), menuItem("collectives", "Collectives"), menuItem("mail", "Mail")]

function menuItem(app: string, name: string) {
  const addresses = { href: `/apps/${app}/`, icon: `/apps/${app}/img/app.svg` }
  return {
    id: app,
    order: 100,
    ...addresses,
    type: "link",
    name,
    app,
    active: false,
    unread: 0,
    classes: "",
    default: false,
  }
}

function currentUser(call: Call): Reply {
  const account = call.world.users.get(call.user?.id ?? "")
  return account === undefined ? emptyReply(500) : ocs(call, userData(call.world, account))
}

export const ocsArea: Area = createArea([
  ["GET", inOcs("/cloud/capabilities"), capabilities],
  ["GET", inOcs("/cloud/user"), currentUser],
  ["GET", inOcs("/core/navigation/apps"), navigation],
])
