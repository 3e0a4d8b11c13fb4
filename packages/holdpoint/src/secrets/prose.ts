// Finds sentences that ask for a secret: a verb such as “enter” followed (in some languages preceded) by a label, or a
// label alone. Reads twenty words around a verb, so that the work stays linear in the length of a text. Pure.

import { has, isFamiliar, recognise, type SecretKind } from "./grammar.ts"
import type { Concept, Term, TermReader } from "./terms.ts"

/** Addresses and ids, which are removed because letters in them may happen to spell a word: “2fa”, “cc”. */
const opaque = /\bhttps?:\/\/\S+|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[a-f]*\d)[0-9a-f]{16,}\b/gi

/**
 * The kind of secret that the text asks for. `isLabelPart` decides which words may accompany a secret in a label
 * without a verb.
 */
export function readProse(
  text: string,
  isLabelPart: (term: Term) => boolean,
  read: TermReader,
): SecretKind | undefined {
  const sentences = text
    .replace(opaque, " ")
    .replace(/\([^()]*\)/g, " ")
    .replace(/n['’]t\b/g, " not")
    .split(/[.!?;。！？؟।\n]+/)
  for (const sentence of sentences)
    for (const clause of sentence.split(/[,:，、：—–]|\s-\s/)) {
      const terms = read(clause)
      if (terms.some((term) => has(term, "not"))) break
      const kind = readRequest(terms) ?? readDelivered(terms) ?? recognise(upTo(terms, "stop", "about"), isLabelPart)
      if (kind) return kind
    }
  return undefined
}

/** Whether a term may accompany a secret in a description: "Password for the database". */
export const isNounPhrase = (term: Term): boolean => isFamiliar(term) && !has(term, "lead")

/** Whether a term may accompany a secret in a message that is only a label: "Your PIN, please". */
export const isBareLabel = (term: Term): boolean =>
  has(term, "own", "neutral", "realm", "service") && !has(term, "lead", "about")

function readRequest(terms: readonly Term[]): SecretKind | undefined {
  for (const [at, term] of terms.entries()) {
    if (!has(term, "ask", "askYour", "askLast")) continue
    const after = upTo(terms.slice(at + 1), "stop")
    const asks = has(term, "ask") || (has(term, "askYour") && after.some((word) => has(word, "your")))
    const before = has(term, "askLast") ? terms.slice(Math.max(0, at - reach), at) : []
    const question = term.text.startsWith("what") ? isNounPhrase : undefined
    const kind = (asks ? recognise(after, question) : undefined) ?? recognise(before)
    if (kind) return kind
  }
  return undefined
}

/** Finds one-time codes by their delivery: "the code we texted you". */
function readDelivered(terms: readonly Term[]): SecretKind | undefined {
  const at = terms.findIndex((term) => has(term, "code"))
  if (at < 0 || !terms.slice(at, at + reach).some((term) => has(term, "delivered"))) return undefined
  const before = terms.slice(0, at)
  const isRequest = before.every((term) => has(term, "own", "ask", "neutral", "forCodes"))
  return isRequest && before.some((term) => has(term, "ask", "own")) ? "code" : undefined
}

const reach = 20

function upTo(terms: readonly Term[], ...ends: readonly Concept[]): readonly Term[] {
  const near = terms.slice(0, reach)
  const end = near.findIndex((term) => has(term, ...ends) && !has(term, "own", "of"))
  return end < 0 ? near : near.slice(0, end)
}
