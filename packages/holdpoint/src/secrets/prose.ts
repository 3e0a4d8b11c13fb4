// Finds sentences that ask for a secret: a verb such as “enter” followed (in some languages preceded) by a label, or a
// label alone. Reads twenty words around a verb, so that the work stays linear in the length of a text. Pure.

import { hasConcept, isFamiliar, recognise, type SecretKind } from "./grammar.ts"
import type { Concept, Term, TermReader } from "./terms.ts"

/** Addresses and ids, which are removed because letters in them may happen to spell a word: “2fa”, “cc”. */
const opaqueText = /\bhttps?:\/\/\S+|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[a-f]*\d)[0-9a-f]{16,}\b/gi

/**
 * The kind of secret that the text asks for; undefined for none. `isLabelPart` decides which words may accompany a
 * secret in a label without a verb.
 */
export function readProse(
  text: string,
  isLabelPart: (term: Term) => boolean,
  readTerms: TermReader,
): SecretKind | undefined {
  const sentences = text
    .replace(opaqueText, " ")
    .replace(/\([^()]*\)/g, " ")
    .replace(/n['’]t\b/g, " not")
    .split(/[.!?;。！？؟।\n]+/)
  for (const sentence of sentences)
    for (const clause of sentence.split(/[,:，、：—–]|\s-\s/)) {
      const terms = readTerms(clause)
      if (terms.some((term) => hasConcept(term, "not"))) break
      const kind =
        readRequest(terms) ?? readDelivered(terms) ?? recognise(termsBefore(terms, "stop", "about"), isLabelPart)
      if (kind) return kind
    }
  return undefined
}

/** Whether a term may accompany a secret in a description: "Password for the database". */
export const isNounPhrase = (term: Term): boolean => isFamiliar(term) && !hasConcept(term, "lead")

/** Whether a term may accompany a secret in a message that is only a label: "Your PIN, please". */
export const isBareLabel = (term: Term): boolean =>
  hasConcept(term, "own", "neutral", "realm", "service") && !hasConcept(term, "lead", "about")

function readRequest(terms: readonly Term[]): SecretKind | undefined {
  for (const [index, term] of terms.entries()) {
    if (!hasConcept(term, "ask", "askYour", "askLast")) continue
    const followingTerms = termsBefore(terms.slice(index + 1), "stop")
    const isAsking =
      hasConcept(term, "ask") ||
      (hasConcept(term, "askYour") && followingTerms.some((word) => hasConcept(word, "your")))
    const precedingTerms = hasConcept(term, "askLast") ? terms.slice(Math.max(0, index - maxDistance), index) : []
    const question = term.text.startsWith("what") ? isNounPhrase : undefined
    const kind = (isAsking ? recognise(followingTerms, question) : undefined) ?? recognise(precedingTerms)
    if (kind) return kind
  }
  return undefined
}

/** Finds one-time codes by their delivery: "the code we texted you". */
function readDelivered(terms: readonly Term[]): SecretKind | undefined {
  const codeIndex = terms.findIndex((term) => hasConcept(term, "code"))
  if (codeIndex < 0 || !terms.slice(codeIndex, codeIndex + maxDistance).some((term) => hasConcept(term, "delivered")))
    return undefined
  const precedingTerms = terms.slice(0, codeIndex)
  const isRequest = precedingTerms.every((term) => hasConcept(term, "own", "ask", "neutral", "forCodes"))
  return isRequest && precedingTerms.some((term) => hasConcept(term, "ask", "own")) ? "code" : undefined
}

const maxDistance = 20

function termsBefore(terms: readonly Term[], ...ends: readonly Concept[]): readonly Term[] {
  const nearTerms = terms.slice(0, maxDistance)
  const end = nearTerms.findIndex((term) => hasConcept(term, ...ends) && !hasConcept(term, "own", "of"))
  return end < 0 ? nearTerms : nearTerms.slice(0, end)
}
