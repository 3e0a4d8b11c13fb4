// The Notes tools: Markdown texts with a title and a category. The server has etags and respects If-Match when writing.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { retryOnConflict } from "../../conflict-retry.ts"
import { toBareEtag } from "../../etag.ts"
import { offsetArgument, pageFields, paging, textPartFields, toExcerpt, toPage, toTextPart } from "../../page.ts"
import { pluralize } from "../../pluralize.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { fromSeconds } from "../../time.ts"
import { defineTool, withOfferTest } from "../../tool.ts"
import { hasNotes, noteLink, notes, readNote } from "./api.ts"
import { attachmentTools } from "./attachment.ts"

const note = { id: integer(), title: text(), category: text(), favorite: flag(), modified: text(), url: text() }

const shortNote = object({ ...note, excerpt: optional(text()) })

const wholeNote = object({ ...note, etag: text(), readonly: flag(), ...textPartFields })

const id = integer()

function toShort(nextcloud: Nextcloud, fields: Fields) {
  return {
    id: fields.number("id"),
    title: fields.text("title"),
    category: fields.text("category"),
    favorite: fields.flag("favorite"),
    modified: fromSeconds(fields.number("modified")),
    url: noteLink(nextcloud, fields.number("id")),
  }
}

function toFullNote(nextcloud: Nextcloud, fields: Fields, offset?: number) {
  return {
    ...toShort(nextcloud, fields),
    etag: fields.text("etag"),
    readonly: fields.maybeFlag("readonly") ?? false,
    ...toTextPart(fields.text("content"), offset),
  }
}

// #region list
const listNotes = defineTool({
  name: "nc_notes_list_notes",
  title: "List notes",
  description: "The user's notes, newest first, without their content.",
  scopes: ["notes.read"],
  effect: "read",
  input: object({ category: optional(text("Only of this category, exactly as written")), ...paging }),
  output: object({ notes: list(shortNote), categories: list(text()), ...pageFields }),
  async run({ category, ...page }, nextcloud) {
    const activity = "listing the notes"
    const answer = await notes(nextcloud, { path: "/notes", query: { exclude: "content", category }, activity })
    const sorted = objectsOf(answer.json(), activity).toSorted((a, b) => b.number("modified") - a.number("modified"))
    const categories = [...new Set(sorted.map((fields) => fields.text("category")))].sort()
    const { items, facts } = toPage(sorted, page)
    return { notes: items.map((fields) => toShort(nextcloud, fields)), categories, ...facts }
  },
})
// #endregion

const getNote = defineTool({
  name: "nc_notes_get_note",
  title: "Read a note",
  description: "One note with its content, and the etag for changing it.",
  scopes: ["notes.read"],
  effect: "read",
  input: object({ note_id: id, ...offsetArgument }),
  output: wholeNote,
  run: async ({ note_id, offset }, nextcloud) => toFullNote(nextcloud, await readNote(nextcloud, note_id), offset),
})

const searchNotes = defineTool({
  name: "nc_notes_search_notes",
  title: "Search notes",
  description: "Notes that contain all of these words or parts of words, in any order, in title, category or content.",
  scopes: ["notes.read"],
  effect: "read",
  input: object({ query: text("Words", { least: 1 }), ...paging }),
  output: object({ notes: list(shortNote), ...pageFields }),
  async run({ query, ...page }, nextcloud) {
    const activity = "searching the notes"
    const words = query.toLowerCase().normalize("NFC").split(/\s+/).filter(Boolean)
    const answer = await notes(nextcloud, { path: "/notes", activity, maxBytes: maxAllNotesBytes })
    const matches = objectsOf(answer.json(), activity).filter((fields) => {
      const noteText = ["title", "category", "content"].map((name) => fields.text(name)).join("\n")
      const searchedText = noteText.toLowerCase().normalize("NFC")
      return words.every((word) => searchedText.includes(word))
    })
    const { items, facts } = toPage(matches, page)
    const toMatch = (fields: Fields) => ({
      ...toShort(nextcloud, fields),
      excerpt: excerptAround(fields.text("content"), words[0] ?? ""),
    })
    return { notes: items.map(toMatch), ...facts }
  },
})

/**
 * The size limit for reading all notes with their content. A search reads them all, because the server cannot search.
 */
const maxAllNotesBytes = 64 * 1_024 * 1_024

/** An excerpt of the content from shortly before the word. From the beginning when the word is not in the content. */
function excerptAround(content: string, word: string): string {
  const index = content.toLowerCase().indexOf(word)
  return toExcerpt(content.slice(Math.max(0, index - 60)))
}

const createNote = defineTool({
  name: "nc_notes_create_note",
  title: "Write a new note",
  description: "Creates a note. If the title is taken, the server changes it.",
  scopes: ["notes.write"],
  effect: "add",
  input: object({
    title: text(undefined, { least: 1 }),
    content: text("Markdown"),
    category: optional(text("Such as “Work/Plans”; default: none")),
    favorite: optional(flag()),
  }),
  output: wholeNote,
  async run(json, nextcloud) {
    const activity = "creating the note"
    const answer = await notes(nextcloud, { method: "POST", path: "/notes", json, activity })
    return toFullNote(nextcloud, fieldsOf(answer.json(), activity))
  },
})

const updateNote = defineTool({
  name: "nc_notes_update_note",
  title: "Change a note",
  description: "Changes only the given fields. Fails with the current note if it has changed.",
  scopes: ["notes.write"],
  effect: "change",
  input: object({
    note_id: id,
    etag: text("As it was read"),
    title: optional(text()),
    content: optional(text("The whole new content")),
    category: optional(text("Empty for none")),
    favorite: optional(flag()),
  }),
  output: wholeNote,
  async run({ note_id, etag, ...changes }, nextcloud) {
    if (Object.values(changes).every((value) => value === undefined))
      throw nextcloudError("invalid", {
        activity: `changing the note ${note_id}`,
        because: "there is nothing to change",
      })
    return toFullNote(nextcloud, await putNote(nextcloud, note_id, etag, changes))
  },
})

const appendContent = defineTool({
  name: "nc_notes_append_content",
  title: "Add to a note",
  description: "Adds text at the end of a note, after a line with ---.",
  scopes: ["notes.write"],
  effect: "add",
  input: object({ note_id: id, content: text("Markdown", { least: 1 }) }),
  output: wholeNote,
  requests: 2,
  requestsNote: "Two more each time that someone else wrote in between, up to five times.",
  async run({ note_id, content }, nextcloud) {
    return retryOnConflict(async () => toFullNote(nextcloud, await appendText(nextcloud, note_id, content)))
  },
})

async function appendText(nextcloud: Nextcloud, id: number, content: string): Promise<Fields> {
  const noteBefore = await readNote(nextcloud, id)
  const oldContent = noteBefore.text("content")
  const newContent = oldContent.trim() === "" ? content : `${oldContent.replace(/\n+$/, "")}\n\n---\n\n${content}`
  return putNote(nextcloud, id, noteBefore.text("etag"), { content: newContent })
}

/** Writes a note only if it is unchanged; otherwise throws a conflict with the current note. */
async function putNote(nextcloud: Nextcloud, id: number, etag: string, json: object): Promise<Fields> {
  const activity = `changing the note ${id}`
  const headers = { "if-match": `"${toBareEtag(etag)}"` }
  const answer = await notes(nextcloud, { method: "PUT", path: `/notes/${id}`, headers, json, activity, accept: [412] })
  const note = fieldsOf(answer.json(), activity)
  if (answer.status === 412)
    throw nextcloudError("conflict", { status: 412, activity, current: toFullNote(nextcloud, note) })
  return note
}

const deleteNote = defineTool({
  name: "nc_notes_delete_note",
  title: "Delete a note",
  description: "Moves a note to the trash of Files.",
  scopes: ["notes.write"],
  effect: "remove",
  input: object({ note_id: id }),
  output: object({ deleted: text("Its title") }),
  requests: 2,
  confirm: {
    verb: "Delete",
    async readLoss({ note_id }, nextcloud) {
      const note = await readNote(nextcloud, note_id)
      const content = note.text("content")
      const category = note.maybeText("category")
      return {
        what: `the note “${note.text("title")}”`,
        details: [
          ...(category === undefined ? [] : [`Category: ${category}`]),
          content.trim() === ""
            ? "It is empty."
            : `${pluralize(content.length, "character")}: “${toExcerpt(content, 120)}”`,
        ],
        guard: note.text("etag"),
      }
    },
  },
  async run({ note_id }, nextcloud, { loss }) {
    // The server ignores If-Match on DELETE: the current note is compared with what was shown.
    const activity = `deleting the note ${note_id}`
    const note = await readNote(nextcloud, note_id)
    if (loss?.guard !== undefined && loss.guard !== note.text("etag"))
      throw nextcloudError("conflict", { activity, current: toFullNote(nextcloud, note) })
    const answer = await notes(nextcloud, { method: "DELETE", path: `/notes/${note_id}`, activity })
    answer.json()
    return { deleted: note.text("title") }
  },
})

export const noteTools = withOfferTest(hasNotes, [
  listNotes,
  getNote,
  searchNotes,
  createNote,
  updateNote,
  appendContent,
  deleteNote,
  ...attachmentTools,
])
