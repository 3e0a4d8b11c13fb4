// Decodes parts of addresses.

/** Text that is not properly encoded stays unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
