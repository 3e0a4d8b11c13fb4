// What an agent says, as blocks and pieces: paragraphs, lists, code, emphasis and links, as models write them. Pure. What
// is not understood stays the text that it is.

export type Block =
  | { readonly kind: "paragraph" | "heading"; readonly lines: readonly Pieces[] }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly start: number; readonly items: readonly Pieces[] }
  | { readonly kind: "code"; readonly text: string }

export type Pieces = readonly Piece[]

export type Piece =
  | { readonly kind: "text" | "code" | "strong" | "emphasis"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly url: string }

/** The blocks of a text. An open code fence reaches to the end: the rest of it may still come. */
export function toBlocks(text: string): readonly Block[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n")
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ""
    if (line.trim() === "") {
      at += 1
      continue
    }
    const { block, next } = isFence(line)
      ? readCode(lines, at)
      : itemOf(line)
        ? readList(lines, at)
        : readLines(lines, at)
    blocks.push(block)
    at = next
  }
  return blocks
}

interface Read {
  readonly block: Block
  readonly next: number
}

const isFence = (line: string): boolean => /^\s*```/.test(line)

function readCode(lines: readonly string[], from: number): Read {
  const end = lines.findIndex((line, at) => at > from && isFence(line))
  const until = end < 0 ? lines.length : end
  return { block: { kind: "code", text: lines.slice(from + 1, until).join("\n") }, next: until + 1 }
}

interface Item {
  readonly isOrdered: boolean
  readonly start: number
  readonly text: string
}

function itemOf(line: string): Item | undefined {
  const [, number, words] = /^\s*(?:[-*•]|(\d{1,9})[.)])\s+(.*)$/.exec(line) ?? []
  return words === undefined ? undefined : { isOrdered: number !== undefined, start: Number(number ?? 1), text: words }
}

/** Items of one kind; a line that is set in goes on with the item before it. */
function readList(lines: readonly string[], from: number): Read {
  const { isOrdered, start } = itemOf(lines[from] ?? "")!
  const items: string[] = []
  let at = from
  for (; at < lines.length; at++) {
    const line = lines[at] ?? ""
    const item = itemOf(line)
    if (item?.isOrdered === isOrdered) items.push(item.text)
    else if (item === undefined && /^\s+\S/.test(line)) items.push(`${items.pop() ?? ""} ${line.trim()}`)
    else break
  }
  return { block: { kind: "list", isOrdered, start, items: items.map(toPieces) }, next: at }
}

function readLines(lines: readonly string[], from: number): Read {
  const heading = /^#{1,6}\s+(.*)$/.exec(lines[from] ?? "")?.[1]
  if (heading !== undefined) return { block: { kind: "heading", lines: [toPieces(heading)] }, next: from + 1 }
  let at = from
  const isPart = (line: string): boolean => line.trim() !== "" && !isFence(line) && itemOf(line) === undefined
  while (at < lines.length && (at === from || isPart(lines[at] ?? ""))) at += 1
  return { block: { kind: "paragraph", lines: lines.slice(from, at).map(toPieces) }, next: at }
}

/** Each piece has a longest length, so that no text takes long to read. */
const patterns =
  /`([^`\n]{1,500})`|\*\*([^*\n]{1,500})\*\*|(?<![\w*])\*([^*\s](?:[^*\n]{0,500}[^*\s])?)\*(?![\w*])|\[([^\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000})\)|(https?:\/\/[^\s<>"“”]{0,2000}[^\s<>"“”.,;:!?)\]*`])/g

export function toPieces(line: string): Pieces {
  const pieces: Piece[] = []
  let last = 0
  for (const { index, 0: all, 1: code, 2: strong, 3: emphasis, 4: words, 5: target, 6: bare } of line.matchAll(
    patterns,
  )) {
    if (index > last) pieces.push({ kind: "text", text: line.slice(last, index) })
    last = index + all.length
    const url = target ?? bare
    if (code !== undefined) pieces.push({ kind: "code", text: code })
    else if (strong !== undefined) pieces.push({ kind: "strong", text: strong })
    else if (emphasis !== undefined) pieces.push({ kind: "emphasis", text: emphasis })
    else if (url !== undefined && URL.canParse(url)) pieces.push({ kind: "link", text: words ?? url, url })
    else pieces.push({ kind: "text", text: all })
  }
  if (last < line.length) pieces.push({ kind: "text", text: line.slice(last) })
  return pieces
}
