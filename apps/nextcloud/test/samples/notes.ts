// One call of each tool for notes.

import type { Nextcloud } from "../../src/api/nextcloud.ts"
import { noteTools } from "../../src/tools/notes/notes.ts"
import { callTool, toolOf } from "../fits.ts"
import type { Samples } from "./sample.ts"

interface Written {
  readonly id: number
  readonly etag: string
}

export const createdNote = (nextcloud: Nextcloud, fields: object = {}): Promise<Written> =>
  callTool(
    toolOf(noteTools, "nc_notes_create_note"),
    { title: "Einkauf 100% 🛒", content: "# Milch\n- Äpfel", category: "Haus/Küche", ...fields },
    nextcloud,
  )

/** A file beside the note, as the web interface puts it there. */
export async function attached(nextcloud: Nextcloud, id: number, name: string, body: Uint8Array): Promise<void> {
  const activity = "attaching"
  let path = `/remote.php/dav/files/${await nextcloud.userId()}`
  for (const folder of ["Notes", "Haus", "Küche", `.attachments.${id}`]) {
    path += `/${encodeURIComponent(folder)}`
    await nextcloud.send({ method: "MKCOL", path, activity, accept: [405] })
  }
  await nextcloud.send({ method: "PUT", path: `${path}/${encodeURIComponent(name)}`, body, activity })
}

export const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

const missing = { note_id: 999_999 }

export const notesSamples: Samples = {
  nc_notes_list_notes: { arguments: () => ({}) },
  nc_notes_get_note: { arguments: async ({ alice }) => ({ note_id: (await createdNote(alice)).id }), missing },
  nc_notes_search_notes: { arguments: () => ({ query: "a" }) },
  nc_notes_create_note: { arguments: () => ({ title: "Plan ✓", content: "x" }) },
  nc_notes_update_note: {
    arguments: async ({ alice }) => {
      const { id, etag } = await createdNote(alice)
      return { note_id: id, etag, content: "new" }
    },
    missing: { ...missing, etag: "x", content: "y" },
    conflict: async ({ alice }) => ({ note_id: (await createdNote(alice)).id, etag: "stale", content: "y" }),
  },
  nc_notes_append_content: {
    arguments: async ({ alice }) => ({ note_id: (await createdNote(alice)).id, content: "more" }),
    missing: { ...missing, content: "more" },
  },
  nc_notes_delete_note: { arguments: async ({ alice }) => ({ note_id: (await createdNote(alice)).id }), missing },
  nc_notes_get_attachment: {
    arguments: async ({ alice }) => {
      const { id } = await createdNote(alice)
      await attached(alice, id, "cat.png", picture)
      return { note_id: id, filename: "cat.png" }
    },
    missing: { ...missing, filename: "cat.png" },
  },
  nc_notes_get_settings: { arguments: () => ({}) },
  nc_notes_set_settings: { arguments: () => ({ notes_path: "Notes", file_suffix: ".md" }) },
}
