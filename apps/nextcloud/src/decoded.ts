// Parts of addresses, as the server or a person wrote them.

/** What is not properly encoded stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The last part of an address, as `work` of `/remote.php/dav/calendars/alice/work/`. */
export const lastPart = (href: string): string => decoded(/([^/]+)\/?$/.exec(href)?.[1] ?? "")

/** Whose something is, out of `/remote.php/dav/principals/users/alice/`. */
export function personIn(principal: string): string | undefined {
  const id = /\/users\/([^/]+)\/?$/.exec(principal)?.[1]
  return id === undefined ? undefined : decoded(id)
}

/**
 * A path as the server itself writes it, by which the web interface finds things: some characters as they are, some not,
 * the numbers of the others in small letters.
 */
export const serverWrites = (path: string): string =>
  path
    .replace(/%40/g, "@")
    .replace(/%3A/g, ":")
    .replace(/[!*']/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
    .replace(/%[0-9A-F]{2}/g, (one) => one.toLowerCase())
