// A request to a files folder: the user, the view and the path. Every WebDAV method receives one.

import type { Call, Reply } from "../area.ts"
import type { World } from "../world.ts"
import { type Element, parseXml } from "../xml.ts"
import { badRequest } from "./answers.ts"
import { decodePath } from "./names.ts"
import type { FileResource } from "./properties.ts"
import { type Entry, type View, viewOf } from "./store.ts"

export interface DavRequest {
  readonly call: Call
  readonly world: World
  /** The calling user. */
  readonly user: string
  readonly view: View
  /** The address of the view, with the server's own path: `/remote.php/dav/files/alice`. */
  readonly base: string
  readonly root: string
  /** The path below the view. */
  readonly path: string
}

export type Method = (request: DavRequest) => Reply

export function resourceOf({ world, user, base, root }: DavRequest, entry: Entry): FileResource {
  return { world, user, base, root, entry }
}

/** The path of the server's own address, "" when it has none. */
export function rootOf(call: Call): string {
  return new URL(call.url).pathname.replace(/\/$/, "")
}

/** The request for a path in a person's files. */
export function davRequestOf(call: Call, user: string, path: string): DavRequest {
  const root = rootOf(call)
  const base = `${root}/remote.php/dav/files/${user}`
  return { call, world: call.world, user, view: viewOf(call.world, user), base, root, path }
}

/** The owner and path of the Destination header; undefined without one. Its host is ignored, as in Nextcloud. */
export function destinationOf(call: Call): { readonly user: string; readonly path: string } | undefined {
  const header = call.headers.get("destination")
  if (header === null) return undefined
  const path = decodePath(header.replace(/^[a-z]+:\/\/[^/]+/i, "")) ?? ""
  const root = decodePath(rootOf(call)) ?? "/"
  const pathBelow = root === "/" ? path : path.slice(root.length)
  const [, user, subpath] = /^\/remote\.php\/dav\/files\/([^/]+)(\/.*)?$/.exec(pathBelow) ?? []
  return user === undefined ? { user: "", path: pathBelow } : { user, path: subpath ?? "/" }
}

/** The body as XML: undefined when it is empty, a reply when it is not well-formed. */
export function bodyOf(call: Call): { readonly xml: Element | undefined } | Reply {
  const body = new TextDecoder().decode(call.body)
  if (body.trim() === "") return { xml: undefined }
  try {
    return { xml: parseXml(body) }
  } catch {
    const lines = body.split("\n")
    const location = ` on line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
    return badRequest(`Extra content at the end of the document\n${location}`)
  }
}

/** The Depth header, 1 by default; undefined means infinity. */
export function depthOf(call: Call): 0 | 1 | undefined {
  const depth = call.headers.get("depth")
  if (depth === "0") return 0
  return depth?.toLowerCase() === "infinity" ? undefined : 1
}
