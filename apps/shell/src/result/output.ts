// Converts a script's output into text and JSON that every client can read. Pure. It never throws, whatever the output
// is.

import { isUtf8 } from "node:buffer"
import { isObject } from "../json.ts"

export interface Output {
  readonly text: string
  /** The changes that made the output valid text, in words for people. */
  readonly changes: readonly string[]
  /** Undefined when the output is not JSON. */
  readonly json: { readonly value: unknown } | undefined
}

/** Deeper JSON stays text, because programs that walk it by recursion run out of stack. */
const mostNesting = 200

export function readOutput(bytes: Buffer): Output {
  const { text, changes } = toText(bytes)
  return { text, changes, json: parseJson(text) }
}

/** Decodes UTF-8. Replaces what clients cannot read: bytes that are not UTF-8, and NUL characters. */
export function toText(bytes: Buffer): Pick<Output, "text" | "changes"> {
  const decoded = new TextDecoder().decode(bytes)
  const changes: string[] = []
  if (!isUtf8(bytes)) changes.push("The output was not UTF-8. The bytes that could not be read are shown as “\uFFFD”.")
  if (!decoded.includes("\0")) return { text: decoded, changes }
  changes.push("The output had NUL characters. They are shown as “\uFFFD”.")
  return { text: decoded.replaceAll("\0", "\uFFFD"), changes }
}

/** The value of a JSON text, or undefined when it is not JSON, or nested too deeply. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  const start = text.trimStart().charAt(0)
  if (!/[[{"\d\-tfn]/.test(start) || nestingOf(text) > mostNesting) return undefined
  try {
    return { value: toWellFormed(JSON.parse(text)) }
  } catch {
    return undefined
  }
}

/** How deeply the brackets outside of strings are nested. A loop, because patterns fail on strings of megabytes. */
function nestingOf(text: string): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isInString && character === "\\") index++
    else if (character === '"') isInString = !isInString
    else if (isInString) continue
    else if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth)
    else if (character === "]" || character === "}") depth--
  }
  return deepest
}

/** Replaces lone surrogates and NUL in every string: they are valid in JSON and break readers in other languages. */
function toWellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\0", "\uFFFD")
  if (Array.isArray(value)) return value.map(toWellFormed)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [toWellFormed(key), toWellFormed(member)]))
}
