// Undoes what hides a word: other alphabets, digits for letters, spaced letters, the change of case in a name. Pure; linear
// in the length of a text.

/** The words of a text, in small letters without accents. */
export function toWords(text: string): readonly string[] {
  const words = fold(splitCase(text)).match(/\p{L}[\p{L}\p{M}]*|\p{N}+/gu) ?? []
  if (!words.some(isLetter)) return words
  // Joins single letters between spaces to one word: "p a s s w o r d".
  const joined = words.join(" ").replace(/(?<=^| )[a-z](?: [a-z]){3,}(?= |$)/g, (all) => all.replaceAll(" ", ""))
  return joined.split(" ")
}

const isLetter = (word: string): boolean => word.length === 1

function fold(text: string): string {
  // ASCII text needs no more.
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/[ßłøæœıđðþ]/g, (letter) => letters[letter] ?? letter)
    .replace(/\p{L}+/gu, (word) => (/[a-z]/.test(word) ? word.replace(/[\u0370-\u052f]/g, toLatin) : word))
}

/** Letters for the digits and signs that stand for them: "p@ssw0rd". Only inside a word that also has letters. */
export function unmask(text: string): string {
  return text.replace(/[\p{L}\p{N}@$!]+/gu, (word) =>
    /\p{L}/u.test(word) ? word.replace(/[013457@$!]/g, (sign) => "oieastasi"["013457@$!".indexOf(sign)] ?? sign) : word,
  )
}

const splitCase = (text: string): string =>
  text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")

const letters: Readonly<Record<string, string>> = {
  ...{ ß: "ss", ł: "l", ø: "o", æ: "ae", œ: "oe", ı: "i", đ: "d", ð: "d", þ: "th" },
}
const lookalikes: Readonly<Record<string, string>> = /* @__PURE__ */ Object.fromEntries(
  "аa еe оo рp сc уy хx іi ѕs ԁd кk тt мm вb нh οo αa ρp νv ιi κk τt εe".split(" ").map((pair) => pair.split("")),
)
const toLatin = (letter: string): string => lookalikes[letter] ?? letter
