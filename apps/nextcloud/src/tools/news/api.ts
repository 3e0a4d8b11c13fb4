// The API of the News app, version 1-3. It publishes no capability, and counts articles by ids that grow.

import { nextcloudError } from "../../api/error.ts"
import type { NcAnswer, NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"

/** `path` is below the API's own: `/feeds/5`. */
export async function news(nextcloud: Nextcloud, request: NcRequest): Promise<NcAnswer> {
  const { accept = [], doing } = request
  const path = `/apps/news/api/v1-3${request.path}`
  const answer = await nextcloud.send({ ...request, path, accept: [...accept, 404] })
  if (answer.status !== 404) return answer
  if (/html/i.test(answer.headers.get("content-type") ?? ""))
    throw nextcloudError("unsupported", { doing, ...notInstalled })
  if (accept.includes(404)) return answer
  // The server's own words are a query of its database.
  throw nextcloudError("not_found", { doing, status: 404 })
}

const notInstalled = {
  because: "there is no News app",
  advice: "Tell the user that the News app is not installed, or not for this account.",
}

/** Every write is answered with JSON, be it empty: a page in its place means that nothing was done. */
export async function changeNews(nextcloud: Nextcloud, request: NcRequest): Promise<void> {
  const answer = await news(nextcloud, request)
  answer.json()
}

export async function readFeeds(nextcloud: Nextcloud, doing: string): Promise<Fields> {
  return fieldsOf((await news(nextcloud, { path: "/feeds", doing })).json(), doing)
}

export async function readFolders(nextcloud: Nextcloud, doing: string): Promise<readonly Fields[]> {
  return fieldsOf((await news(nextcloud, { path: "/folders", doing })).json(), doing).objects("folders")
}

/**
 * An article of the web as plain text: paragraphs, lists and the addresses of links stay. In one pass, since whoever
 * writes a feed decides how much of it is never closed.
 */
export function toPlain(html: string): string {
  const parts: string[] = []
  const links: (string | undefined)[] = []
  let hidden: string | undefined
  let at = 0
  for (const { 0: tag, 1: slash, 2: name = "", 3: attributes = "", index } of html.matchAll(tags)) {
    const kind = name.toLowerCase()
    if (hidden === undefined) parts.push(html.slice(at, index), toBreak(kind, slash === "/"))
    at = index + tag.length
    if (kind === hidden) hidden = slash === "/" ? undefined : hidden
    else if (hidden === undefined && (kind === "script" || kind === "style") && slash === "") hidden = kind
    else if (kind === "a" && slash === "") links.push(/\bhref="([^"]*)"/i.exec(attributes)?.[1])
    else if (kind === "a") parts.push(toAddress(links.pop()))
  }
  if (hidden === undefined) parts.push(html.slice(at))
  return parts
    .join("")
    .replace(/&(#x?[\da-f]+|[a-z]+);/gi, (whole, name: string) => toCharacter(name.toLowerCase()) ?? whole)
    .replace(/[ \t]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
}

const tags = /<(\/?)([a-z][a-z\d]*)\b([^<>]*)>|<[!?][^<>]*>/gi

const toAddress = (link: string | undefined): string => (link === undefined ? "" : ` (${link})`)

function toBreak(kind: string, isEnd: boolean): string {
  if (kind === "li" && !isEnd) return "\n- "
  return kind === "br" || (isEnd && /^(p|div|h\d|li|ul|ol|tr|blockquote)$/.test(kind)) ? "\n" : ""
}

const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }

function toCharacter(name: string): string | undefined {
  if (!name.startsWith("#")) return Object.hasOwn(characters, name) ? characters[name] : undefined
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
