// Extracts one MIME part of a message source (RFC 2045, RFC 2046) by its IMAP part number. Nothing else of a message is
// parsed here.

interface Entity {
  header(name: string): string
  readonly body: string
}

/**
 * The bytes of the part “2”, or “1.2” for the second part of the first (RFC 9051 section 6.4.5). Undefined when there
 * is none.
 */
export function partOf(source: string, number: string): Uint8Array | undefined {
  // Each nesting level adds a number, so a limit on the length limits the depth.
  if (number.length > 100) return undefined
  const part = inMessage(toEntity(source), number.split(".").map(Number))
  return part === undefined ? undefined : decode(part)
}

/** Finds a part of a message. A message without parts is its own part 1. */
const inMessage = (message: Entity, path: readonly number[]): Entity | undefined =>
  inParts(partsOf(message) ?? [message], path)

function inParts(parts: readonly Entity[], [index = 0, ...innerPath]: readonly number[]): Entity | undefined {
  const part = parts[index - 1]
  if (part === undefined || innerPath.length === 0) return part
  if (/^message\/rfc822/i.test(part.header("content-type"))) return inMessage(toEntity(part.body), innerPath)
  return inParts(partsOf(part) ?? [], innerPath)
}

function partsOf({ header, body }: Entity): readonly Entity[] | undefined {
  const type = header("content-type")
  return /^multipart\//i.test(type) ? partsIn(body, boundaryIn(type)) : undefined
}

function toEntity(text: string): Entity {
  const headerEnd = /^\r?\n|\r?\n\r?\n/.exec(text)
  const headerText = (headerEnd === null ? text : text.slice(0, headerEnd.index)).replace(/\r?\n[ \t]+/g, " ")
  const lines = headerText.split(/\r?\n/).map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line] as const)
  return {
    header(name) {
      const line = lines.find(([headerName]) => headerName.trim() === name)?.[1] ?? ""
      return line.slice(line.indexOf(":") + 1).trim()
    },
    body: headerEnd === null ? "" : text.slice(headerEnd.index + headerEnd[0].length),
  }
}

const boundaryIn = (type: string): string => {
  const [, quoted, unquoted] = /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/i.exec(type) ?? []
  return quoted ?? unquoted ?? ""
}

function partsIn(body: string, boundary: string): readonly Entity[] {
  if (boundary === "") return []
  const parts: Entity[] = []
  let partStart: number | undefined
  for (const { at, end, isLast } of marksIn(body, `--${boundary}`)) {
    if (partStart !== undefined) parts.push(toEntity(body.slice(partStart, at).replace(/\r?\n$/, "")))
    if (isLast) return parts
    partStart = end
  }
  return parts
}

/**
 * Yields the lines that separate the parts: the boundary alone or, after the last part, the boundary and two dashes.
 */
function* marksIn(body: string, mark: string) {
  for (let position = body.indexOf(mark); position >= 0; position = body.indexOf(mark, position + 1)) {
    if (position > 0 && body[position - 1] !== "\n") continue
    const lineEnd = body.indexOf("\n", position)
    const end = lineEnd < 0 ? body.length : lineEnd + 1
    const suffix = body.slice(position + mark.length, end).trim()
    if (suffix === "" || suffix === "--") yield { at: position, end, isLast: suffix === "--" }
  }
}

function decode({ header, body }: Entity): Uint8Array {
  const encoding = header("content-transfer-encoding").toLowerCase()
  if (encoding === "base64") return Buffer.from(body, "base64")
  return encoding === "quoted-printable" ? fromQuoted(body) : Buffer.from(body, "utf8")
}

function fromQuoted(body: string): Uint8Array {
  const unfoldedBody = body.replace(/[ \t]*=[ \t]*\r?\n/g, "")
  const bytes = unfoldedBody.replace(/=([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return Buffer.from(bytes, "latin1")
}
