// Reads the content of a file: a part of its text, or all its bytes. Of a long text only the wanted part is downloaded.

import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { NcAnswer, Nextcloud } from "../../api/nextcloud.ts"
import { toBareEtag } from "../../etag.ts"
import { bytesInWords } from "./item.ts"

export interface Content {
  /** The media type, such as image/png. */
  readonly type: string
  readonly size: number
  readonly etag?: string
  /** The part of the text, if the file is a text. */
  readonly text?: { readonly charset: string; readonly content: string; readonly next_offset?: number }
  /** All bytes, if the file is not a text. */
  readonly bytes?: Uint8Array
}

export interface ReadRequest {
  /** The path below the server's address. */
  readonly address: string
  readonly name: string
  /** The offset in bytes. */
  readonly offset?: number | undefined
  readonly activity: string
  /** The advice for a file that is too large to send. */
  readonly alternative: string
  readonly signal?: AbortSignal
}

/** The size of one part of a text, in bytes. */
export const partBytes = 40_000
/** The size limit of a picture, a sound or another file that can only be sent whole. */
export const mostBytes = 4 * 1_024 * 1_024

export async function readContent(nextcloud: Nextcloud, request: ReadRequest): Promise<Content> {
  const { offset = 0 } = request
  if (isMedia(request.name)) return readWhole(nextcloud, request)
  const answer = await nextcloud.send(requestOf(request, `bytes=${offset}-${offset + partBytes - 1}`))
  if (answer.status === 416) return toEmptyContent(answer, request)
  const { bytes, size } = partOf(answer, offset)
  const type = typeOf(answer)
  const charset = isBinaryType(type) ? undefined : charsetOf(bytes, { type, isStart: offset === 0 })
  if (charset !== undefined) return { ...factsOf(answer, size), text: toText(bytes, charset, { offset, size }) }
  if (offset === 0 && bytes.byteLength === size) return { ...factsOf(answer, size), bytes }
  return readWhole(nextcloud, request)
}

function requestOf({ address, activity, signal }: ReadRequest, range?: string) {
  return {
    path: address,
    // Asks for no compression, because compression changes lengths and possibly the etag.
    headers: { accept: "*/*", "accept-encoding": "identity", ...(range === undefined ? {} : { range }) },
    accept: [416],
    activity,
    ...(signal === undefined ? {} : { signal }),
  }
}

async function readWhole(nextcloud: Nextcloud, request: ReadRequest): Promise<Content> {
  const { offset = 0, activity } = request
  if (offset > 0) {
    const because = "only text can be read from an offset, and this file is not text"
    throw nextcloudError("invalid", { activity, because, advice: "Omit `offset`." })
  }
  return readBytes(nextcloud, request, mostBytes)
}

/** Reads a whole file, up to `maxBytes` bytes. */
export async function readBytes(nextcloud: Nextcloud, request: ReadRequest, maxBytes: number): Promise<WholeContent> {
  try {
    const answer = await nextcloud.send({ ...requestOf(request), maxBytes })
    return { ...factsOf(answer, answer.bytes.byteLength), bytes: answer.bytes }
  } catch (error) {
    if (!isNextcloudError(error) || error.kind !== "too_large") throw error
    const because = `files that are not text can be read only up to ${bytesInWords(maxBytes)}`
    throw nextcloudError("too_large", { activity: request.activity, because, advice: request.alternative })
  }
}

type WholeContent = Content & { readonly bytes: Uint8Array }

/** The content for the status 416, with which an empty file answers every range. Throws when an offset was given. */
function toEmptyContent(answer: NcAnswer, { offset = 0, activity }: ReadRequest): Content {
  if (offset > 0) {
    const advice = "Omit `offset` to start from the beginning."
    throw nextcloudError("invalid", { activity, because: `it ends before byte ${offset}`, advice })
  }
  return { ...factsOf(answer, 0), type: "text/plain", text: { charset: "utf-8", content: "" } }
}

function factsOf(answer: NcAnswer, size: number) {
  const etag = answer.headers.get("etag")
  return { type: typeOf(answer), size, ...(etag === null ? {} : { etag: toBareEtag(etag) }) }
}

const typeOf = ({ headers }: NcAnswer): string =>
  (headers.get("content-type") ?? "application/octet-stream").split(";")[0]?.trim() ?? ""

/** The bytes of the requested part, and the file's size. Servers without range support send the whole file. */
function partOf({ status, headers, bytes }: NcAnswer, offset: number) {
  if (status !== 206) return { bytes: bytes.subarray(offset, offset + partBytes), size: bytes.byteLength }
  const total = Number(/\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1] ?? offset + bytes.byteLength)
  return { bytes, size: total }
}

/** Whether a file is a picture, sound or document by its extension. Such files are fetched whole. */
export const isMedia = (name: string): boolean =>
  isPicture(name) || soundPattern.test(name) || documentPattern.test(name)

export const isPicture = (name: string): boolean => /\.(png|jpe?g|gif|webp|heic|avif|bmp|tiff?)$/i.test(name)

const soundPattern = /\.(mp3|m4a|og[ga]|opus|flac|wav|mp4|mov|webm|mkv)$/i
const documentPattern = /\.(pdf|zip|gz|7z|docx?|xlsx?|pptx?|od[tspg])$/i

/** Whether a media type is binary. SVG is text. */
const isBinaryType = (type: string): boolean =>
  /^(image\/(?!svg)|audio\/|video\/|font\/|application\/(pdf|zip|gzip|x-tar|x-7z|vnd\.))/.test(type)

const isTextType = (type: string): boolean =>
  /^text\/|^application\/(json|xml|javascript|yaml|x-(sh|php|python|yaml|tex))|[+](xml|json)$/.test(type)

/** The charset of a text. Undefined when the bytes are not text. */
export function charsetOf(
  bytes: Uint8Array,
  { type, isStart }: { readonly type: string; readonly isStart: boolean },
): string | undefined {
  if (isStart && bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  if (isStart && bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  if (bytes.includes(0)) return isTextType(type) ? utf16CharsetOf(bytes) : undefined
  if (isUtf8(bytes.subarray(isStart ? 0 : orphanedBytes(bytes), bytes.length - unfinishedBytes(bytes)))) return "utf-8"
  return isTextType(type) ? "windows-1252" : undefined
}

/** Detects UTF-16: Western letters have a zero byte before or after each. */
function utf16CharsetOf(bytes: Uint8Array): string | undefined {
  const zeros = [0, 0]
  bytes.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  })
  const [evenZeros = 0, oddZeros = 0] = zeros
  if (oddZeros > bytes.length / 4 && evenZeros === 0) return "utf-16le"
  return evenZeros > bytes.length / 4 && oddZeros === 0 ? "utf-16be" : undefined
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

const isContinuationByte = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** The number of leading bytes that belong to a character that begins before this part of the file. */
function orphanedBytes(bytes: Uint8Array): number {
  let count = 0
  while (count < 3 && isContinuationByte(bytes[count])) count++
  return count
}

/** The number of trailing bytes of a character that continues after this part of the file. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let distance = 1; distance <= Math.min(3, bytes.length); distance++) {
    const byte = bytes[bytes.length - distance] ?? 0
    if (isContinuationByte(byte)) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > distance ? distance : 0
  }
  return 0
}

function toText(
  bytes: Uint8Array,
  charset: string,
  { offset, size }: { readonly offset: number; readonly size: number },
) {
  const isEnd = offset + bytes.length >= size
  const start = charset === "utf-8" && offset > 0 ? orphanedBytes(bytes) : 0
  const cutBytes = isEnd
    ? 0
    : charset === "utf-8"
      ? unfinishedBytes(bytes)
      : charset.startsWith("utf-16")
        ? bytes.length % 2
        : 0
  const content = new TextDecoder(charset).decode(bytes.subarray(start, bytes.length - cutBytes))
  return { charset, content, ...(isEnd ? {} : { next_offset: offset + bytes.length - cutBytes }) }
}
