// Parses the Markdown that models write into blocks and pieces: paragraphs, lists, code, emphasis and links. Pure.
// Unknown syntax stays plain text. A link always shows where it leads.

import { displayHost, isOpenable } from "@holdpoint/hub/forms"

export type Block =
  | { readonly kind: "paragraph" | "heading"; readonly lines: readonly Pieces[] }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly start: number; readonly items: readonly Pieces[] }
  | { readonly kind: "code"; readonly text: string }

export type Pieces = readonly Piece[]

export type Piece =
  | { readonly kind: "text" | "code" | "strong" | "emphasis"; readonly text: string }
  /** `host` is shown after the text, when the text does not say where the link leads. */
  | { readonly kind: "link"; readonly text: string; readonly url: string; readonly host?: string }

/** The blocks of a text. An open code fence reaches to the end of the text, because its closing line may still come. */
export function toBlocks(text: string): readonly Block[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n")
  const blocks: Block[] = []
  let index = 0
  while (index < lines.length) {
    const line = lines[index] ?? ""
    if (line.trim() === "") {
      index += 1
      continue
    }
    const { block, nextIndex } = isFence(line)
      ? readCode(lines, index)
      : itemOf(line)
        ? readList(lines, index)
        : readLines(lines, index)
    blocks.push(block)
    index = nextIndex
  }
  return blocks
}

interface BlockRead {
  readonly block: Block
  readonly nextIndex: number
}

const isFence = (line: string): boolean => /^\s*```/.test(line)

function readCode(lines: readonly string[], startIndex: number): BlockRead {
  const closingFence = lines.findIndex((line, index) => index > startIndex && isFence(line))
  const end = closingFence < 0 ? lines.length : closingFence
  return { block: { kind: "code", text: lines.slice(startIndex + 1, end).join("\n") }, nextIndex: end + 1 }
}

interface Item {
  readonly isOrdered: boolean
  readonly start: number
  readonly text: string
}

function itemOf(line: string): Item | undefined {
  const [, number, label] = /^\s*(?:[-*•]|(\d{1,9})[.)])\s+(.*)$/.exec(line) ?? []
  return label === undefined ? undefined : { isOrdered: number !== undefined, start: Number(number ?? 1), text: label }
}

/** Reads list items of one kind. An indented line continues the item before it. */
function readList(lines: readonly string[], startIndex: number): BlockRead {
  const { isOrdered, start } = itemOf(lines[startIndex] ?? "")!
  const items: string[] = []
  let index = startIndex
  for (; index < lines.length; index++) {
    const line = lines[index] ?? ""
    const item = itemOf(line)
    if (item?.isOrdered === isOrdered) items.push(item.text)
    else if (item === undefined && /^\s+\S/.test(line)) items.push(`${items.pop() ?? ""} ${line.trim()}`)
    else break
  }
  return { block: { kind: "list", isOrdered, start, items: items.map(toPieces) }, nextIndex: index }
}

function readLines(lines: readonly string[], startIndex: number): BlockRead {
  const heading = /^#{1,6}\s+(.*)$/.exec(lines[startIndex] ?? "")?.[1]
  if (heading !== undefined)
    return { block: { kind: "heading", lines: [toPieces(heading)] }, nextIndex: startIndex + 1 }
  let index = startIndex
  const isPart = (line: string): boolean => line.trim() !== "" && !isFence(line) && itemOf(line) === undefined
  while (index < lines.length && (index === startIndex || isPart(lines[index] ?? ""))) index += 1
  return { block: { kind: "paragraph", lines: lines.slice(startIndex, index).map(toPieces) }, nextIndex: index }
}

/** Each pattern limits its length, so that no text takes long to parse. */
const patterns =
  /`([^`\n]{1,500})`|\*\*([^*\n]{1,500})\*\*|(?<![\w*])\*([^*\s](?:[^*\n]{0,500}[^*\s])?)\*(?![\w*])|\[([^\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000})\)|(https?:\/\/[^\s<>"“”]{0,2000}[^\s<>"“”.,;:!?)\]*`])/g

export function toPieces(line: string): Pieces {
  const pieces: Piece[] = []
  let position = 0
  for (const { index, 0: match, 1: code, 2: strong, 3: emphasis, 4: label, 5: target, 6: bareUrl } of line.matchAll(
    patterns,
  )) {
    if (index > position) pieces.push({ kind: "text", text: line.slice(position, index) })
    position = index + match.length
    const url = target ?? bareUrl
    if (code !== undefined) pieces.push({ kind: "code", text: code })
    else if (strong !== undefined) pieces.push({ kind: "strong", text: strong })
    else if (emphasis !== undefined) pieces.push({ kind: "emphasis", text: emphasis })
    else if (url !== undefined && isOpenable(url)) pieces.push(toLink(url, label))
    else pieces.push({ kind: "text", text: match })
  }
  if (position < line.length) pieces.push({ kind: "text", text: line.slice(position) })
  return pieces
}

/** A label that looks like an address is replaced by the link's own address. */
function toLink(url: string, label = url): Piece {
  if (label === url || looksLikeAddress(label)) return { kind: "link", text: url, url }
  return { kind: "link", text: label, url, host: displayHost(url) }
}

/** Words with a dot inside, also with dots of other scripts and with invisible characters, or with a scheme. */
const looksLikeAddress = (label: string): boolean =>
  /[\p{L}\p{N}]\s*\.\s*\p{L}{2}|:\/\/|^www\b/iu.test(
    label
      .normalize("NFKC")
      .replace(/[\p{Cf}\p{M}]/gu, "")
      .replaceAll("\u3002", "."),
  )
