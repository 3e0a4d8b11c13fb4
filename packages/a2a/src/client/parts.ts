// The parts that an agent sends, as JSON for the journal and for models. Pure. An agent may send anything, so every
// member is checked.

import type { Part } from "@a2a-js/sdk"
import { excessError } from "./gate.ts"
import { agentLimits } from "./limits.ts"

/** One part of an agent's reply. */
export type A2aPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "data"; readonly value: unknown }
  /** A file. `data` contains its bytes in base64. */
  | { readonly type: "file"; readonly mediaType: string; readonly data: string; readonly name?: string }
  | { readonly type: "link"; readonly url: string; readonly name?: string }

type Source = { readonly parts: Part[] } | undefined

/** Converts the parts of messages or artifacts to JSON. Throws when there are too many of them. */
export function toParts(...sources: readonly Source[]): readonly A2aPart[] {
  const parts = sources.flatMap((one) => listOf(one?.parts))
  if (parts.length > agentLimits.parts) throw excessError(`it has more than ${agentLimits.parts} parts`)
  return parts.flatMap(toPart)
}

/** Converts the parts of a reply to JSON, and drops the parts that exceed the size limit. */
export const toReplyParts = (...sources: readonly Source[]): readonly A2aPart[] => withinLimit(toParts(...sources))

/**
 * Drops the parts of a reply that exceed the limit, because a model reads the reply and the journal stores it. Files are
 * limited by the size of a response.
 */
export function withinLimit(parts: readonly A2aPart[]): readonly A2aPart[] {
  let remaining = agentLimits.replyCharacters
  const partsWithin = parts.filter((part) => {
    remaining -= part.type === "file" ? 0 : JSON.stringify(part).length
    return remaining >= 0
  })
  const dropped = parts.length - partsWithin.length
  return dropped === 0
    ? parts
    : [...partsWithin, { type: "text", text: `(The reply is too large: ${dropped} of its parts were dropped.)` }]
}

function toPart({ content, filename, mediaType }: Part): readonly A2aPart[] {
  const name = typeof filename === "string" && filename !== "" ? { name: filename.slice(0, longestLabel) } : {}
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
          mediaType: mediaType.slice(0, longestLabel) || "application/octet-stream",
        },
      ]
    default:
      return []
  }
}

/** The most characters of a file's name or media type. */
const longestLabel = 200

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
