// Measures of text: characters as people count them, bytes as they are stored.

/** Counts Unicode code points: "👍".length is 2, but the text has one character. */
export function countCharacters(text: string): number {
  return text.length - (text.match(surrogatePairs)?.length ?? 0)
}

const surrogatePairs = /[\ud800-\udbff][\udc00-\udfff]/g

/** Whether databases can store the text: UTF-8 has no lone surrogates, and PostgreSQL stores no NUL. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0")
}

/**
 * Safe to show anywhere: no control characters but tab and line breaks (a terminal obeys the others, C1 ones included)
 * and none that override the direction of what follows (marks and embeddings are how right-to-left text is written).
 */
export function isShowable(text: string): boolean {
  return !unshowable.test(text)
}

const unshowable = /[^\P{Cc}\t\n\r]|[\u202d\u202e]/u

/** Counts the bytes of long texts only: a UTF-16 unit takes at most three. */
export function hasMoreBytes(text: string, maxBytes: number): boolean {
  return text.length * 3 > maxBytes && encoder.encode(text).length > maxBytes
}

const encoder = new TextEncoder()

/** The value as JSON text. Undefined for values that JSON cannot express: cycles, bigints, functions, undefined. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
