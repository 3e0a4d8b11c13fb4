// Reads the questions of a task that waits for a person: the forms and links of the extension, a link in another part
// of the message, or plain text. Pure.

import { checkUrl, isObject, withoutEnd } from "@holdpoint/hub/internal"
import { agentLimits } from "./limits.ts"
import type { A2aPart } from "./parts.ts"
import { textIn } from "./parts.ts"
import type { Snapshot } from "./snapshot.ts"

/** A question that the agent asks with a form, through the elicitation extension. */
export interface AskedForm {
  /** The agent's own id of the question. */
  readonly id: string
  readonly message: string
  readonly schema: unknown
  /** When the agent stops waiting for the answer. */
  readonly expiresAt?: number
}

/**
 * A link that the person has to open. `id` is the agent's own id, if the link came through the elicitation extension.
 */
export interface AskedLink {
  readonly id?: string
  readonly message: string
  readonly url: string
  readonly expiresAt?: number
}

/** The questions that a task waits for. */
export interface TaskQuestions {
  readonly forms: readonly AskedForm[]
  readonly links: readonly AskedLink[]
  readonly text: string
}

export function questionsOf({ said, state }: Pick<Snapshot, "said" | "state">): TaskQuestions {
  // Further questions are asked when the agent asks them again.
  const questions = said
    .flatMap((part) => (part.type === "data" ? toQuestion(part.value) : []))
    .slice(0, agentLimits.questionsAtOnce)
  const text = textIn(said)
  const links = questions.flatMap((question) => ("url" in question ? [question] : []))
  const otherLinks = links.length === 0 && state === "auth" ? linksIn(said).map((url) => ({ url, message: text })) : []
  return {
    forms: questions.flatMap((question) => ("schema" in question ? [question] : [])),
    links: [...links, ...otherLinks.slice(0, 1)],
    text,
  }
}

function toQuestion(value: unknown): readonly (AskedForm | (AskedLink & { readonly id: string }))[] {
  if (!isObject(value) || value.type !== "elicitation-request") return []
  const { elicitationId: id, mode, message, url, requestedSchema: schema } = value
  if (typeof id !== "string" || id.length > agentLimits.idCharacters) return []
  const about = { id, message: typeof message === "string" ? message : "", ...expiryOf(value.expiresAt) }
  if (mode === "url") return typeof url === "string" ? [{ ...about, url }] : []
  return mode === "form" ? [{ ...about, schema }] : []
}

function expiryOf(value: unknown): { readonly expiresAt?: number } {
  const expiresAt = typeof value === "string" ? Date.parse(value) : Number.NaN
  return Number.isNaN(expiresAt) ? {} : { expiresAt }
}

/**
 * Finds addresses outside of the elicitation extension: in link parts, in members of data parts and in text. Used only
 * when the extension's questions contain no link.
 */
function linksIn(parts: readonly A2aPart[]): readonly string[] {
  return parts
    .flatMap((part) => {
      if (part.type === "link") return [part.url]
      if (part.type === "data") return isObject(part.value) ? Object.values(part.value).filter(isText) : []
      return part.type === "text" ? (part.text.match(/https?:\/\/[^\s<>"'`]+/g) ?? []).map(toAddress) : []
    })
    .filter((url) => checkUrl(url).ok)
}

/** Removes the punctuation after an address in a sentence. */
const toAddress = (url: string): string => withoutEnd(url, /[.,;:!?)\]}]/)

const isText = (value: unknown): value is string => typeof value === "string"
