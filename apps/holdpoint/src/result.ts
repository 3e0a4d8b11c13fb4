// Prints the result of an answer, a cancellation or a completion.

import type { Elicitation, Refusal, StepResult } from "@holdpoint/hub"
import type { Call, ExitCode } from "./command.ts"
import { endingText } from "./describe.ts"
import { withIsoTimes } from "./iso-times.ts"
import { green, red } from "./output.ts"

export interface ResultWords {
  readonly changedWords: (now: Elicitation) => string
  readonly unchangedWords: string
  /** Lines after a refusal: what to do next. */
  readonly nextSteps?: (refusal: Refusal) => readonly string[]
}

export function printResult(call: Call, id: string, result: StepResult, words: ResultWords): ExitCode {
  const { out, args, io } = call
  if (!result.ok) {
    const { refusal } = result
    if (args.has("json")) out.json(withIsoTimes({ id, refused: refusal }))
    out.note(red("Refused: "), refusal.message)
    for (const { message } of refusal.problems ?? []) out.note("  ", message)
    if (refusal.ended !== undefined) out.note(`It was ${endingText(refusal.ended, io.runtime.now())}.`)
    for (const line of words.nextSteps?.(refusal) ?? []) out.note(line)
    return 1
  }
  const { elicitation, changed } = result
  if (args.has("json")) out.json({ id, status: elicitation.status, changed })
  else out.say(green("✔ "), changed ? words.changedWords(elicitation) : words.unchangedWords)
  return 0
}
