// What an author changes about the rule: words that are secret as well, and fields that are not. Nothing in it switches the
// rule off, and what it lets through is written down with a reason.

import { invalidConfig, type Problem } from "../core/error.ts"
import { unknownName } from "../core/nearest.ts"
import { textProblem } from "../core/text.ts"

export interface SecretOptions {
  /** Words and phrases that are secret by themselves, in any language: “Losung”, “member number”. */
  readonly words?: readonly string[]
  /**
   * Fields that are not secret although they read like one, by their exact name, each with the reason. The reason goes
   * into the trail of every question that needs it.
   */
  readonly allow?: Readonly<Record<string, string>>
}

export function assertOptions(options: SecretOptions): void {
  const problems = [...problemsOf(options)]
  if (problems.length > 0) throw invalidConfig("The rule about secrets", problems)
}

const leastReason = 10

function* problemsOf({ words = [], allow = {}, ...others }: SecretOptions): Generator<Problem> {
  for (const name of Object.keys(others)) yield unknownName(name, name, ["words", "allow"])
  for (const word of words)
    if (typeof word !== "string" || (word.match(/\p{L}/gu)?.length ?? 0) < 3)
      yield { path: "words", message: "must hold words of at least three letters" }
  for (const [name, reason] of Object.entries(allow)) {
    const problem = textProblem(reason, 500) ?? (reason.length < leastReason ? "must be a written reason" : undefined)
    if (problem !== undefined)
      yield { path: `allow.${name}`, message: problem, suggestion: "Say why it is not a secret." }
  }
}
