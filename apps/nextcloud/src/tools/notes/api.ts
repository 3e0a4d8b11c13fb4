// The API of the Notes app.

import type { Capabilities } from "../../api/capabilities.ts"
import type { NcAnswer, NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"

/** Sends a request. `path` is relative to the API: `/notes/5`. */
export const notes = (nextcloud: Nextcloud, request: NcRequest): Promise<NcAnswer> =>
  nextcloud.send({ ...request, path: `/apps/notes/api/v1${request.path}` })

export const hasNotes = (capabilities: Capabilities): boolean => capabilities.has("notes")

export async function readNote(nextcloud: Nextcloud, id: number): Promise<Fields> {
  const activity = `reading the note ${id}`
  return fieldsOf((await notes(nextcloud, { path: `/notes/${id}`, activity })).json(), activity)
}

export const noteLink = (nextcloud: Nextcloud, id: number): string => nextcloud.link(`/apps/notes/note/${id}`)
