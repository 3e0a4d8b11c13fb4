// What is in a file: a part of its text, or all its bytes. Of a long text only the part that is wanted is downloaded.

import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { NcAnswer, Nextcloud } from "../../api/nextcloud.ts"
import { bare } from "../../etag.ts"
import { bytesInWords } from "./item.ts"

export interface Content {
  /** image/png */
  readonly type: string
  readonly size: number
  readonly etag?: string
  /** The part of the text, if it is one. */
  readonly text?: { readonly charset: string; readonly content: string; readonly next_offset?: number }
  /** All of it, if it is none. */
  readonly bytes?: Uint8Array
}

export interface Reading {
  /** Its address, below the server's. */
  readonly at: string
  readonly name: string
  /** In bytes. */
  readonly offset?: number | undefined
  readonly doing: string
  /** What to do with one that is too large to be sent. */
  readonly instead: string
  readonly signal?: AbortSignal
}

/** Bytes of a text at a time. */
export const partBytes = 40_000
/** Of a picture, a sound or another file that can only be sent as a whole. */
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
    // What is compressed on the way has other lengths, and may have another etag.
    headers: { accept: "*/*", "accept-encoding": "identity", ...(range === undefined ? {} : { range }) },
    accept: [416],
    doing,
    ...(signal === undefined ? {} : { signal }),
  }
}

async function readWhole(nextcloud: Nextcloud, reading: Reading): Promise<Content> {
  const { offset = 0, doing } = reading
  if (offset > 0) {
    const because = "only texts can be read from an offset on, and it is none"
    throw nextcloudError("invalid", { doing, because, advice: "Leave `offset` out." })
  }
  return readBytes(nextcloud, reading, mostBytes)
}

/** All of it, up to so many bytes. */
export async function readBytes(nextcloud: Nextcloud, reading: Reading, most: number): Promise<Whole> {
  try {
    const answer = await nextcloud.send({ ...requestOf(reading), maxBytes: most })
    return { ...factsOf(answer, answer.bytes.byteLength), bytes: answer.bytes }
  } catch (error) {
    if (!isNextcloudError(error) || error.kind !== "too_large") throw error
    const because = `only files up to ${bytesInWords(most)} that are no text can be sent`
    throw nextcloudError("too_large", { doing: reading.doing, because, advice: reading.instead })
  }
}

type Whole = Content & { readonly bytes: Uint8Array }

/** An empty file answers like this to every range. */
function nothingThere(answer: NcAnswer, { offset = 0, doing }: Reading): Content {
  if (offset > 0) {
    const advice = "Leave `offset` out to begin at the start."
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

/** Servers that know no ranges send everything. */
function partOf({ status, headers, bytes }: NcAnswer, offset: number) {
  if (status !== 206) return { bytes: bytes.subarray(offset, offset + partBytes), size: bytes.byteLength }
  const total = Number(/\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1] ?? offset + bytes.byteLength)
  return { bytes, size: total }
}

/** By the ending of its name: whether it is fetched as a whole. */
export const isMedia = (name: string): boolean => isPicture(name) || sounds.test(name) || documents.test(name)

export const isPicture = (name: string): boolean => /\.(png|jpe?g|gif|webp|heic|avif|bmp|tiff?)$/i.test(name)

const sounds = /\.(mp3|m4a|og[ga]|opus|flac|wav|mp4|mov|webm|mkv)$/i
const documents = /\.(pdf|zip|gz|7z|docx?|xlsx?|pptx?|od[tspg])$/i

/** A drawing in SVG is a text. */
const isBinaryType = (type: string): boolean =>
  /^(image\/(?!svg)|audio\/|video\/|font\/|application\/(pdf|zip|gzip|x-tar|x-7z|vnd\.))/.test(type)

const isTextType = (type: string): boolean =>
  /^text\/|^application\/(json|xml|javascript|yaml|x-(sh|php|python|yaml|tex))|[+](xml|json)$/.test(type)

/** Undefined when it is no text. */
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

/** Western letters in UTF-16 have a zero before or after each. */
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

/** Bytes at the start that end a character which began before. */
function orphans(bytes: Uint8Array): number {
  let count = 0
  while (count < 3 && isTail(bytes[count])) count++
  return count
}

/** Bytes at the end of a character that goes on. */
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
