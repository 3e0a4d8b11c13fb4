// What the database knows about the questions that findings name: every entry of their trails, so that a finding can be
// understood after the storm.

import type { Storage } from "@holdpoint/hub"
import { readTrail } from "../../packages/hub/src/hub/effects.ts"
import { type AnswerFact, type Facts, type Finding, keyPattern } from "./facts.ts"
import type { History } from "./history.ts"
import { questionsByKey } from "./rules/effects.ts"

/** Returns lines for each question that the findings name by its id or by the key of its act, in the order of time. */
export async function traceOf(
  { trail }: Pick<Storage, "trail">,
  facts: Pick<Facts, "questions" | "answers" | "effects"> & Pick<History, "notes">,
  { findings, startedAt }: { readonly findings: readonly Finding[]; readonly startedAt: number },
): Promise<readonly string[]> {
  const byKey = questionsByKey(facts)
  const named = new Set(findings.flatMap(({ ids }) => ids))
  // A finding about one question of an act is understood from all of them.
  const keys = facts.questions.flatMap(({ id, message }) =>
    named.has(id) ? (keyPattern.exec(message)?.[0] ?? []) : [],
  )
  const ids = new Set(
    [...named, ...keys].flatMap((id) => [id, ...(byKey.get(id) ?? []).map((question) => question.id)]),
  )
  const lines: { readonly at: number; readonly words: string }[] = []
  for (const id of ids) {
    for (const { at, position, kind, status = "", detail } of await readTrail(trail, id))
      lines.push({ at: at - startedAt, words: `${id} ${position} ${kind} ${status} ${JSON.stringify(detail)}` })
    for (const answer of facts.answers) if (answer.question === id) lines.push(lineOf(answer))
    for (const { key, at, words } of facts.notes) if (key === id) lines.push({ at, words: `${id} ${words}` })
    for (const { key, at } of facts.effects) if (key === id) lines.push({ at, words: `${id} reaches the ledger` })
  }
  return lines
    .sort((one, other) => one.at - other.at)
    .slice(0, mostLines)
    .map(({ at, words }) => `${Math.round(at)} ms: ${words}`)
}

const mostLines = 300

const lineOf = ({ question, said, via, sentAt, heardAt, httpStatus, words }: AnswerFact) => ({
  at: sentAt,
  words: `${question} ${said} by ${via}, answered ${httpStatus ?? "never"} at ${Math.round(heardAt ?? 0)}: ${words}`,
})
