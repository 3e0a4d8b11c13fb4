// The verdicts of the rule before it became a table of words, in verdicts.txt: every difference is listed here.

import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { findSecrets, secretRule } from "../../src/secrets/rule.ts"
import { table } from "../../src/secrets/words.ts"

const judges: Readonly<Record<string, (text: string) => boolean>> = {
  name: (text) => findSecrets({ properties: { [text]: { type: "string" } } }).length > 0,
  description: (text) => findSecrets({ properties: { x: { type: "string", description: text } } }).length > 0,
  message: (text) => secretRule.inMessage(text).length > 0,
}

/** No longer refused. The first four ask for a secret; the others are lengths of passwords. */
const givenUp = [
  ...["github pin", "stripe pin", "database pin", "github key"],
  ...["jelszó hossza", "довжина пароля", "طول كلمة المرور", "पासवर्ड की लंबाई"],
]

/** Refused only now: all of them ask for a secret. */
const gained =
  `code reçu par SMS | Kod zabezpieczający | Todennuskoodi | soukromý klíč | Biztonsági kód | Ellenőrző kód |
  kártyaszám | titkos kulcs | cod PIN | Cod de securitate | Cod de verificare | număr card | numărul cardului | cheie API |
  cheie privată | Парольная фраза | секретний ключ | 助记词 | Mã xác nhận | رمز الأمان | رقم البطاقة | קוד PIN | קוד אבטחה |
  קוד אימות | מספר כרטיס | Skriv inn passordet | Introduceți parola | הזן סיסמה | acme credentials`
    .split("|")
    .map((text) => text.trim())

describe("the verdict", () => {
  const lines = readFileSync(new URL("verdicts.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
  const differing = new Set<string>()

  it.each(lines.map((line) => line.split("; ")))("%s, %s, %s", (_language, kind = "", before, texts = "") => {
    const judge = judges[kind] ?? expect.fail(kind)
    const changed = texts.split(" | ").filter((text) => judge(text) !== (before === "refused"))
    expect(changed.filter((text) => !(before === "refused" ? givenUp : gained).includes(text))).toEqual([])
    for (const text of changed) differing.add(text)
  })

  it("differs for every text that is listed as different", () => {
    expect([...givenUp, ...gained].filter((text) => !differing.has(text))).toEqual([])
  })
})

describe("the table", () => {
  it("has five columns in every line, and a source for each language", () => {
    for (const line of table.trim().split("\n")) {
      const [language = "", source = "", secrets = "", ...others] = line.split("|").map((cell) => cell.trim())
      expect([language, others.length], line).toEqual([expect.stringMatching(/^[A-Z]/), 2])
      expect(source).toMatch(/^(?:bitwarden|nextcloud) [a-z]{2}/)
      expect(secrets).not.toBe("")
    }
  })
})
