// Decodes and encodes parts of addresses in the way that Nextcloud writes them.

/** Decodes percent-encoding. Returns text that is not properly encoded unchanged. */
export function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The last segment of an address: `work` of `/remote.php/dav/calendars/alice/work/`. */
export const lastSegment = (href: string): string => decodeSegment(/([^/]+)\/?$/.exec(href)?.[1] ?? "")

/** The user id in a principal such as `/remote.php/dav/principals/users/alice/`. */
export function userIdOf(principal: string): string | undefined {
  const id = /\/users\/([^/]+)\/?$/.exec(principal)?.[1]
  return id === undefined ? undefined : decodeSegment(id)
}

/**
 * Rewrites an encoded path exactly as Nextcloud encodes it: some characters stay, the others get lower-case hex digits.
 * Links into the web interface find their target only in this form.
 */
export const toServerEncoding = (path: string): string =>
  path
    .replace(/%40/g, "@")
    .replace(/%3A/g, ":")
    .replace(/[!*']/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
    .replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase())
