// Reads a request's bearer token (RFC 6750 §2.1): from the Authorization header only, never from the body. Pure.

export type BearerResult =
  | { readonly kind: "token"; readonly token: string }
  /** No token, or another scheme: the client has not authenticated yet. */
  | { readonly kind: "none" }
  | { readonly kind: "malformed"; readonly message: string }

/** A generous limit: Node accepts 16 KiB for all headers. */
export const maxTokenLength = 8_192

export function readBearer(request: Pick<Request, "url" | "headers">): BearerResult {
  if (new URL(request.url).searchParams.has("access_token"))
    return malformed("A token in an address ends up in logs. Send it in the Authorization header, and get a new one.")
  const header = request.headers.get("authorization")?.trim() ?? ""
  // Repeated headers arrive joined by commas, which a token cannot contain.
  if (/,\s*bearer\b/i.test(header)) return malformed("There is more than one token. Send one Authorization header.")
  if (!/^bearer(?:\s|$)/i.test(header)) return { kind: "none" }
  const token = header.slice("bearer".length).trim()
  if (token.length > maxTokenLength) return malformed(`The token is longer than ${maxTokenLength} characters.`)
  if (!/^[\w.~+/-]+=*$/.test(token))
    return malformed("The Authorization header does not contain a valid bearer token (RFC 6750).")
  return { kind: "token", token }
}

const malformed = (message: string): BearerResult => ({ kind: "malformed", message })
