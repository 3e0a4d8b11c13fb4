// Converts untrusted HTML to plain text, keeping paragraphs, lists and link addresses. The result must not be output as
// HTML.

/** Converts in a single pass, so that hostile input (many unclosed tags) takes linear time. */
export function htmlToText(html: string): string {
  const parts: string[] = []
  const links: (string | undefined)[] = []
  let hiddenTag: string | undefined
  let position = 0
  for (const { 0: tag, 1: slash, 2: name = "", 3: attributes = "", index } of html.matchAll(tags)) {
    const kind = name.toLowerCase()
    if (hiddenTag === undefined) parts.push(html.slice(position, index), toBreak(kind, slash === "/"))
    position = index + tag.length
    if (kind === hiddenTag) hiddenTag = slash === "/" ? undefined : hiddenTag
    else if (hiddenTag === undefined && (kind === "script" || kind === "style") && slash === "") hiddenTag = kind
    else if (kind === "a" && slash === "") links.push(/\bhref="([^"]*)"/i.exec(attributes)?.[1])
    else if (kind === "a") parts.push(toAddress(links.pop()))
  }
  if (hiddenTag === undefined) parts.push(html.slice(position))
  return parts
    .join("")
    .replace(/&(#x?[\da-f]+|[a-z]+);/gi, (entity, name: string) => toCharacter(name.toLowerCase()) ?? entity)
    .replace(/[ \t]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
}

const tags = /<(\/?)([a-z][a-z\d]*)\b([^<>]*)>|<[!?][^<>]*>/gi

const toAddress = (link: string | undefined): string => (link === undefined ? "" : ` (${link})`)

function toBreak(kind: string, isEnd: boolean): string {
  if (kind === "li" && !isEnd) return "\n- "
  if (isEnd && (kind === "td" || kind === "th")) return " "
  return kind === "br" || (isEnd && /^(p|div|h\d|li|ul|ol|tr|blockquote)$/.test(kind)) ? "\n" : ""
}

const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }

function toCharacter(name: string): string | undefined {
  if (!name.startsWith("#")) return Object.hasOwn(characters, name) ? characters[name] : undefined
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
