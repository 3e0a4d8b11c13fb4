// The same three tools, written by hand on the SDK: the same request with a known password, and the same structured
// content. No retries, no paging, no explained errors.

import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import sax from "sax"
import { z } from "zod"
import type { Cloud } from "./stand-in-child.ts"

interface Note {
  readonly id: number
  readonly title: string
  readonly category: string
  readonly favorite: boolean
  readonly modified: number
  readonly etag: string
  readonly readonly: boolean
  readonly content: string
}

export const createBare = (cloud: Cloud) => createMcpHandler(() => createServer(cloud))

function createServer({ url, user, password }: Cloud): McpServer {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`
  const server = new McpServer({ name: "bare", version: "1.0.0" })
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(`${url}/index.php/apps/notes/api/v1${path}`, { headers: { authorization } })
    return response.json()
  }
  server.registerTool("nc_notes_get_note", { inputSchema: z.object({ note_id: z.number() }) }, async ({ note_id }) => {
    const { etag, readonly, content, ...note } = (await get(`/notes/${note_id}`)) as Note
    return toResult({ ...short(url, note), etag, readonly, content, total_characters: content.length })
  })
  server.registerTool("nc_notes_list_notes", { inputSchema: z.object({}) }, async () => {
    const notes = ((await get("/notes?exclude=content")) as Note[]).toSorted((a, b) => b.modified - a.modified)
    const categories = [...new Set(notes.map(({ category }) => category))].sort()
    return toResult({ notes: notes.map((note) => short(url, note)), categories, total: notes.length })
  })
  server.registerTool("nc_files_list_directory", { inputSchema: z.object({}) }, async () => {
    const headers = { authorization, depth: "1", "content-type": "application/xml; charset=utf-8" }
    const path = `${url}/remote.php/dav/files/${user}`
    const response = await fetch(path, { method: "PROPFIND", headers, body: propfind })
    const [, ...items] = readItems(await response.text(), url)
    const sorted = items.toSorted((a, b) =>
      a.kind === b.kind ? names.compare(a.path, b.path) : a.kind === "folder" ? -1 : 1,
    )
    return toResult({ items: sorted, total: sorted.length })
  })
  return server
}

const names = new Intl.Collator("en", { numeric: true })

const toResult = (structuredContent: Record<string, unknown>) => ({
  structuredContent,
  content: [{ type: "text" as const, text: JSON.stringify(structuredContent) }],
})

const short = (
  url: string,
  { id, title, category, favorite, modified }: Omit<Note, "etag" | "readonly" | "content">,
) => ({
  ...{ id, title, category, favorite },
  modified: new Date(modified * 1_000).toISOString().replace(".000Z", "Z"),
  url: `${url}/apps/notes/note/${id}`,
})

const propfind =
  '<?xml version="1.0"?><d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"><d:prop>' +
  "<d:resourcetype/><d:getlastmodified/><d:getetag/><d:getcontenttype/><oc:fileid/><oc:size/><oc:favorite/>" +
  "<oc:share-types/><nc:mount-type/><oc:owner-display-name/></d:prop></d:propfind>"

interface Item {
  readonly path: string
  readonly kind: string
}

function readItems(document: string, url: string): readonly Item[] {
  const parser = sax.parser(true, { xmlns: true })
  const items: Item[] = []
  let properties: Record<string, string> = {}
  let name = ""
  parser.onopentag = ({ local }: sax.QualifiedTag) => {
    name = local
    if (local === "response") properties = {}
    if (local === "collection") properties.collection = "yes"
  }
  parser.ontext = (text) => {
    if (text.trim() !== "") properties[name] = text
  }
  parser.onclosetag = (tag) => {
    name = ""
    if (tag.endsWith(":response")) items.push(toItem(properties, url))
  }
  parser.write(document).close()
  return items
}

function toItem(properties: Readonly<Record<string, string>>, url: string): Item {
  const type = properties.getcontenttype
  return {
    path: decodeURIComponent((properties.href ?? "").replace(/^.*\/dav\/files\/[^/]+/, "").replace(/\/$/, "")),
    kind: properties.collection === "yes" ? "folder" : "file",
    ...{ id: Number(properties.fileid), ...(type === undefined ? {} : { type }), size: Number(properties.size) },
    modified: new Date(properties.getlastmodified ?? "").toISOString().replace(".000Z", "Z"),
    ...{ etag: (properties.getetag ?? "").replaceAll('"', ""), favorite: properties.favorite === "1" },
    url: `${url}/f/${properties.fileid}`,
    ...(properties["mount-type"] === "shared" ? { owner: properties["owner-display-name"] } : {}),
  } as Item
}
