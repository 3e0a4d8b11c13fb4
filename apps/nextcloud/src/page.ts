// Paging: lists in pages and long texts in parts, with totals and cursors.

import { nextcloudError } from "./api/error.ts"
import { integer, optional, text } from "./schema.ts"

/** The paging arguments of every list. */
export const paging = {
  limit: optional(integer(undefined, { least: 1, most: 200, usual: 50 })),
  cursor: optional(text("From next_cursor")),
}

/** The output fields beside the items of every list. */
export const pageFields = {
  total: integer(),
  next_cursor: optional(text()),
}

export interface PageArguments {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly facts: { readonly total: number; readonly next_cursor?: string }
}

/** Takes one page from a list that was loaded completely. */
export function toPage<T>(all: readonly T[], { limit = 50, cursor }: PageArguments): Page<T> {
  const offset = offsetIn(cursor)
  const nextOffset = offset + limit
  const items = all.slice(offset, nextOffset)
  return {
    items,
    facts: { total: all.length, ...(nextOffset < all.length ? { next_cursor: toCursor(nextOffset) } : {}) },
  }
}

export const toCursor = (offset: number): string => `at-${offset}`

export function offsetIn(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const digits = /^at-(\d{1,15})$/.exec(cursor)?.[1]
  if (digits !== undefined) return Number(digits)
  const because = "this cursor was not issued by this server"
  throw nextcloudError("invalid", {
    activity: "continuing the list",
    because,
    advice: "Omit `cursor` to start from the beginning.",
  })
}

/** The argument for continuing a long text. */
export const offsetArgument = {
  offset: optional(integer("Characters to skip", { least: 0 })),
}

/** The output fields of every text that may be long. */
export const textPartFields = {
  content: text(),
  total_characters: integer(),
  next_offset: optional(integer()),
}

export interface TextPart {
  readonly content: string
  readonly total_characters: number
  readonly next_offset?: number
}

export const mostCharacters = 40_000

/** One part of a text, never cut inside a surrogate pair. */
export function toTextPart(text: string, offset = 0, maxLength = mostCharacters): TextPart {
  let end = Math.min(text.length, offset + maxLength)
  if (end < text.length && isLowSurrogate(text.charCodeAt(end))) end--
  const nextOffset = end < text.length ? { next_offset: end } : {}
  return { content: text.slice(offset, end), total_characters: text.length, ...nextOffset }
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** An excerpt on one line, never cut inside a surrogate pair. */
export function toExcerpt(text: string, maxLength = 200): string {
  const line = text
    .replace(/\s+/g, " ")
    .replace(/^[\udc00-\udfff]/, "")
    .trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…`
}
