// Splits a text into terms: words and phrases with their concepts. Undoes disguises (other alphabets, digits for
// letters, spaced letters), splits compounds and scripts without spaces. Pure; linear in the length of a text.

import { concepts } from "./words.ts"

/** A meaning that the rules know. `named`: words that an author added. */
export type Concept = keyof typeof concepts | "named"

/** A word or phrase with its concepts. `concepts` is empty for an unknown word. */
export interface Term {
  readonly text: string
  readonly concepts: ReadonlySet<Concept>
  readonly plural: boolean
}

/** Splits a text into terms. `glued` does not split at a change of case, so that "APIkey" is one word. */
export type TermReader = (text: string, mode?: "glued") => readonly Term[]

export function createReader(secretWords: readonly string[]): TermReader {
  let lexicon: Lexicon | undefined
  return (text, mode) => {
    // Created with the first text, because building it would dominate the start of a program that asks nothing.
    lexicon ??= createLexicon(secretWords)
    const { words, split } = lexicon
    const folded = normalize(mode === "glued" ? text : splitCase(text)).match(/\p{L}[\p{L}\p{M}]*|\p{N}+/gu) ?? []
    // Joins single letters between spaces to one word: "p a s s w o r d".
    const joinedText = folded
      .join(" ")
      .replace(/(?<=^| )[a-z](?: [a-z])+(?= |$)/g, (spacedLetters) => spacedLetters.replaceAll(" ", ""))
    return joinPhrases(joinedText.split(" "), words).flatMap((word) => splitWord(word, words, split))
  }
}

/** Undoes letters written as digits and signs: "p@ssw0rd". Only inside a word that also has letters. */
export function unmask(text: string): string {
  return text.replace(/[\p{L}\p{N}@$!]+/gu, (word) =>
    /\p{L}/u.test(word) ? word.replace(/[013457@$!]/g, (sign) => "oieastasi"["013457@$!".indexOf(sign)] ?? sign) : word,
  )
}

type Words = ReadonlyMap<string, ReadonlySet<Concept>>

interface SplitPatterns {
  /** Splits at the known words of scripts without spaces, the longest first. */
  readonly script: RegExp
  /** Splits before a secret word that ends an otherwise unknown word. */
  readonly secret: RegExp
}

interface Lexicon {
  readonly words: Words
  readonly split: SplitPatterns
}

const scriptWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

function createLexicon(secretWords: readonly string[]): Lexicon {
  const words = new Map<string, Set<Concept>>()
  for (const [concept, listed] of [...Object.entries(concepts), ["named", secretWords.join("\n")] as const])
    for (const phrase of listed.split(concept === "named" ? "\n" : /\s+/)) {
      const word = normalize(phrase).replace(/[^\p{L}\p{M}\p{N}]/gu, "")
      words.set(word, (words.get(word) ?? new Set()).add(concept as Concept))
    }
  words.delete("")
  const longestFirst = [...words.keys()].sort((a, b) => b.length - a.length)
  const script = longestFirst.filter((word) => scriptWithoutSpaces.test(word))
  const heads = longestFirst.filter(
    (word) => word.length > 4 && ["password", "named"].some((concept) => words.get(word)?.has(concept as Concept)),
  )
  const secret = new RegExp(`^(.{3,}?)(${heads.join("|")}|token|secret|pwd|cvv|cvc)s?$`)
  return { words, split: { script: new RegExp(`(${script.join("|")})`), secret } }
}

function normalize(text: string): string {
  // ASCII text needs no normalisation.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  const plainText = text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/[ßłøæœıđðþ]/g, (letter) => letters[letter] ?? letter)
  return plainText.replace(/\p{L}+/gu, (word) =>
    /[a-z]/.test(word) ? word.replace(/[\u0370-\u052f]/g, (letter) => lookalikes[letter] ?? letter) : word,
  )
}

const letters: Record<string, string> = { ß: "ss", ł: "l", ø: "o", æ: "ae", œ: "oe", ı: "i", đ: "d", ð: "d", þ: "th" }
const lookalikes: Record<string, string> = Object.fromEntries(
  "аa еe оo рp сc уy хx іi ѕs ԁd кk тt мm вb нh οo αa ρp νv ιi κk τt εe".split(" ").map((pair) => pair.split("")),
)

const splitCase = (text: string): string =>
  text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")

const toTerm = (text: string, ...concepts: readonly Concept[]): Term => ({
  text,
  concepts: new Set(concepts),
  plural: false,
})

function lookUp(text: string, words: Words): Term | undefined {
  const concepts = words.get(text)
  const singularConcepts = text.length > 3 && text.endsWith("s") ? words.get(text.slice(0, -1)) : undefined
  return concepts
    ? { text, concepts, plural: false }
    : singularConcepts && { text, concepts: singularConcepts, plural: true }
}

/** Joins the words of known phrases, which the lexicon lists without spaces: "mot de passe", "pass word", "2 fa". */
function joinPhrases(parts: readonly string[], words: Words): string[] {
  const phrases: string[] = []
  for (let index = 0, size = 1; index < parts.length; index += size) {
    const phraseOf = (width: number): string => parts.slice(index, index + width).join("")
    const isPhrase = (phrase: string): boolean => /.{6}|\d/u.test(phrase) && lookUp(phrase, words) !== undefined
    size = [4, 3, 2].find((width) => index + width <= parts.length && isPhrase(phraseOf(width))) ?? 1
    phrases.push(phraseOf(size))
  }
  return phrases
}

function splitWord(word: string, words: Words, split: SplitPatterns): readonly Term[] {
  const term = lookUp(word, words)
  if (term || word === "") return term ? [term] : []
  if (/^\p{N}+$/u.test(word)) return [toTerm(word, "neutral")]
  if (scriptWithoutSpaces.test(word))
    return word.split(split.script).flatMap((part) => (part === word ? [toTerm(part)] : splitWord(part, words, split)))
  const compound = splitCompound(word, words)
  if (compound) return compound
  const [, owner, secret] = split.secret.exec(word) ?? []
  return owner && secret ? [toTerm(owner), ...splitWord(secret, words, split)] : [toTerm(word)]
}

/**
 * Splits a compound into the fewest known words, allowing German linking letters: "kreditkartennummer",
 * "useraccesstoken". Undefined when a part of it is unknown.
 */
function splitCompound(word: string, words: Words): readonly Term[] | undefined {
  const best: (readonly Term[] | undefined)[] = [[]]
  for (let end = 1; end <= word.length && word.length <= 60; end++)
    for (let start = Math.max(0, end - 30); start < end; start++) {
      const [termsBefore, part] = [best[start], word.slice(start, end)]
      if (!termsBefore || (part.length < 3 && !/^(?:cc|db|pw|no|nr|id|my)$/.test(part))) continue
      const unlinked = start > 0 ? part.replace(/^(?:en|es|s|n)(?=...)/, "") : part
      const term = lookUp(part, words) ?? lookUp(unlinked, words)
      if (term && canBePart(term) && termsBefore.length + 1 < (best[end]?.length ?? 99))
        best[end] = [...termsBefore, term]
    }
  return best[word.length]
}

const joiningConcepts = new Set<Concept>(["own", "your", "of", "about", "stop", "and", "not", "askYour", "lead"])

const canBePart = ({ text, concepts }: Term): boolean =>
  text === "my" || text === "your" || [...concepts].some((concept) => !joiningConcepts.has(concept))
