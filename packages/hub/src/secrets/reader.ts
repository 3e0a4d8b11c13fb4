// The rule about secret words. A label is secret when it has a secret word, and no word with which a text only talks about
// one. A text asks for a secret when a clause has a secret word and a verb, or begins with the secret's name. Pure.

import { toWords, unmask } from "./plain.ts"
import { table } from "./words.ts"

export interface SecretReader {
  /** The secret that a name or title means, in the words that mean it; undefined for none. */
  label(text: string): string | undefined
  /** The secret that a text asks for. `isShort`: a clause without a verb counts only when it is hardly more than a name. */
  prose(text: string, isShort: boolean): string | undefined
}

export function createReader(secretWords: readonly string[]): SecretReader {
  let lexicon: Lexicon | undefined
  // Made with the first text, because that would dominate the start of a program that asks nothing.
  const read = (): Lexicon => (lexicon ??= toLexicon(secretWords))
  const isMention = (words: readonly string[], { from, to }: Match): boolean =>
    read().phrases.find(words) !== undefined ||
    read().mentions.find([...words.slice(0, from), "", ...words.slice(to)]) !== undefined
  return {
    label(text) {
      const { whole, secrets } = read()
      const bare = text.replace(/[([][^()[\]]*[)\]]/g, " ")
      for (const words of [toWords(bare), toWords(unmask(bare))]) {
        const match = (isOnly(words, whole.find(words)) ? whole : secrets).find(words)
        if (match !== undefined)
          return isMention(words, match) ? undefined : words.slice(match.from, match.to).join(" ")
      }
      return undefined
    },
    prose(text, isShort) {
      const { secrets, verbs } = read()
      for (const sentence of text
        .replace(opaqueText, " ")
        .replace(/\([^()]*\)/g, " ")
        .split(/[.!?;。！？؟।\n]+/)) {
        for (const clause of sentence.split(/[,:，、：—–]|\s-\s/)) {
          const words = toWords(clause)
          if (words.some((word) => negations.has(word) || word.includes("しないで"))) break
          const match = secrets.find(words) ?? toMatch(words.indexOf("pin"))
          if (match === undefined || isMention(words, match)) continue
          if (verbs.find(words) !== undefined || isName(words, match, isShort))
            return words.slice(match.from, match.to).join(" ")
        }
      }
      return undefined
    },
  }
}

/** Whether the words are hardly more than the name of the secret: “Your wifi password”, “API key of the dashboard”. */
function isName(words: readonly string[], { from, to }: Match, isShort: boolean): boolean {
  const first = words.findIndex((word) => !own.has(word))
  const next = words[to]
  const mayFollow = isShort ? ["please", "for", "from", "with"] : [...afterName]
  if (next !== undefined && !mayFollow.includes(next)) return false
  return from - first <= (isShort ? (first === 0 ? 0 : 1) : 2)
}

/** Whether the match is all of the words, besides “your” and the like. */
const isOnly = (words: readonly string[], match: Match | undefined): boolean =>
  match !== undefined && match.to === words.length && words.slice(0, match.from).every((word) => own.has(word))

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "))
const own = /* @__PURE__ */ setOf("your my the a an one new current ihr dein votre su tu sua uw ditt ваш")
const afterName = /* @__PURE__ */ setOf("for from with of and on in must we please to que de")
const negations = /* @__PURE__ */ setOf("not never no don dont nicht kein ne jamais nunca niet nie inte ikke не")

/** Addresses and ids, which are removed because letters in them may happen to spell a word: “2fa”, “cc”. */
const opaqueText = /\bhttps?:\/\/\S+|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[a-f]*\d)[0-9a-f]{16,}\b/gi

interface Match {
  readonly from: number
  readonly to: number
}
const toMatch = (from: number): Match | undefined => (from < 0 ? undefined : { from, to: from + 1 })

type Lexicon = Readonly<Record<"secrets" | "whole" | "verbs" | "mentions" | "phrases", WordList>>

function toLexicon(secretWords: readonly string[]): Lexicon {
  const rows = table.trim().split("\n")
  const column = (nth: number): readonly string[] => rows.flatMap((row) => row.split("|")[nth]?.match(/\S+/g) ?? [])
  const secrets = [...column(2), ...secretWords.map((words) => `*${words.trim().replaceAll(/\s+/g, "-")}`)]
  const isWhole = (word: string): boolean => word.startsWith("=")
  // A phrase, or a part of a compound, shows by itself that nothing is asked for: “open secret”, “Passwortlänge”.
  const isPhrase = (word: string): boolean => /[-*]/.test(word)
  return {
    secrets: createWordList(secrets.filter((word) => !isWhole(word))),
    whole: createWordList(secrets.filter(isWhole).map((word) => word.slice(1))),
    verbs: createWordList(column(3)),
    mentions: createWordList(column(4).filter((word) => !isPhrase(word))),
    phrases: createWordList(column(4).filter(isPhrase)),
  }
}

interface WordList {
  /** The first match of an entry in the words; of several there, the longest. */
  find(words: readonly string[]): Match | undefined
}

const maxWidth = 6

/** The entries of a column: whole words and phrases, ends of compounds (`*word`), and parts of them (`*word*`). */
function createWordList(entries: readonly string[]): WordList {
  const [wholes, ends, parts] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const entry of entries) {
    const joined = toWords(entry.replaceAll(/[*-]/g, " ")).join("")
    if (joined !== "") wholes.add(joined)
    if (entry.endsWith("*")) parts.add(joined)
    if (/^\*[^*]+$/.test(entry)) ends.add(joined)
  }
  const lengths = [...new Set([...parts].map(({ length }) => length))]
  const has = (list: ReadonlySet<string>, word: string): boolean =>
    list.has(word) || (/[a-z]s$/.test(word) && !/(?:token|secret)s$/.test(word) && list.has(word.slice(0, -1)))
  const isCompound = (word: string): boolean => {
    for (let start = 1; start < word.length - 1; start++)
      if (start > word.length - 30 && has(ends, word.slice(start))) return true
    return (
      lengths.length > 0 &&
      !/^[a-z0-9]+$/.test(word) &&
      [...word].some((_, start) => lengths.some((length) => parts.has(word.slice(start, start + length))))
    )
  }
  return {
    find(words) {
      for (const from of words.keys())
        for (let width = Math.min(maxWidth, words.length - from); width > 0; width--) {
          const joined = width === 1 ? (words[from] ?? "") : words.slice(from, from + width).join("")
          if (has(wholes, joined) || (width === 1 && isCompound(joined))) return { from, to: from + width }
        }
      return undefined
    },
  }
}
