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
 * Whether the text is safe to show anywhere: it has no control characters, which terminals obey, except tab and line
 * breaks, and no direction overrides. Direction marks and embeddings are allowed, because right-to-left text needs
 * them.
 */
export function isShowable(text: string): boolean {
  return !unshowable.test(text)
}

const unshowable = /[^\P{Cc}\t\n\r]|[\u202d\u202e]/u

/**
 * Whether the text has more than `maxBytes` bytes as UTF-8. Short texts are not encoded: a UTF-16 unit takes at most
 * three bytes.
 */
export function hasMoreBytes(text: string, maxBytes: number): boolean {
  // Each code unit has one byte at least and three at most.
  return text.length > maxBytes || (text.length * 3 > maxBytes && encoder.encode(text).length > maxBytes)
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
