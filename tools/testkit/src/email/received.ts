// Reads a mail as a mail program does: headers, encoded words, and its parts as text and HTML.

export interface ReceivedMail {
  readonly raw: string
  readonly headers: ReadonlyMap<string, string>
  readonly subject: string
  readonly messageId: string
  readonly to: string
  readonly text: string
  readonly html: string
}

export function parseMail(raw: string): ReceivedMail {
  const { headers, body } = parsePart(raw)
  const [, boundary] = /boundary="([^"]+)"/.exec(headers.get("content-type") ?? "") ?? []
  const parts = boundary === undefined ? [{ headers, body }] : partsOf(body, boundary)
  const partOf = (type: string): string => {
    const match = parts.find((part) => (part.headers.get("content-type") ?? "").startsWith(type))
    return match === undefined ? "" : decode(match.body, match.headers.get("content-transfer-encoding") ?? "")
  }
  return {
    raw,
    headers,
    subject: headers.get("subject") ?? "",
    messageId: headers.get("message-id") ?? "",
    to: headers.get("to") ?? "",
    text: partOf("text/plain"),
    html: partOf("text/html"),
  }
}

const partsOf = (body: string, boundary: string) =>
  body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => parsePart(part.replace(/^\r?\n/, "").replace(/\r?\n$/, "")))

function parsePart(text: string): { readonly headers: ReadonlyMap<string, string>; readonly body: string } {
  const end = text.indexOf("\r\n\r\n")
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")
  const headers = lines.map((line) => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())] as const
  })
  return { headers: new Map(headers), body: text.slice(end + 4) }
}

function decode(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8").replaceAll("\r\n", "\n")
  const plain = encoding === "quoted-printable" ? unquoted(body.replace(/=\r?\n/g, "")) : body
  return plain.replaceAll("\r\n", "\n")
}

const unquoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8")

/** RFC 2047. Encoded words that follow each other are one text. */
function decodeWords(text: string): string {
  return text.replace(/\?=\s+=\?/g, "?==?").replace(/((?:=\?utf-8\?[QB]\?[^?]*\?=)+)/gi, (run: string) => {
    const bytes = [...run.matchAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi)].map(([, how = "", word = ""]) =>
      how.toUpperCase() === "B" ? Buffer.from(word, "base64") : Buffer.from(unquotedBytes(word.replaceAll("_", " "))),
    )
    return Buffer.concat(bytes).toString("utf8")
  })
}

const unquotedBytes = (text: string): Uint8Array =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  )
