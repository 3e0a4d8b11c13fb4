// The parts that an agent sends, as JSON for the journal and for models. Pure. An agent may send anything, so every
// member is checked.

import type { Part } from "@a2a-js/sdk"

/** One part of an agent's reply. */
export type A2aPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "data"; readonly value: unknown }
  /** A file. `data` contains its bytes in base64. */
  | { readonly type: "file"; readonly mediaType: string; readonly data: string; readonly name?: string }
  | { readonly type: "link"; readonly url: string; readonly name?: string }

/** Converts the parts of messages or artifacts to JSON, and drops the parts that exceed the size limit. */
export const toParts = (...sources: readonly ({ readonly parts: Part[] } | undefined)[]): readonly A2aPart[] =>
  withinLimit(sources.flatMap((one) => listOf(one?.parts).flatMap(toPart)))

/** The most characters of a reply that are stored in the journal. */
const mostCharacters = 10_000_000

/** Drops the parts of a reply that exceed the limit, because the journal stores the reply. */
function withinLimit(parts: readonly A2aPart[]): readonly A2aPart[] {
  let remaining = mostCharacters
  const partsWithin = parts.filter((part) => {
    remaining -= JSON.stringify(part).length
    return remaining >= 0
  })
  const dropped = parts.length - partsWithin.length
  return dropped === 0
    ? parts
    : [...partsWithin, { type: "text", text: `(The reply is too large: ${dropped} of its parts were dropped.)` }]
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

/** Returns the value if it is a list, else an empty list: an agent may send any value. */
export const listOf = <T>(value: readonly T[] | undefined): readonly T[] => (Array.isArray(value) ? value : [])

const noLabels = { metadata: undefined, filename: "" } as const

export const textPart = (text: string): Part => ({
  ...{ content: { $case: "text", value: text }, mediaType: "text/plain", ...noLabels },
})

export const dataPart = (value: unknown): Part => ({
  ...{ content: { $case: "data", value }, mediaType: "application/json", ...noLabels },
})
