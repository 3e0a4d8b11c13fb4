// Decides which terms together name a secret, and which only talk about one. A rule has a head word; `companions` lists the
// words that make it a secret. Pure.

import type { Concept, Term } from "./terms.ts"

export type SecretKind = keyof typeof kinds

export const kinds = {
  password: { words: "a password", numeric: true },
  pin: { words: "a PIN", numeric: true },
  code: { words: "a one-time or access code", numeric: true },
  card: { words: "payment card data", numeric: true },
  token: { words: "a token", numeric: false },
  key: { words: "a secret key", numeric: false },
  secret: { words: "a secret", numeric: false },
  credential: { words: "login credentials", numeric: false },
  cookie: { words: "a session cookie", numeric: false },
  phrase: { words: "a recovery phrase", numeric: false },
  answer: { words: "the answer to a security question", numeric: false },
  named: { words: "what this program names as a secret", numeric: true },
} as const

/**
 * A rule for one kind of secret. With `"known"` in `wordsBefore` or `wordsAfter`, an unknown word there means that the name is
 * not a secret.
 */
interface Rule {
  readonly kind: SecretKind
  readonly head: Concept
  readonly companions?: readonly Concept[]
  readonly wordsBefore?: "known"
  readonly wordsAfter?: "known"
  readonly singular?: true
}

const rules: readonly Rule[] = [
  { kind: "named", head: "named" },
  { kind: "password", head: "password" },
  { kind: "password", head: "pass", wordsBefore: "known", wordsAfter: "known" },
  { kind: "pin", head: "pin", wordsBefore: "known", wordsAfter: "known" },
  { kind: "code", head: "otp", wordsAfter: "known" },
  { kind: "code", head: "code", companions: ["forCodes", "guarding", "otp", "secret"] },
  { kind: "card", head: "cvv" },
  { kind: "card", head: "card", companions: ["number", "expiry", "cvv", "pin"] },
  { kind: "card", head: "card", companions: ["credit"], wordsAfter: "known" },
  { kind: "token", head: "token", companions: ["guarding", "forKeys", "service", "session", "forCodes", "otp"] },
  { kind: "token", head: "token", wordsAfter: "known", singular: true },
  { kind: "key", head: "key", companions: ["forKeys", "guarding", "secret", "service", "session"] },
  { kind: "phrase", head: "phrase", companions: ["guarding", "forKeys", "secret"] },
  { kind: "answer", head: "answer", companions: ["guarding", "secret"], wordsAfter: "known" },
  { kind: "answer", head: "maiden", companions: ["mother"] },
  { kind: "cookie", head: "cookie", companions: ["session", "guarding"], wordsAfter: "known" },
  { kind: "credential", head: "credential", wordsBefore: "known", wordsAfter: "known" },
  { kind: "secret", head: "secret", wordsAfter: "known" },
]

// Marked as pure, so that bundlers leave the rules out of pages that do not use them.
const heads = /* @__PURE__ */ new Set(/* @__PURE__ */ rules.map(({ head }) => head))

/** Whether the term can be the head of a secret's name. Most texts contain none such, and are judged quickly. */
const isHead = ({ concepts }: Term): boolean => [...concepts].some((concept) => heads.has(concept))

/** The kind of secret that the terms name; undefined for none. All terms beside its name must satisfy `strict`. */
export function recognise(terms: readonly Term[], strict?: (term: Term) => boolean): SecretKind | undefined {
  if (!terms.some(isHead)) return undefined
  for (const clause of splitAt(terms, "and"))
    for (const rule of rules)
      for (const [index, term] of clause.entries()) {
        if (!hasConcept(term, rule.head) || (rule.singular && term.plural)) continue
        const [start, end] = findSpan(clause, index, rule.companions) ?? []
        if (start === undefined || end === undefined) continue
        const [termsBefore, termsAfter] = [clause.slice(0, start), clause.slice(end + 1)]
        if (clause.slice(Math.max(0, start - 1), end + 2).some((neighbour) => hasConcept(neighbour, "plain"))) continue
        if (!isHeadBefore(termsBefore.slice(-12), rule) || !isHeadAfter(termsAfter, rule)) continue
        if (!strict || [...termsBefore, ...termsAfter].every(strict)) return rule.kind
      }
  return undefined
}

export function hasConcept(term: Term, ...concepts: readonly Concept[]): boolean {
  return concepts.some((concept) => term.concepts.has(concept))
}

const familiarConcepts: readonly Concept[] = [
  ...(["own", "of", "about", "neutral", "realm", "service", "ask"] as const),
  ...(["number", "code", "guarding", "forCodes", "card", "credit"] as const),
]

export const isFamiliar = (term: Term): boolean => hasConcept(term, ...familiarConcepts)

/**
 * Returns the indexes of the first and last term of the head with its companion: a companion directly before the head,
 * or after it where a preposition or the end of the phrase shows that both belong together. Undefined without one.
 */
function findSpan(
  clause: readonly Term[],
  headIndex: number,
  companions: readonly Concept[] | undefined,
): readonly [number, number] | undefined {
  const isCompanion = (term: Term | undefined): boolean =>
    !companions || (term !== undefined && hasConcept(term, ...companions))
  if (isCompanion(clause[headIndex])) return [headIndex, headIndex]
  const isFiller = (term: Term): boolean => !isCompanion(term) && hasConcept(term, "own", "of", "neutral", "realm")
  const leftIndex = clause.slice(0, headIndex).findLastIndex((term) => !isFiller(term))
  if (leftIndex >= 0 && isCompanion(clause[leftIndex])) return [leftIndex, headIndex]
  const rightIndex = clause.findIndex((term, index) => index > headIndex && !isFiller(term))
  if (rightIndex < 0 || !isCompanion(clause[rightIndex])) return undefined
  const nextTerm = clause[rightIndex + 1]
  const endsPhrase =
    !nextTerm ||
    hasConcept(nextTerm, "of", "about", "stop", "neutral", "attribute") ||
    hasConcept(clause[headIndex]!, "card")
  return endsPhrase || clause.slice(headIndex, rightIndex).some((term) => hasConcept(term, "of"))
    ? [headIndex, rightIndex]
    : undefined
}

// The next two functions decide whether a name means the secret itself, not its length, its policy or a wish to change
// it.

function isHeadBefore(termsBefore: readonly Term[], rule: Rule): boolean {
  if (termsBefore.some((term, index) => hasConcept(term, "lead") && (index === 0 || !hasConcept(term, "of"))))
    return false
  if (termsBefore.some((term) => hasConcept(term, "stop") && !hasConcept(term, "own", "of"))) return false
  if (rule.wordsBefore && !termsBefore.every(isFamiliar)) return false
  const lastIndex = termsBefore.findLastIndex((term) => !hasConcept(term, "own") || hasConcept(term, "of", "about"))
  const [owner, last] = [termsBefore[lastIndex - 1], termsBefore[lastIndex]]
  if (!last) return true
  if (hasConcept(last, "attributeFirst")) return false
  return !hasConcept(last, "of", "about") || !owner || isFamiliar(owner)
}

function isHeadAfter(termsAfter: readonly Term[], rule: Rule): boolean {
  for (const [index, term] of termsAfter.entries()) {
    if (hasConcept(term, "about", "stop", "of") && !hasConcept(term, "number")) {
      const nextTerm = termsAfter.slice(index + 1).find((word) => !hasConcept(word, "own"))
      if (nextTerm ? hasConcept(nextTerm, "lead") : rule.wordsAfter) return false
      if (!rule.wordsAfter) return true
      if (hasConcept(term, "stop")) return false
    } else if (hasConcept(term, "attribute", "lead") || (rule.wordsAfter && term.concepts.size === 0)) return false
  }
  return true
}

function splitAt(terms: readonly Term[], concept: Concept): readonly (readonly Term[])[] {
  const ends = terms.flatMap((term, index) => (hasConcept(term, concept) ? [index] : []))
  return [...ends, terms.length].map((end, index) => terms.slice(index === 0 ? 0 : ends[index - 1]! + 1, end))
}
