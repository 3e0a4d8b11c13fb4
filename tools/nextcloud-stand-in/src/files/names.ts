// File names: the type by the extension, forbidden names, and the encoding of paths in addresses.

const types: Readonly<Record<string, string>> = {
  txt: "text/plain",
  md: "text/markdown",
  markdown: "text/markdown",
  csv: "text/csv",
  html: "text/html",
  css: "text/css",
  js: "application/javascript",
  json: "application/json",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  ics: "text/calendar",
  vcf: "text/vcard",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  svg: "image/svg+xml",
  webp: "image/webp",
  heic: "image/heic",
  pdf: "application/pdf",
  odt: "application/vnd.oasis.opendocument.text",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  zip: "application/zip",
  gz: "application/gzip",
  bin: "application/x-bin",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  mp4: "video/mp4",
  webm: "video/webm",
}

export function typeOf(name: string): string {
  const extension = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : ""
  return types[extension] ?? "application/octet-stream"
}

/** Why a name is refused; undefined when it is valid. */
export function findNameProblem(name: string): string | undefined {
  if (name.toLowerCase() === ".htaccess") return "Filename is a reserved word"
  if (name.includes("\\")) return `"\\" is not allowed inside a file or folder name.`
  if (new TextEncoder().encode(name).byteLength > 250) return "Filename is too long"
  if (/\.(filepart|part)$/i.test(name)) return `"${name.slice(name.lastIndexOf("."))}" is a forbidden file type.`
  return undefined
}

/** Encodes a path as the server does: all but unreserved bytes, in lower-case hex. */
export function encodePath(path: string): string {
  return path.replace(/[^A-Za-z0-9_.~()/-]+/g, (part) =>
    [...new TextEncoder().encode(part)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  )
}

/** Encodes text like PHP's rawurlencode, for headers. */
export function rawUrlEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The decoded path without a trailing slash, "/" if empty. Undefined when the encoding is not valid. */
export function decodePath(path: string): string | undefined {
  try {
    const parts = decodeURIComponent(path).normalize("NFC").split("/")
    return `/${parts.filter((part) => part !== "").join("/")}`
  } catch {
    return undefined
  }
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/"
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}
