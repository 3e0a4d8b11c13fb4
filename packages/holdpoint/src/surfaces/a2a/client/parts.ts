// The parts that an agent sends, as JSON for the journal and for models. Pure. An agent may send anything, so that nothing
// is taken for granted.

import type { Part } from "@a2a-js/sdk"

/** A part of what an agent replied. */
export type A2aPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "data"; readonly value: unknown }
  /** The bytes are in base64. */
  | { readonly type: "file"; readonly mediaType: string; readonly data: string; readonly name?: string }
  | { readonly type: "link"; readonly url: string; readonly name?: string }

/** The parts of messages or artifacts. */
export const toParts = (...from: readonly ({ readonly parts: Part[] } | undefined)[]): readonly A2aPart[] =>
  withinLimit(from.flatMap((one) => listOf(one?.parts).flatMap(toPart)))

/** The most characters of a reply that are kept. */
const mostKept = 10_000_000

/** The reply is kept in the journal: of one that is too large, the rest is left out. */
function withinLimit(parts: readonly A2aPart[]): readonly A2aPart[] {
  let left = mostKept
  const kept = parts.filter((part) => {
    left -= JSON.stringify(part).length
    return left >= 0
  })
  const dropped = parts.length - kept.length
  return dropped === 0
    ? parts
    : [...kept, { type: "text", text: `(The reply is too large: ${dropped} of its parts were left out.)` }]
}

function toPart({ content, filename, mediaType }: Part): readonly A2aPart[] {
  const name = typeof filename === "string" && filename !== "" ? { name: filename } : {}
  switch (content?.$case) {
    case "text":
      return [{ type: "text", text: String(content.value) }]
    case "data":
      return [{ type: "data", value: content.value ?? null }]
    case "url":
      return [{ type: "link", url: String(content.value), ...name }]
    case "raw":
      return [
        {
          ...{ type: "file", data: Buffer.from(content.value).toString("base64"), ...name },
          mediaType: mediaType || "application/octet-stream",
        },
      ]
    default:
      return []
  }
}

/** The text in parts, with line breaks between them. */
export const textIn = (parts: readonly A2aPart[]): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")

/** What should be a list. */
export const listOf = <T>(value: readonly T[] | undefined): readonly T[] => (Array.isArray(value) ? value : [])

const noLabels = { metadata: undefined, filename: "" } as const

export const textPart = (text: string): Part => ({
  ...{ content: { $case: "text", value: text }, mediaType: "text/plain", ...noLabels },
})

export const dataPart = (value: unknown): Part => ({
  ...{ content: { $case: "data", value }, mediaType: "application/json", ...noLabels },
})
