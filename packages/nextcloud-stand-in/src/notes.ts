// The Notes app's API, versions 0.2 and 1, as a real server answers it. Attachments are from the app's documented API,
// not recorded.

import type { Area, Call, Reply, User } from "./area.ts"
import { filesOf } from "./files/api.ts"
import { typeOf } from "./files/names.ts"
import { usedBy } from "./files/store.ts"
import { md5, type Note, type NoteInput, type Notes, notesOf, seconds } from "./notes/book.ts"
import { chunkOf } from "./notes/chunks.ts"
import { empty, json, noStore } from "./replies.ts"
import { jsonOf } from "./routes.ts"

type Route = (call: Call, user: User, notes: Notes, id: string) => Reply | Promise<Reply>

/** By method, version and path below it; `{id}` is a number. Both older versions have the same. */
const routes: Readonly<Record<string, Route>> = {
  "GET v1/notes": listNotes,
  "POST v1/notes": createNote,
  "GET v1/notes/{id}": getNote,
  "PUT v1/notes/{id}": updateNote,
  "DELETE v1/notes/{id}": removeNote,
  "GET v1/settings": (_, user, notes) => json(200, notes.settings(user.id)),
  "GET v1.4/settings": (_, user, notes) => json(200, notes.settings(user.id)),
  "PUT v1/settings": (call, user, notes) => json(200, notes.settings(user.id, fieldsOf(call))),
  "GET v1.4/attachment/{id}": getAttachment,
  "POST v1.4/attachment/{id}": addAttachment,
}

const missing = { errorType: "OCA\\Notes\\Service\\NoteDoesNotExistException" }
const full = { errorType: "OCA\\Notes\\Service\\InsufficientStorageException" }

export const notesArea: Area = async (call) => {
  const below = /^\/apps\/notes\/api\/(.*?)\/?$/.exec(call.path)?.[1]
  if (below === undefined) return undefined
  if (call.method === "OPTIONS") return preflight(call)
  const { user } = call
  if (user === undefined) return undefined
  const [, id = ""] = /\/(\d+)$/.exec(below) ?? []
  const path = below.replace(/^v0\.2\//, "v1/").replace(/\d+$/, id === "" ? "$&" : "{id}")
  const route = routes[`${call.method} ${path}`]
  if (route === undefined && call.method !== "GET") return empty(405)
  const reply = route === undefined ? json(400, []) : await route(call, user, notesOf(call.world), id)
  return { ...reply, headers: { ...reply.headers, ...headersFor(call) } }
}

function headersFor(call: Call): Record<string, string> {
  const origin = call.headers.get("origin")
  return {
    "x-notes-api-versions": "0.2, 1.3, 1.4",
    ...(origin !== null && { "access-control-allow-origin": origin }),
  }
}

function preflight(call: Call): Reply {
  return empty(200, {
    ...noStore,
    "access-control-allow-origin": call.headers.get("origin") ?? "*",
    "access-control-allow-methods": "PUT, POST, GET, DELETE, PATCH",
    "access-control-max-age": "1728000",
    "access-control-allow-headers": "Authorization, Content-Type, Accept",
    "access-control-allow-credentials": "false",
  })
}

function listNotes(call: Call, user: User, notes: Notes): Reply {
  const chunk = chunkOf(notes.list(user.id), call.query, seconds(call.world))
  const show = shownBy(call, user, notes)
  const shown = [...chunk.full.map(show), ...chunk.pruned.map(({ id }) => ({ id }))]
  const headers = {
    "last-modified": new Date(chunk.lastUpdate * 1000).toUTCString(),
    ...(chunk.cursor !== undefined && {
      "x-notes-chunk-cursor": chunk.cursor,
      "x-notes-chunk-pending": String(chunk.pending),
    }),
  }
  return withEtag(call, md5(JSON.stringify(shown)), shown, headers)
}

function getNote(call: Call, user: User, notes: Notes, id: string): Reply {
  const note = notes.get(user.id, Number(id))
  return note === undefined ? json(404, missing) : withEtag(call, note.etag, shownBy(call, user, notes)(note))
}

function createNote(call: Call, user: User, notes: Notes): Reply {
  const input = inputOf(call)
  if (isOverQuota(call, user, input)) return json(507, full)
  const named = call.path.includes("/v0.2/") ? { ...input, title: titleFrom(input.content ?? "") } : input
  return json(200, shownBy(call, user, notes)(notes.create(user.id, named)))
}

function updateNote(call: Call, user: User, notes: Notes, id: string): Reply {
  const note = notes.get(user.id, Number(id))
  if (note === undefined) return json(404, missing)
  const show = shownBy(call, user, notes)
  const expected = call.headers.get("if-match")
  if (expected !== null && bare(expected) !== note.etag) return json(412, show(note))
  const input = inputOf(call)
  if (isOverQuota(call, user, input)) return json(507, full)
  const updated = notes.update(user.id, note.id, input)
  return updated === undefined ? json(404, missing) : json(200, show(updated))
}

function removeNote(_: Call, user: User, notes: Notes, id: string): Reply {
  return notes.remove(user.id, Number(id)) ? json(200, []) : json(404, missing)
}

/** Beside the note, in a hidden folder of its own. */
function attachmentPath(notes: Notes, user: User, note: Note, name: string): string {
  return `${notes.pathOf(user.id, note).replace(/[^/]*$/, "")}.attachments.${note.id}/${name}`
}

function getAttachment({ query, world }: Call, user: User, notes: Notes, id: string): Reply {
  const note = notes.get(user.id, Number(id))
  const name = query.get("path")?.split("/").at(-1) ?? ""
  const file = note && filesOf(world).get(user.id, attachmentPath(notes, user, note, name))
  if (file === undefined) return json(404, missing)
  return { status: 200, headers: { "content-type": typeOf(name) }, body: file.content }
}

async function addAttachment(call: Call, user: User, notes: Notes, id: string): Promise<Reply> {
  const note = notes.get(user.id, Number(id))
  if (note === undefined) return json(404, missing)
  const type = call.headers.get("content-type") ?? ""
  const sent = new Response(call.body.slice(), { headers: { "content-type": type } })
  const file = (await sent.formData().catch(() => undefined))?.get("file")
  if (!(file instanceof File)) return json(400, { errorType: "OCA\\Notes\\Service\\ImageNotWritableException" })
  const path = attachmentPath(notes, user, note, file.name)
  filesOf(call.world).put(user.id, path, new Uint8Array(await file.arrayBuffer()))
  return json(200, { filename: `.attachments.${id}/${file.name}`, filepath: path, wasUploaded: true })
}

/** A note as the API shows it, without what the client does not want. */
function shownBy(call: Call, user: User, notes: Notes): (note: Note) => Record<string, unknown> {
  const unwanted = new Set((call.query.get("exclude") ?? "").split(","))
  return (note) => {
    const shown = {
      id: note.id,
      title: note.title,
      modified: note.modified,
      category: note.category,
      favorite: note.favorite,
      readonly: false,
      internalPath: notes.pathOf(user.id, note),
      shareTypes: [],
      isShared: false,
      error: false,
      errorType: "",
      content: note.content,
      etag: note.etag,
    }
    return Object.fromEntries(Object.entries(shown).filter(([key]) => key === "id" || !unwanted.has(key)))
  }
}

/** What cannot be read counts for nothing said: a broken request makes an empty note. */
function inputOf(call: Call): NoteInput {
  const { title, content, category, favorite, modified } = fieldsOf(call)
  return {
    title: textIn(title),
    content: textIn(content),
    category: textIn(category),
    favorite: favorite === undefined ? undefined : favorite === true || favorite === "true" || favorite === "1",
    modified: modified === undefined ? undefined : Number(modified) || 0,
  }
}

function fieldsOf(call: Call): Readonly<Record<string, unknown>> {
  if (call.headers.get("content-type")?.startsWith("application/json") !== true) {
    return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(call.body)))
  }
  const read = jsonOf(call)
  return typeof read === "object" && read !== null ? { ...read } : {}
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined
}

function isOverQuota({ world }: Call, user: User, { content = "" }: NoteInput): boolean {
  const used = usedBy(world, user.id) + notesOf(world).used(user.id)
  return user.quota !== undefined && used + Buffer.byteLength(content) > user.quota
}

/** Version 0.2 knows no titles: the first line is the title. */
function titleFrom(content: string): string {
  return (content.trim().split("\n")[0] ?? "").replace(/^[#>*+\s-]+/, "")
}

function withEtag(call: Call, etag: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  const known = call.headers.get("if-none-match")
  const kept = { etag: `"${etag}"`, ...headers }
  if (known !== null && bare(known) === etag) return { status: 304, headers: { ...noStore, ...kept } }
  return json(200, body, kept)
}

function bare(etag: string): string {
  return etag.replace(/^(?:W\/)?"?|"$/g, "")
}
