// Decodes percent-encoded parts of URLs.

/** Returns text with an invalid percent encoding unchanged. */
export function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
