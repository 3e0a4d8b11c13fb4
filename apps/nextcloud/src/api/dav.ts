// WebDAV: addresses of files and collections, requests for properties, and the answers about several things at once.

import type { Element, Xml } from "../xml.ts"
import { childOf, childrenOf, dav, parseXml, textOf, toDocument } from "../xml.ts"
import type { NextcloudError } from "./error.ts"
import { nextcloudError } from "./error.ts"
import type { NcAnswer, NcRequest, Nextcloud } from "./nextcloud.ts"

/** One thing of a multistatus answer. */
export interface DavItem {
  /** The address, as sent: encoded, from the root of the host. */
  readonly href: string
  /** Of the thing itself, where it is told (a search that went wrong, a limit that was reached). */
  readonly status?: number
  /** The properties that are there. */
  readonly props: Element
}

const root = "/remote.php/dav"

/** The address of a file: each part of the path is encoded, and dots lead nowhere else. */
export function filesPath(userId: string, path: string): string {
  return `${root}/files/${encodeURIComponent(userId)}${encodePath(path)}`
}

/** “/a/b c” and “a/b c/” are the same. */
export function encodePath(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".")
  if (parts.includes(".."))
    throw nextcloudError("invalid", { doing: "finding the path", because: "“..” is not allowed in a path" })
  if (/\p{Cc}|\p{Cs}/u.test(path))
    throw nextcloudError("invalid", { doing: "finding the path", because: "the path holds what no name can hold" })
  return parts.map((part) => `/${encodeURIComponent(part)}`).join("")
}

/** What a collection that may only be read answers to a write: mostly 404, 403 or 500. */
export const maybeReadOnly = ({ kind }: NextcloudError): boolean =>
  kind === "not_found" || kind === "forbidden" || kind === "failed"

export async function propfind(
  nextcloud: Nextcloud,
  request: Pick<NcRequest, "path" | "doing" | "accept" | "signal" | "headers"> & {
    /** Empty elements: xml`<d:getetag/><oc:fileid/>`. */
    readonly props: Xml
    readonly depth?: 0 | 1
  },
): Promise<readonly DavItem[]> {
  const { props, depth = 0, ...rest } = request
  const body = toDocument("d:propfind", { xml: `<d:prop>${props.xml}</d:prop>` })
  return multistatus(await davSend(nextcloud, { ...rest, method: "PROPFIND", body, depth }), rest.doing)
}

export async function davSend(
  nextcloud: Nextcloud,
  { depth, ...request }: NcRequest & { readonly depth?: 0 | 1 | "infinity" },
): Promise<NcAnswer> {
  const kind = typeof request.body === "string" ? { "content-type": "application/xml; charset=utf-8" } : {}
  const deep = depth === undefined ? {} : { depth: String(depth) }
  return nextcloud.send({ maxBytes: mostOfMany, ...request, headers: { ...kind, ...deep, ...request.headers } })
}

/** A folder of pictures may hold tens of thousands, of which each is told in a thousand bytes. */
const mostOfMany = 64 * 1_024 * 1_024

export function multistatus(answer: NcAnswer, doing: string): readonly DavItem[] {
  const document = readXml(answer, doing)
  if (document.name !== "multistatus") throw nextcloudError("malformed", { doing, said: `<${document.name}>` })
  return childrenOf(document, dav, "response").map((response) => {
    const status = statusIn(textOf(response, dav, "status"))
    const found = childrenOf(response, dav, "propstat").find((part) => statusIn(textOf(part, dav, "status")) === 200)
    const props = childOf(found, dav, "prop") ?? nothing
    return { href: textOf(response, dav, "href") ?? "", props, ...(status === undefined ? {} : { status }) }
  })
}

export function readXml(answer: NcAnswer, doing: string): Element {
  try {
    return parseXml(answer.text())
  } catch {
    const said = /html/i.test(answer.headers.get("content-type") ?? "") ? "a web page" : "no readable XML"
    throw nextcloudError("malformed", { doing, status: answer.status, said })
  }
}

const nothing: Element = { space: dav, name: "prop", attributes: {}, children: [], text: "" }

const statusIn = (line: string | undefined): number | undefined =>
  line === undefined ? undefined : Number(/ (\d{3})/.exec(line)?.[1])

/** Of an error's document: what the server says. */
export function davMessage(body: string): string | undefined {
  try {
    const error = parseXml(body)
    return error.children.find(({ name }) => name === "message")?.text.trim() || undefined
  } catch {
    return undefined
  }
}
