// How an author adjusts the rule: further secret words, and fields that are exempt. The rule cannot be switched off,
// and every exemption is recorded with its reason.

import { invalidConfig, type Problem } from "../core/error.ts"
import { unknownName } from "../core/nearest.ts"
import { textProblem } from "../core/text.ts"

export interface SecretOptions {
  /** Further words and phrases that are secret, in any language: “Losung”, “member number”. */
  readonly words?: readonly string[]
  /**
   * Fields that look like a secret but are not, by their exact name, each with the reason. The reason is recorded in
   * the trail of every question that uses the exemption.
   */
  readonly allow?: Readonly<Record<string, string>>
}

export function assertOptions(options: SecretOptions): void {
  const problems = [...problemsOf(options)]
  if (problems.length > 0) throw invalidConfig("The rule about secrets", problems)
}

const leastReason = 10

function* problemsOf({ words = [], allow = {}, ...otherOptions }: SecretOptions): Generator<Problem> {
  for (const name of Object.keys(otherOptions)) yield unknownName(name, name, ["words", "allow"])
  for (const word of words)
    if (typeof word !== "string" || (word.match(/\p{L}/gu)?.length ?? 0) < 3)
      yield { path: "words", message: "must hold words of at least three letters" }
  for (const [name, reason] of Object.entries(allow)) {
    const problem = textProblem(reason, 500) ?? (reason.length < leastReason ? "must be a written reason" : undefined)
    if (problem !== undefined)
      yield { path: `allow.${name}`, message: problem, suggestion: "Say why it is not a secret." }
  }
}
