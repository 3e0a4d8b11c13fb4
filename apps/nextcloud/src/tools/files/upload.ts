// Uploads a file in one request, or in parts (chunked upload v2) that are assembled at the end. An existing file is
// overwritten only when its etag is given.

import { davMessage, davSend, filesPath, propfind } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { NcAnswer, Nextcloud } from "../../api/nextcloud.ts"
import { toBareEtag } from "../../etag.ts"
import { dav, textOf, xml } from "../../xml.ts"
import { isMedia } from "./content.ts"
import { sendDavWrite } from "./dav-write.ts"
import { findFacts, nameOf, normalizePath, writtenFileId } from "./item.ts"
import { readAt, toFileOutput } from "./reading.ts"

export interface Target {
  readonly path: string
  /** The etag of the file to replace. Absent: no file may exist there. */
  readonly etag?: string | undefined
  readonly activity: string
}

export interface UploadedFile {
  readonly path: string
  readonly id: number
  readonly etag: string
  readonly size: number
  readonly created: boolean
  readonly url: string
}

/** Larger files are uploaded in parts. */
export const mostAtOnce = 10_000_000

export async function uploadFile(nextcloud: Nextcloud, target: Target, bytes: Uint8Array): Promise<UploadedFile> {
  const { path, etag, activity } = target
  const condition: Record<string, string> =
    etag === undefined ? { "if-none-match": "*" } : { "if-match": `"${toBareEtag(etag)}"` }
  const answer = await nextcloud.send({
    method: "PUT",
    path: filesPath(await nextcloud.userId(), path),
    headers: { "content-type": "application/octet-stream", ...condition },
    body: bytes,
    activity,
    accept: [404, 409, 412],
  })
  await throwRefusal(nextcloud, target, answer)
  return writtenOf(nextcloud, target, answer, bytes.byteLength)
}

/** Throws when the server refused the write. A conflict contains the current state. */
async function throwRefusal(nextcloud: Nextcloud, { path, activity }: Target, answer: NcAnswer): Promise<void> {
  const { status } = answer
  const detail = davMessage(answer.text())
  const facts = { status, activity, ...(detail === undefined ? {} : { detail }) }
  if (status === 404) {
    const advice = "The folder does not exist: create it first with nc_files_create_directory."
    throw nextcloudError("not_found", { ...facts, advice })
  }
  if (status === 409) {
    const advice = "A folder has this name, or the parent folder is missing. Choose another name."
    throw nextcloudError("conflict", { ...facts, advice, current: await findFacts(nextcloud, path, activity) })
  }
  if (status === 412) throw await toConflict(nextcloud, path, activity)
}

/** The conflict error with the current content, for merging. */
async function toConflict(nextcloud: Nextcloud, path: string, activity: string): Promise<Error> {
  const file = await findFacts(nextcloud, path, activity)
  if (file === undefined) {
    const advice = "It no longer exists. Omit `etag` to create it."
    return nextcloudError("conflict", { status: 412, activity, because: "it was deleted", advice })
  }
  const isText = file.kind === "file" && !isMedia(file.path)
  const currentContent = isText ? await contentOf(nextcloud, path).catch(() => file) : file
  const advice = "Merge with the current content and give its etag, or choose another path."
  return nextcloudError("conflict", { status: 412, activity, advice, current: currentContent })
}

const contentOf = async (nextcloud: Nextcloud, path: string) =>
  toFileOutput(nextcloud, path, await readAt(nextcloud, path))

function writtenOf(
  nextcloud: Nextcloud,
  { path, activity }: Target,
  { status, headers }: NcAnswer,
  size: number,
): UploadedFile {
  const id = writtenFileId(headers)
  const etag = headers.get("oc-etag") ?? headers.get("etag")
  if (etag === null || id === undefined) {
    const advice = "It may have been written: check with nc_files_get_info before trying again."
    throw nextcloudError("malformed", { status, activity, detail: "no etag or id of the written file", advice })
  }
  const url = nextcloud.link(`/f/${id}`)
  return { path: normalizePath(path), id, etag: toBareEtag(etag), size, created: status === 201, url }
}

/** Creates the upload folder for the parts, and returns its id. Nextcloud keeps the folder for a day. */
export async function startUpload(nextcloud: Nextcloud, target: Target): Promise<string> {
  const id = `holdpoint-${crypto.randomUUID()}`
  const { activity } = target
  const headers = await destinationOf(nextcloud, target)
  await sendDavWrite(nextcloud, { method: "MKCOL", path: await uploadPath(nextcloud, id), headers, activity })
  return id
}

export interface UploadPart {
  readonly upload: string
  /** The number of the part, from 1. */
  readonly number: number
  readonly bytes: Uint8Array
}

export async function uploadPart(
  nextcloud: Nextcloud,
  target: Target,
  { upload, number, bytes }: UploadPart,
): Promise<void> {
  await sendDavWrite(nextcloud, {
    method: "PUT",
    path: `${await uploadPath(nextcloud, upload)}/${partName(number)}`,
    headers: { "content-type": "application/octet-stream", ...(await destinationOf(nextcloud, target)) },
    body: bytes,
    activity: target.activity,
    // Sending a part twice is idempotent.
    repeatable: true,
  })
}

/** The total size of the parts 1 to `lastPart`. Throws when one is missing. */
export async function sizeOfParts(
  nextcloud: Nextcloud,
  target: Target,
  upload: string,
  lastPart: number,
): Promise<number> {
  const { activity } = target
  const path = await uploadPath(nextcloud, upload)
  const storedParts = await propfind(nextcloud, { path, props: xml`<d:getcontentlength/>`, depth: 1, activity })
  // The names of the parts are numbers, with or without leading zeros, depending on the server's storage.
  const sizes = new Map(
    storedParts.map(({ href, props }) => [Number(nameOf(href)), Number(textOf(props, dav, "getcontentlength") ?? 0)]),
  )
  const parts = Array.from({ length: lastPart }, (_, index) => index + 1)
  const missingParts = parts.filter((number) => !sizes.has(number))
  if (missingParts.length > 0) {
    const advice = "Send these parts, then the last one again."
    throw nextcloudError("invalid", {
      activity,
      because: `missing parts: ${missingParts.slice(0, 20).join(", ")}`,
      advice,
    })
  }
  return parts.reduce((sum, number) => sum + (sizes.get(number) ?? 0), 0)
}

/**
 * Assembles the parts. Conditional headers do not apply to the target of a MOVE, so the etag of the target is checked
 * right before.
 */
export async function finish(
  nextcloud: Nextcloud,
  target: Target,
  upload: string,
  size: number,
): Promise<UploadedFile> {
  const { path, etag, activity } = target
  const existing = await findFacts(nextcloud, path, activity)
  if (existing?.etag !== (etag === undefined ? undefined : toBareEtag(etag)))
    throw await toConflict(nextcloud, path, activity)
  const answer = await davSend(nextcloud, {
    method: "MOVE",
    path: `${await uploadPath(nextcloud, upload)}/.file`,
    headers: {
      ...(await destinationOf(nextcloud, target)),
      "oc-total-length": String(size),
      overwrite: etag === undefined ? "F" : "T",
    },
    activity,
    accept: [409, 412],
  })
  await throwRefusal(nextcloud, target, answer)
  const { headers, status } = answer
  if (headers.has("etag") && headers.has("oc-fileid")) return writtenOf(nextcloud, target, answer, size)
  // With object storage, the response does not contain the new etag.
  const file = await findFacts(nextcloud, path, activity)
  if (file === undefined)
    throw nextcloudError("malformed", { status, activity, detail: "the parts were not assembled" })
  return { path: file.path, id: file.id, etag: file.etag, size: file.size, created: status === 201, url: file.url }
}

/** Deletes an upload that will not be finished. */
export async function abandon(nextcloud: Nextcloud, upload: string): Promise<void> {
  const path = await uploadPath(nextcloud, upload)
  await nextcloud.send({ method: "DELETE", path, activity: "deleting an unfinished upload", accept: [404] })
}

async function destinationOf(nextcloud: Nextcloud, { path }: Target): Promise<{ readonly destination: string }> {
  return { destination: `${nextcloud.url}${filesPath(await nextcloud.userId(), path)}` }
}

const uploadPath = async (nextcloud: Nextcloud, id: string): Promise<string> =>
  `/remote.php/dav/uploads/${encodeURIComponent(await nextcloud.userId())}/${encodeURIComponent(id)}`

const partName = (number: number): string => String(number).padStart(5, "0")
