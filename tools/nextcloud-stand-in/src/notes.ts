// The API of the Notes app, version 1, as a real server answers.

import type { Area, Call, Reply, User } from "./area.ts"
import { usedBy } from "./files/store.ts"
import { md5, type Note, type NoteInput, type Notes, notesOf, seconds } from "./notes/store.ts"
import { emptyReply, json, noStore } from "./replies.ts"
import { jsonOf } from "./routes.ts"

type Route = (call: Call, user: User, notes: Notes, id: string) => Reply

/** The handlers by method and by path below /apps/notes/api/, in which `{id}` is a number. */
const routes: Readonly<Record<string, Route>> = {
  "GET v1/notes": listNotes,
  "POST v1/notes": createNote,
  "GET v1/notes/{id}": getNote,
  "PUT v1/notes/{id}": updateNote,
  "DELETE v1/notes/{id}": removeNote,
  "GET v1/settings": (_, user, notes) => json(200, notes.settings(user.id)),
  "PUT v1/settings": (call, user, notes) => json(200, notes.settings(user.id, fieldsOf(call))),
}

const noteNotFound = { errorType: "OCA\\Notes\\Service\\NoteDoesNotExistException" }
const storageFull = { errorType: "OCA\\Notes\\Service\\InsufficientStorageException" }

export const notesArea: Area = (call) => {
  const apiPath = /^\/apps\/notes\/api\/(.*?)\/?$/.exec(call.path)?.[1]
  if (apiPath === undefined) return undefined
  const { user } = call
  if (user === undefined) return undefined
  const [, id = ""] = /\/(\d+)$/.exec(apiPath) ?? []
  const path = apiPath.replace(/\d+$/, id === "" ? "$&" : "{id}")
  const route = routes[`${call.method} ${path}`]
  if (route === undefined && call.method !== "GET") return emptyReply(405)
  const reply = route === undefined ? json(400, []) : route(call, user, notesOf(call.world), id)
  return { ...reply, headers: { ...reply.headers, "x-notes-api-versions": "0.2, 1.3, 1.4" } }
}

function listNotes(call: Call, user: User, notes: Notes): Reply {
  const category = call.query.get("category")
  const listedNotes = notes
    .list(user.id)
    .filter((note) => category === null || note.category === category)
    .sort((one, other) => one.lastUpdate - other.lastUpdate || one.id - other.id)
    .map(createNoteFormatter(call, user, notes))
  const headers = { "last-modified": new Date(seconds(call.world) * 1000).toUTCString() }
  return withEtag(call, md5(JSON.stringify(listedNotes)), listedNotes, headers)
}

function getNote(call: Call, user: User, notes: Notes, id: string): Reply {
  const note = notes.get(user.id, Number(id))
  return note === undefined
    ? json(404, noteNotFound)
    : withEtag(call, note.etag, createNoteFormatter(call, user, notes)(note))
}

function createNote(call: Call, user: User, notes: Notes): Reply {
  const input = inputOf(call)
  if (isOverQuota(call, user, input)) return json(507, storageFull)
  return json(200, createNoteFormatter(call, user, notes)(notes.create(user.id, input)))
}

function updateNote(call: Call, user: User, notes: Notes, id: string): Reply {
  const note = notes.get(user.id, Number(id))
  if (note === undefined) return json(404, noteNotFound)
  const show = createNoteFormatter(call, user, notes)
  const expected = call.headers.get("if-match")
  if (expected !== null && toBareEtag(expected) !== note.etag) return json(412, show(note))
  const input = inputOf(call)
  if (isOverQuota(call, user, input)) return json(507, storageFull)
  const updatedNote = notes.update(user.id, note.id, input)
  return updatedNote === undefined ? json(404, noteNotFound) : json(200, show(updatedNote))
}

function removeNote(_: Call, user: User, notes: Notes, id: string): Reply {
  return notes.remove(user.id, Number(id)) ? json(200, []) : json(404, noteNotFound)
}

/** Returns a function that shows a note as the API does, without the fields that the query excludes. */
function createNoteFormatter(call: Call, user: User, notes: Notes): (note: Note) => Record<string, unknown> {
  const unwanted = new Set((call.query.get("exclude") ?? "").split(","))
  return (note) => {
    const fields = {
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
    return Object.fromEntries(Object.entries(fields).filter(([key]) => key === "id" || !unwanted.has(key)))
  }
}

/** An unreadable body counts as empty: a broken request creates an empty note. */
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
  const body = jsonOf(call)
  return typeof body === "object" && body !== null ? { ...body } : {}
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined
}

function isOverQuota({ world }: Call, user: User, { content = "" }: NoteInput): boolean {
  const usedBytes = usedBy(world, user.id) + notesOf(world).used(user.id)
  return user.quota !== undefined && usedBytes + Buffer.byteLength(content) > user.quota
}

function withEtag(call: Call, etag: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  const clientEtag = call.headers.get("if-none-match")
  const cacheHeaders = { etag: `"${etag}"`, ...headers }
  if (clientEtag !== null && toBareEtag(clientEtag) === etag)
    return { status: 304, headers: { ...noStore, ...cacheHeaders } }
  return json(200, body, cacheHeaders)
}

function toBareEtag(etag: string): string {
  return etag.replace(/^(?:W\/)?"?|"$/g, "")
}
