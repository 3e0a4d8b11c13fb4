// Names of tools as people see them: names that look equal have the same form. Only for rules that make a call
// stricter, because different names may have the same form. Pure.

/** The form that names share when people can take one for the other. */
export function seenForm(name: string): string {
  const visible = name
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu, "")
  return [...visible]
    .map((character) => latinLetters.get(character) ?? character)
    .join("")
    .replace(/[\s._\-/:\p{Pd}\p{Pc}]+/gu, "_")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
}

/** Letters and digits that look like a Latin letter, each behind the letter. */
const lookAlikes = [
  ...["aаαɑ", "bвβь", "cсϲ", "dԁ", "eеєεҽ", "fϝ", "gɡց", "hһнհ", "jјϳ", "kкκ", "lіїıιӏ1|!i", "mм", "nηпո"],
  ...["o0оοօσ", "pрρ", "qԛգ", "rгᴦ", "sѕ", "tтτ", "uυսц", "vνѵ", "wԝωա", "xхχ", "yуүγ", "zᴢ"],
]

const latinLetters: ReadonlyMap<string, string> = new Map(
  lookAlikes.flatMap(([letter = "", ...others]) => others.map((other) => [other, letter] as const)),
)
