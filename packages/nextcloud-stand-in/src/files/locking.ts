// LOCK and UNLOCK: for a person (files_lock, with X-User-Lock) and as WebDAV itself has it, with a token.

import { randomUUID } from "node:crypto"
import type { Reply } from "../area.ts"
import { davError, xmlType } from "../replies.ts"
import { childOf, dav, type Xml, xml } from "../xml.ts"
import { conflict, done, isReply, propertyXml } from "./answers.ts"
import { lockedFor } from "./conditions.ts"
import { activeLock, lockNames, lockProperties } from "./lock-properties.ts"
import { type FileNode, type Lock, shortEtag, touchAbove } from "./node.ts"
import { bodyOf, type Method, type Place, sightOf } from "./place.ts"
import { isMissing, type Spot, seconds } from "./store.ts"

export const lock: Method = (place) => {
  const { call, view, path, user } = place
  const spot = view.at(path)
  if (isMissing(spot)) return davError(500, "OCP\\Files\\NotFoundException", `/${view.user}/files${path}`)
  if (!call.headers.has("x-user-lock")) return lockByToken(place, spot)
  const held = spot.node.lock
  if (held !== undefined && (held.kind === "token" || held.owner !== user)) return shown(place, spot, 423)
  take(place, spot.node, { kind: "person", token: `files_lock/${randomUUID()}`, timeout: 0, note: "" })
  return shown(place, spot, 200)
}

export const unlock: Method = (place) => {
  const { call, view, path, user } = place
  const spot = view.at(path)
  if (isMissing(spot)) return davError(500, "OCP\\Files\\NotFoundException", `/${view.user}/files${path}`)
  const held = spot.node.lock
  if (!call.headers.has("x-user-lock")) return unlockByToken(spot, call.headers.get("lock-token") ?? "")
  if (held === undefined) return shown(place, spot, 412)
  if (held.owner !== user) return shown(place, spot, 423)
  release(spot.node)
  return shown(place, spot, 200)
}

function lockByToken(place: Place, spot: Spot): Reply {
  const body = bodyOf(place.call)
  if (isReply(body)) return body
  const held = lockedFor(place, spot)
  if (held !== undefined) return held
  const timeout = Number(/Second-(\d+)/.exec(place.call.headers.get("timeout") ?? "")?.[1] ?? 1800)
  const owner = childOf(body.xml, dav, "owner")
  const note = childOf(owner, dav, "href")?.text ?? owner?.text ?? ""
  const token = `opaquelocktoken:${randomUUID()}`
  take(place, spot.node, { kind: "token", token, timeout, note })
  const discovery = xml`<d:lockdiscovery>${activeLock(sightOf(place, spot))}</d:lockdiscovery>`
  return prop(200, discovery, { "lock-token": `<${token}>` })
}

function unlockByToken({ node }: Spot, header: string): Reply {
  if (node.lock === undefined || header !== `<${node.lock.token}>`) {
    return conflict("The lock token in the Lock-Token header does not belong to this resource.")
  }
  release(node)
  return done(204)
}

function take({ world, user }: Place, node: FileNode, how: Omit<Lock, "owner" | "since">): void {
  node.lock = { ...how, owner: user, since: seconds(world) }
  node.etag = shortEtag()
  touchAbove(node, seconds(world))
}

function release(node: FileNode): void {
  node.lock = undefined
  node.etag = shortEtag()
}

function shown(place: Place, spot: Spot, status: number): Reply {
  const sight = sightOf(place, spot)
  const properties = lockNames.map((name) => ({ xml: propertyXml(name, lockProperties[name]?.(sight)) }))
  return prop(status, xml`<d:getetag>${spot.node.etag}</d:getetag>${properties}`)
}

function prop(status: number, content: Xml, headers: Readonly<Record<string, string>> = {}): Reply {
  const spaces = 'xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:oc="http://owncloud.org/ns"'
  const element = `<d:prop ${spaces} xmlns:nc="http://nextcloud.org/ns">${content.xml}</d:prop>`
  return { status, headers: { ...xmlType, ...headers }, body: `<?xml version="1.0"?>\n${element}\n` }
}
