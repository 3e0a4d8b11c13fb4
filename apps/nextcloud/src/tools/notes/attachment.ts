// Tools for attachments of notes, which are files beside the note or in a folder there, and for the settings of Notes.

import { filesPath } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"
import { toTextPart } from "../../page.ts"
import { decodeSegment } from "../../path-encoding.ts"
import { integer, object, oneOf, optional, text } from "../../schema.ts"
import { defineTool, withContent } from "../../tool.ts"
import { notes, readNote } from "./api.ts"

const mostBytes = 8 * 1_024 * 1_024

const getAttachment = defineTool({
  name: "nc_notes_get_attachment",
  title: "Open an attachment of a note",
  description: "A picture or file in a note: pictures as pictures, texts as text, others as blobs.",
  scopes: ["notes.read"],
  effect: "read",
  input: object({ note_id: integer(), filename: text("As named in the note", { least: 1 }) }),
  output: object({
    filename: text(),
    mime_type: text(),
    size: integer("Bytes"),
    content: optional(text()),
    next_offset: optional(integer("The text is longer: read the file itself")),
  }),
  requests: 2,
  source: "documented",
  notRecorded:
    "Attachments of notes. The documentation says that they are files in the note's folder, or in a folder of their own there.",
  async run({ note_id, filename: requestedName }, nextcloud, { signal }) {
    const filename = requestedName.replace(/^\.\//, "")
    const activity = `reading the attachment ${filename} of the note ${note_id}`
    assertName(filename, note_id, activity)
    const note = await readNote(nextcloud, note_id)
    const folder = note.text("internalPath").replace(/[^/]*$/, "")
    const { name, subfolder } = splitFilename(filename, note_id, note.text("content"))
    const path = filesPath(await nextcloud.userId(), `${folder}${subfolder}${name}`)
    const answer = await nextcloud.send({ path, headers: { accept: "*/*" }, activity, signal, maxBytes: mostBytes })
    const mimeType = (answer.headers.get("content-type") ?? "application/octet-stream").replace(/;.*/, "").trim()
    const facts = { filename: name, mime_type: mimeType, size: answer.bytes.byteLength }
    if (/^text\/|[/+](json|xml|yaml)$/.test(mimeType) && mimeType !== "image/svg+xml") {
      const { content, next_offset } = toTextPart(answer.text())
      return { ...facts, content, ...(next_offset === undefined ? {} : { next_offset }) }
    }
    const data = Buffer.from(answer.bytes).toString("base64")
    if (/^image\/(png|jpeg|gif|webp)$/.test(mimeType)) return withContent(facts, [{ type: "image", data, mimeType }])
    const resource = { uri: `${nextcloud.url}${path}`, mimeType, blob: data }
    return withContent(facts, [{ type: "resource", resource }])
  },
})

/** Throws for a name that leads outside the attachment folder, however it is encoded. */
function assertName(filename: string, id: number, activity: string): void {
  const attachmentName = withoutFolder(filename, id)
  const isName = (name: string): boolean => !/[/\p{Cs}]|^\.{0,2}$/u.test(name)
  if (isName(attachmentName) && isName(decodeSegment(attachmentName))) return
  const advice = "Read files in other folders with nc_files_read_file."
  throw nextcloudError("invalid", { activity, because: "this is not the name of an attachment", advice })
}

const withoutFolder = (filename: string, id: number): string =>
  filename.replace(new RegExp(`^\\.attachments\\.${id}/`), "")

/**
 * Where an attachment is: the rich editor stores it in a folder “.attachments.5”, the plain editor beside the note.
 * Both write its encoded address into the note. A file beside the note is read only if the note mentions it.
 */
function splitFilename(
  filename: string,
  id: number,
  content: string,
): { readonly name: string; readonly subfolder: string } {
  const subfolder = `.attachments.${id}/`
  const attachmentName = withoutFolder(filename, id)
  if (attachmentName !== filename) return { name: decodeSegment(attachmentName), subfolder }
  const isLinked = (at: string): boolean =>
    [filename, encodeURI(filename), encodeURIComponent(filename)].some((writtenName) =>
      ["(", "(./", "<", '"'].some((openingMark) => content.includes(`${openingMark}${at}${writtenName}`)),
    )
  return isLinked("") && !isLinked(subfolder)
    ? { name: decodeSegment(filename), subfolder: "" }
    : { name: filename, subfolder }
}

const modes = ["edit", "preview", "rich"] as const

const settings = object({ notes_path: text(), file_suffix: text(), note_mode: optional(text()) })

function toSettings(fields: Fields) {
  const noteMode = fields.maybeText("noteMode")
  return {
    notes_path: fields.text("notesPath"),
    file_suffix: fields.text("fileSuffix"),
    ...(noteMode === undefined ? {} : { note_mode: noteMode }),
  }
}

const getSettings = defineTool({
  name: "nc_notes_get_settings",
  title: "Settings of Notes",
  description: "The folder of the notes, the suffix of their files, and how notes are shown.",
  scopes: ["notes.read"],
  effect: "read",
  input: object({}),
  output: settings,
  async run(_, nextcloud) {
    const activity = "reading the settings of Notes"
    return toSettings(fieldsOf((await notes(nextcloud, { path: "/settings", activity })).json(), activity))
  },
})

const setSettings = defineTool({
  name: "nc_notes_set_settings",
  title: "Change settings of Notes",
  description: "Changes the given settings. Another folder shows other notes; none are moved.",
  // All files in a new notes folder become notes that can be read and written, so file scopes are needed too.
  scopes: ["notes.write", "files.read", "files.write"],
  effect: "set",
  input: object({
    notes_path: optional(text(undefined, { least: 1 })),
    file_suffix: optional(text("As .md", { pattern: "^\\.[A-Za-z0-9]{1,10}$" })),
    note_mode: optional(oneOf(modes)),
  }),
  output: settings,
  notRecorded: "Changing how notes are shown.",
  async run({ notes_path, file_suffix, note_mode }, nextcloud) {
    const activity = "changing the settings of Notes"
    const json = { notesPath: notes_path, fileSuffix: file_suffix, noteMode: note_mode }
    if (Object.values(json).every((value) => value === undefined))
      throw nextcloudError("invalid", { activity, because: "there is nothing to change" })
    const answer = await notes(nextcloud, { method: "PUT", path: "/settings", json, activity, repeatable: true })
    return toSettings(fieldsOf(answer.json(), activity))
  },
})

export const attachmentTools = [getAttachment, getSettings, setSettings]
