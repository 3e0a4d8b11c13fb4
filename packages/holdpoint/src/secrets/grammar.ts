// Decides which terms together name a secret, and which only talk about one. A rule has a head word; `with` lists the
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
 * A rule for one kind of secret. With `"known"` in `before` or `after`, an unknown word there means that the name is
 * not a secret.
 */
interface Rule {
  readonly kind: SecretKind
  readonly head: Concept
  readonly with?: readonly Concept[]
  readonly before?: "known"
  readonly after?: "known"
  readonly singular?: true
}

const rules: readonly Rule[] = [
  { kind: "named", head: "named" },
  { kind: "password", head: "password" },
  { kind: "password", head: "pass", before: "known", after: "known" },
  { kind: "pin", head: "pin", before: "known", after: "known" },
  { kind: "code", head: "otp", after: "known" },
  { kind: "code", head: "code", with: ["forCodes", "guarding", "otp", "secret"] },
  { kind: "card", head: "cvv" },
  { kind: "card", head: "card", with: ["number", "expiry", "cvv", "pin"] },
  { kind: "card", head: "card", with: ["credit"], after: "known" },
  { kind: "token", head: "token", with: ["guarding", "forKeys", "service", "session", "forCodes", "otp"] },
  { kind: "token", head: "token", after: "known", singular: true },
  { kind: "key", head: "key", with: ["forKeys", "guarding", "secret", "service", "session"] },
  { kind: "phrase", head: "phrase", with: ["guarding", "forKeys", "secret"] },
  { kind: "answer", head: "answer", with: ["guarding", "secret"], after: "known" },
  { kind: "answer", head: "maiden", with: ["mother"] },
  { kind: "cookie", head: "cookie", with: ["session", "guarding"], after: "known" },
  { kind: "credential", head: "credential", before: "known", after: "known" },
  { kind: "secret", head: "secret", after: "known" },
]

// Marked, so that a page which does not use the rules does not get them.
const heads = /* @__PURE__ */ new Set(/* @__PURE__ */ rules.map(({ head }) => head))

/** Whether the term can be the head of a secret's name. Most texts have none. */
const isHead = ({ is }: Term): boolean => [...is].some((concept) => heads.has(concept))

/** The kind of secret that the terms name. With `strict`, every other term must satisfy it too. */
export function recognise(terms: readonly Term[], strict?: (term: Term) => boolean): SecretKind | undefined {
  if (!terms.some(isHead)) return undefined
  for (const clause of splitAt(terms, "and"))
    for (const rule of rules)
      for (const [at, term] of clause.entries()) {
        if (!has(term, rule.head) || (rule.singular && term.plural)) continue
        const [start, end] = findSpan(clause, at, rule.with) ?? []
        if (start === undefined || end === undefined) continue
        const [before, after] = [clause.slice(0, start), clause.slice(end + 1)]
        if (clause.slice(Math.max(0, start - 1), end + 2).some((near) => has(near, "plain"))) continue
        if (!isHeadBefore(before.slice(-12), rule) || !isHeadAfter(after, rule)) continue
        if (!strict || [...before, ...after].every(strict)) return rule.kind
      }
  return undefined
}

export function has({ is }: Term, ...concepts: readonly Concept[]): boolean {
  return concepts.some((concept) => is.has(concept))
}

const familiar: readonly Concept[] = [
  ...(["own", "of", "about", "neutral", "realm", "service", "ask"] as const),
  ...(["number", "code", "guarding", "forCodes", "card", "credit"] as const),
]

export const isFamiliar = (term: Term): boolean => has(term, ...familiar)

/**
 * Finds the head and the words that belong to it: directly before it, or after it where a preposition or the end of the
 * clause shows it.
 */
function findSpan(
  clause: readonly Term[],
  at: number,
  company: readonly Concept[] | undefined,
): readonly [number, number] | undefined {
  const fits = (term: Term | undefined): boolean => !company || (term !== undefined && has(term, ...company))
  if (fits(clause[at])) return [at, at]
  const isFiller = (term: Term): boolean => !fits(term) && has(term, "own", "of", "neutral", "realm")
  const left = clause.slice(0, at).findLastIndex((term) => !isFiller(term))
  if (left >= 0 && fits(clause[left])) return [left, at]
  const right = clause.findIndex((term, index) => index > at && !isFiller(term))
  if (right < 0 || !fits(clause[right])) return undefined
  const next = clause[right + 1]
  const belongs = !next || has(next, "of", "about", "stop", "neutral", "attribute") || has(clause[at]!, "card")
  return belongs || clause.slice(at, right).some((term) => has(term, "of")) ? [at, right] : undefined
}

// Decides whether a name means the secret itself, not its length, its policy or a wish to change it.

function isHeadBefore(before: readonly Term[], rule: Rule): boolean {
  if (before.some((term, at) => has(term, "lead") && (at === 0 || !has(term, "of")))) return false
  if (before.some((term) => has(term, "stop") && !has(term, "own", "of"))) return false
  if (rule.before && !before.every(isFamiliar)) return false
  const content = before.findLastIndex((term) => !has(term, "own") || has(term, "of", "about"))
  const [owner, last] = [before[content - 1], before[content]]
  if (!last) return true
  if (has(last, "attributeFirst")) return false
  return !has(last, "of", "about") || !owner || isFamiliar(owner)
}

function isHeadAfter(after: readonly Term[], rule: Rule): boolean {
  for (const [at, term] of after.entries()) {
    if (has(term, "about", "stop", "of") && !has(term, "number")) {
      const next = after.slice(at + 1).find((word) => !has(word, "own"))
      if (next ? has(next, "lead") : rule.after) return false
      if (!rule.after) return true
      if (has(term, "stop")) return false
    } else if (has(term, "attribute", "lead") || (rule.after && term.is.size === 0)) return false
  }
  return true
}

function splitAt(terms: readonly Term[], concept: Concept): readonly (readonly Term[])[] {
  const ends = terms.flatMap((term, at) => (has(term, concept) ? [at] : []))
  return [...ends, terms.length].map((end, index) => terms.slice(index === 0 ? 0 : ends[index - 1]! + 1, end))
}
