// No secrets in forms: finds fields, and questions, that ask a person for something that grants access or moves money.
// Judges words only, never an answer. Identity data (passport, tax and bank account numbers) is not refused: it is
// personal, but nobody gets in or pays with it alone.

import type { Problem } from "./error.ts"
import { type Concept, type Term, toTerms, unmaskLeet } from "./vocabulary.ts"

/** What findSecrets needs to know of a form. */
export interface FormFields {
  readonly properties: Readonly<Record<string, FormField>>
}

export interface FormField {
  readonly type?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly format?: string | undefined
  readonly enum?: unknown
  readonly oneOf?: unknown
  readonly items?: unknown
}

export type SecretKind = keyof typeof kinds

const kinds = {
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
  connection: { words: "a connection string", numeric: false },
} as const

const suggestion =
  "Ask in url mode: the person types it on a page of yours, and it never passes through the client or the model."

/** The fields that ask for a secret, one problem each. */
export function findSecrets(form: FormFields): readonly Problem[] {
  const names = Object.keys(form.properties)
  const inAddress = names.some((name) => /address|city|street|state|district|town|village/i.test(name))
  return Object.entries(form.properties).flatMap(([name, field]) => {
    const found = inspect(name, field, inAddress)
    return found ? [{ path: `properties.${name}`, message: found, suggestion }] : []
  })
}

/** For the message of a form question: a problem if it asks the person to hand over a secret. */
export function findSecretRequest(message: string): Problem | undefined {
  const kind = readProse(message, isBareLabel)
  return kind && { path: "message", message: `The message asks for ${kinds[kind].words}.`, suggestion }
}

/** What a name or title stands for, if it stands for a secret. */
export function recogniseSecret(label: string): SecretKind | undefined {
  const outside = label.replace(/[([][^()[\]]*[)\]]/g, " ")
  const readings = new Set([label, outside, unmaskLeet(label)])
  if (toTerms(outside).length > 2) readings.delete(label)
  for (const reading of readings.add(outside)) {
    const kind = recognise(toTerms(reading)) ?? recognise(toTerms(reading, { glued: true }))
    if (kind) return kind
  }
  return undefined
}

function inspect(name: string, field: FormField, inAddress: boolean): string | undefined {
  if (field.type === "boolean" || field.type === "array" || field.enum || field.oneOf || field.items) return undefined
  if (field.format === "password") return "The format of this field is for passwords."
  const texts = [
    ["name", recogniseSecret(name)],
    ["title", recogniseSecret(field.title ?? "")],
    ["description", readProse(field.description ?? "", isNounPhrase)],
  ] as const
  for (const [part, kind] of texts) {
    if (!kind || !canCarry(field, kind)) continue
    if (kind === "pin" && isPostal(name, field, inAddress)) continue
    return `The ${part} of this field asks for ${kinds[kind].words}.`
  }
  return undefined
}

function canCarry(field: FormField, kind: SecretKind): boolean {
  if (field.type === "number" || field.type === "integer") return kinds[kind].numeric
  if (field.format === "email") return false
  return kind === "card" || (field.format !== "date" && field.format !== "date-time")
}

/** In India a PIN code is a postal code; next to a city it is taken for one. */
function isPostal(name: string, field: FormField, inAddress: boolean): boolean {
  const texts = `${name} ${field.title ?? ""} ${field.description ?? ""}`
  return (
    /pin[\s_-]*code/i.test(texts) && (inAddress || /postal|post office|zip|area|deliver|shipping|address/i.test(texts))
  )
}

// The grammar. A rule has a head; `with` names the company that makes it a secret, `except` the company that does not.
// `before` and `after: "known"`: there, one word the vocabulary does not know turns the name into something else.

interface Rule {
  readonly kind: SecretKind
  readonly head: Concept
  readonly with?: readonly Concept[]
  readonly except?: Concept
  readonly before?: "known"
  readonly after?: "known"
  readonly singular?: true
}

const rules: readonly Rule[] = [
  { kind: "password", head: "password" },
  { kind: "password", head: "pass", before: "known", after: "known", except: "plainPin", singular: true },
  { kind: "pin", head: "pin", before: "known", after: "known", except: "plainPin", singular: true },
  { kind: "code", head: "otp", after: "known" },
  { kind: "code", head: "tan", before: "known", after: "known" },
  {
    kind: "code",
    head: "code",
    with: [
      "onetime",
      "verify",
      "security",
      "sms",
      "login",
      "auth",
      "otp",
      "access",
      "unlock",
      "secret",
      "recovery",
      "reset",
      "private",
      "license",
    ],
  },
  { kind: "card", head: "cvv" },
  { kind: "card", head: "card", with: ["number", "expiry", "cvv", "pin"], except: "plainCard", singular: true },
  { kind: "card", head: "card", with: ["credit"], except: "plainCard", after: "known" },
  {
    kind: "token",
    head: "token",
    with: ["access", "api", "auth", "service", "login", "session", "private", "sms", "otp"],
  },
  { kind: "token", head: "token", after: "known", except: "plainToken", singular: true },
  { kind: "token", head: "bearer", after: "known" },
  { kind: "token", head: "pat", with: ["service", "api"], after: "known" },
  { kind: "token", head: "header", with: ["auth", "cookie"] },
  { kind: "token", head: "auth", with: ["basic"], after: "known" },
  {
    kind: "key",
    head: "key",
    with: [
      "api",
      "access",
      "secret",
      "private",
      "signing",
      "encryption",
      "ssh",
      "service",
      "auth",
      "license",
      "recovery",
      "wallet",
      "shared",
      "session",
      "security",
    ],
  },
  { kind: "key", head: "privateKey" },
  { kind: "phrase", head: "phrase", with: ["recovery", "wallet", "secret", "seed"] },
  { kind: "phrase", head: "seed", with: ["wallet", "recovery", "secret"], after: "known" },
  { kind: "phrase", head: "mnemonic", after: "known" },
  { kind: "answer", head: "answer", with: ["security", "secret"], after: "known" },
  { kind: "answer", head: "maiden", with: ["mother"] },
  { kind: "cookie", head: "cookie", with: ["session", "auth", "login", "header", "string"], after: "known" },
  { kind: "connection", head: "string", with: ["connection"] },
  { kind: "connection", head: "dsn" },
  { kind: "credential", head: "credential", before: "known", after: "known" },
  { kind: "secret", head: "secret", after: "known", except: "plainSecret" },
]

function recognise(terms: readonly Term[], strict?: (term: Term) => boolean): SecretKind | undefined {
  for (const clause of splitAt(terms, "and")) {
    for (const rule of rules) {
      for (const [at, term] of clause.entries()) {
        if (!term.is.has(rule.head) || (rule.singular && term.plural)) continue
        const span = findSpan(clause, at, rule.with)
        if (!span || !isHead(clause, span, rule)) continue
        const rest = [...clause.slice(0, span[0]), ...clause.slice(span[1] + 1)]
        if (!strict || rest.every(strict)) return rule.kind
      }
    }
  }
  return undefined
}

/** The head with its company: right before it, or after it where a preposition or the end shows that it belongs to it. */
function findSpan(
  clause: readonly Term[],
  at: number,
  company: readonly Concept[] | undefined,
): [number, number] | undefined {
  const fits = (term: Term | undefined) => company?.some((concept) => term?.is.has(concept)) ?? true
  if (fits(clause[at])) return [at, at]
  const isFiller = (term: Term) => !fits(term) && has(term, "own", "of", "neutral", "realm")
  let left = at - 1
  while (left >= 0 && isFiller(clause[left]!)) left--
  if (left >= 0 && fits(clause[left])) return [left, at]
  let right = at + 1
  while (right < clause.length && isFiller(clause[right]!)) right++
  if (right >= clause.length || !fits(clause[right])) return undefined
  const next = clause[right + 1]
  const belongs =
    clause.slice(at, right).some((term) => term.is.has("of")) || !next || has(next, "of", "about", "stop", "neutral")
  return belongs || next.is.has("attribute") || has(clause[at]!, "card") ? [at, right] : undefined
}

/** Whether the name stands for the secret itself and not for its length, its policy or a wish to change it. */
function isHead(clause: readonly Term[], [start, end]: readonly [number, number], rule: Rule): boolean {
  const harmless = (term: Term | undefined) =>
    term && (term.is.has("plain") || (rule.except && term.is.has(rule.except)))
  if (harmless(clause[start - 1]) || harmless(clause[end + 1]) || clause.slice(start, end + 1).some(harmless))
    return false
  return isHeadBefore(clause.slice(Math.max(0, start - 12), start), rule) && isHeadAfter(clause.slice(end + 1), rule)
}

function isHeadBefore(before: readonly Term[], rule: Rule): boolean {
  if (before.some((term, at) => term.is.has("lead") && (at === 0 || !term.is.has("of")))) return false
  if (before.some((term) => term.is.has("stop") && !has(term, "own", "of"))) return false
  if (rule.before && before.some((term) => !isFamiliar(term))) return false
  const content = before.findLastIndex((term) => !term.is.has("own") || has(term, "of", "about"))
  const last = before[content]
  if (!last) return true
  if (last.is.has("attributeFirst")) return false
  const owner = before[content - 1]
  if (last.is.has("of")) return !owner || isFamiliar(owner)
  return !last.is.has("about") || !owner || isFamiliar(owner)
}

function isHeadAfter(after: readonly Term[], rule: Rule): boolean {
  for (const [at, term] of after.entries()) {
    if (has(term, "about", "stop", "of") && !term.is.has("number")) {
      const next = after.slice(at + 1).find((word) => !word.is.has("own"))
      if (next ? next.is.has("lead") : rule.after) return false
      if (!rule.after) return true
      if (term.is.has("stop")) return false
      continue
    }
    if (has(term, "attribute", "lead", "be")) return false
    if (rule.after && term.is.size === 0) return false
  }
  return true
}

// Prose: a verb that asks, then (in some languages before it) a label; or, for descriptions, a label at the start.

/** Addresses and ids are no words, though letters in them may happen to spell one: “2fa”, “cc”. */
const opaque = /\bhttps?:\/\/\S+|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[a-f]*\d)[0-9a-f]{16,}\b/gi

function readProse(text: string, isLabelPart: (term: Term) => boolean): SecretKind | undefined {
  const sentences = text
    .replace(opaque, " ")
    .replace(/\([^()]*\)/g, " ")
    .replace(/n['’]t\b/g, " not")
    .split(/[.!?;。！？؟।\n]+/)
  for (const sentence of sentences) {
    for (const clause of sentence.split(/[,:，、：—–]|\s-\s/)) {
      const terms = toTerms(clause)
      if (terms.some((term) => term.is.has("not"))) break
      const kind = readRequest(terms) ?? readDelivered(terms) ?? recognise(upTo(terms, "stop", "about"), isLabelPart)
      if (kind) return kind
    }
  }
  return undefined
}

function readRequest(terms: readonly Term[]): SecretKind | undefined {
  for (const [at, term] of terms.entries()) {
    if (!has(term, "ask", "askYour", "askLast")) continue
    const after = upTo(terms.slice(at + 1, at + 1 + reach), "stop")
    const asks = term.is.has("ask") || (term.is.has("askYour") && after.some((word) => word.is.has("your")))
    const question = term.text.startsWith("what") ? isNounPhrase : undefined
    const before = term.is.has("askLast") ? terms.slice(Math.max(0, at - reach), at) : []
    const kind = (asks ? recognise(after, question) : undefined) ?? recognise(before)
    if (kind) return kind
  }
  return undefined
}

/** "the code we texted you": a code is a one-time code if it was just delivered to the person. */
function readDelivered(terms: readonly Term[]): SecretKind | undefined {
  const at = terms.findIndex((term) => term.is.has("code"))
  if (at < 0 || !terms.slice(at, at + reach).some((term) => term.is.has("delivered"))) return undefined
  const before = terms.slice(0, at)
  const asked = before.every((term) => has(term, "own", "ask", "neutral", "sms"))
  return asked && before.some((term) => has(term, "ask", "own")) ? "code" : undefined
}

/** How many words around a verb are read as its object. Keeps the work linear in the length of the text. */
const reach = 20

function upTo(terms: readonly Term[], ...ends: readonly Concept[]): readonly Term[] {
  const near = terms.slice(0, reach)
  const end = near.findIndex((term) => has(term, ...ends) && !has(term, "own", "of"))
  return end < 0 ? near : near.slice(0, end)
}

function isFamiliar(term: Term): boolean {
  return has(
    term,
    "own",
    "of",
    "about",
    "neutral",
    "realm",
    "service",
    "ask",
    "number",
    "code",
    "security",
    "login",
    "card",
    "credit",
  )
}

function isNounPhrase(term: Term): boolean {
  return isFamiliar(term) && !term.is.has("lead")
}

function isBareLabel(term: Term): boolean {
  return has(term, "own", "neutral", "realm", "service") && !has(term, "lead", "about")
}

function has(term: Term, ...concepts: readonly Concept[]): boolean {
  return concepts.some((concept) => term.is.has(concept))
}

function splitAt(terms: readonly Term[], concept: Concept): Term[][] {
  const parts: Term[][] = [[]]
  for (const term of terms) {
    if (term.is.has(concept)) parts.push([])
    else parts.at(-1)?.push(term)
  }
  return parts
}
