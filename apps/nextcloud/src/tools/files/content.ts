// Reads the content of a file: a part of its text, or all its bytes. Of a long text only the wanted part is downloaded.

import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { NcAnswer, Nextcloud } from "../../api/nextcloud.ts"
import { bare } from "../../etag.ts"
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

export interface Reading {
  /** The path below the server's address. */
  readonly at: string
  readonly name: string
  /** The offset in bytes. */
  readonly offset?: number | undefined
  readonly doing: string
  /** The advice for a file that is too large to send. */
  readonly instead: string
  readonly signal?: AbortSignal
}

/** The size of one part of a text, in bytes. */
export const partBytes = 40_000
/** The size limit of a picture, a sound or another file that can only be sent whole. */
export const mostBytes = 4 * 1_024 * 1_024

export async function readContent(nextcloud: Nextcloud, reading: Reading): Promise<Content> {
  const { offset = 0 } = reading
  if (isMedia(reading.name)) return readWhole(nextcloud, reading)
  const answer = await nextcloud.send(requestOf(reading, `bytes=${offset}-${offset + partBytes - 1}`))
  if (answer.status === 416) return nothingThere(answer, reading)
  const { bytes, size } = partOf(answer, offset)
  const type = typeOf(answer)
  const charset = isBinaryType(type) ? undefined : charsetOf(bytes, { type, isStart: offset === 0 })
  if (charset !== undefined) return { ...factsOf(answer, size), text: toText(bytes, charset, { offset, size }) }
  if (offset === 0 && bytes.byteLength === size) return { ...factsOf(answer, size), bytes }
  return readWhole(nextcloud, reading)
}

function requestOf({ at, doing, signal }: Reading, range?: string) {
  return {
    path: at,
    // Without compression, because it changes lengths and possibly the etag.
    headers: { accept: "*/*", "accept-encoding": "identity", ...(range === undefined ? {} : { range }) },
    accept: [416],
    doing,
    ...(signal === undefined ? {} : { signal }),
  }
}

async function readWhole(nextcloud: Nextcloud, reading: Reading): Promise<Content> {
  const { offset = 0, doing } = reading
  if (offset > 0) {
    const because = "only text can be read from an offset, and this file is not text"
    throw nextcloudError("invalid", { doing, because, advice: "Omit `offset`." })
  }
  return readBytes(nextcloud, reading, mostBytes)
}

/** Reads a whole file, up to `most` bytes. */
export async function readBytes(nextcloud: Nextcloud, reading: Reading, most: number): Promise<Whole> {
  try {
    const answer = await nextcloud.send({ ...requestOf(reading), maxBytes: most })
    return { ...factsOf(answer, answer.bytes.byteLength), bytes: answer.bytes }
  } catch (error) {
    if (!isNextcloudError(error) || error.kind !== "too_large") throw error
    const because = `only files up to ${bytesInWords(most)} that are not text can be sent`
    throw nextcloudError("too_large", { doing: reading.doing, because, advice: reading.instead })
  }
}

type Whole = Content & { readonly bytes: Uint8Array }

/** The result for 416: an empty file answers every range like this. */
function nothingThere(answer: NcAnswer, { offset = 0, doing }: Reading): Content {
  if (offset > 0) {
    const advice = "Omit `offset` to start from the beginning."
    throw nextcloudError("invalid", { doing, because: `it ends before byte ${offset}`, advice })
  }
  return { ...factsOf(answer, 0), type: "text/plain", text: { charset: "utf-8", content: "" } }
}

function factsOf(answer: NcAnswer, size: number) {
  const etag = answer.headers.get("etag")
  return { type: typeOf(answer), size, ...(etag === null ? {} : { etag: bare(etag) }) }
}

const typeOf = ({ headers }: NcAnswer): string =>
  (headers.get("content-type") ?? "application/octet-stream").split(";")[0]?.trim() ?? ""

/** The requested part. Servers without range support send everything. */
function partOf({ status, headers, bytes }: NcAnswer, offset: number) {
  if (status !== 206) return { bytes: bytes.subarray(offset, offset + partBytes), size: bytes.byteLength }
  const total = Number(/\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1] ?? offset + bytes.byteLength)
  return { bytes, size: total }
}

/** Whether a file is fetched whole, judged by its extension. */
export const isMedia = (name: string): boolean => isPicture(name) || sounds.test(name) || documents.test(name)

export const isPicture = (name: string): boolean => /\.(png|jpe?g|gif|webp|heic|avif|bmp|tiff?)$/i.test(name)

const sounds = /\.(mp3|m4a|og[ga]|opus|flac|wav|mp4|mov|webm|mkv)$/i
const documents = /\.(pdf|zip|gz|7z|docx?|xlsx?|pptx?|od[tspg])$/i

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
  if (bytes.includes(0)) return isTextType(type) ? wideCharset(bytes) : undefined
  if (isUtf8(bytes.subarray(isStart ? 0 : orphans(bytes), bytes.length - unfinished(bytes)))) return "utf-8"
  return isTextType(type) ? "windows-1252" : undefined
}

/** Detects UTF-16: Western letters have a zero byte before or after each. */
function wideCharset(bytes: Uint8Array): string | undefined {
  const zeros = [0, 0]
  bytes.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  if (odd > bytes.length / 4 && even === 0) return "utf-16le"
  return even > bytes.length / 4 && odd === 0 ? "utf-16be" : undefined
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

const isTail = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** The number of leading bytes that belong to a character before the part. */
function orphans(bytes: Uint8Array): number {
  let count = 0
  while (count < 3 && isTail(bytes[count])) count++
  return count
}

/** The number of trailing bytes of a character that continues after the part. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isTail(byte)) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

function toText(
  bytes: Uint8Array,
  charset: string,
  { offset, size }: { readonly offset: number; readonly size: number },
) {
  const isEnd = offset + bytes.length >= size
  const start = charset === "utf-8" && offset > 0 ? orphans(bytes) : 0
  const cut = isEnd ? 0 : charset === "utf-8" ? unfinished(bytes) : charset.startsWith("utf-16") ? bytes.length % 2 : 0
  const content = new TextDecoder(charset).decode(bytes.subarray(start, bytes.length - cut))
  return { charset, content, ...(isEnd ? {} : { next_offset: offset + bytes.length - cut }) }
}
