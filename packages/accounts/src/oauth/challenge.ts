// Reads the Bearer challenge of a 401 (RFC 9110 §11.6.1, RFC 9728 §5.1). Pure. The header is untrusted, because a
// foreign server wrote it.

export interface Challenge {
  /** The address of the protected-resource metadata. */
  readonly metadata?: string
  /** The scopes that the request would have needed. */
  readonly scopes?: readonly string[]
}

/** The most characters of a header. A longer header is cut, so that parsing it takes little time. */
const maxLength = 8_192

export function readChallenge(header: string): Challenge {
  const parameters = bearerParameters(header.slice(0, maxLength))
  const metadata = parameters.get("resource_metadata")
  const scopes = (parameters.get("scope") ?? "").split(" ").filter((scope) => scope !== "")
  return {
    ...(metadata === undefined || metadata === "" ? {} : { metadata }),
    ...(scopes.length === 0 ? {} : { scopes }),
  }
}

/** Matches the next part of the header: a scheme, or a parameter of the preceding scheme, with or without quotes. */
const piece = /(?:^|[,\s])[,\s]*(?:([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))|([A-Za-z][\w-]*)(?=\s|,|$))/gy

function bearerParameters(header: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  let isBearer = false
  piece.lastIndex = 0
  for (let match = piece.exec(header); match !== null; match = piece.exec(header)) {
    const [, name, quoted, token, scheme] = match
    if (scheme !== undefined) isBearer = scheme.toLowerCase() === "bearer"
    else if (name !== undefined && isBearer && !parameters.has(name.toLowerCase()))
      parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? token ?? "")
  }
  return parameters
}
