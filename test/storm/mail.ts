// Reads the mails of a storm: which question each is about, and whether a later one says that it is over.

import type { ReceivedMail } from "../../packages/holdpoint/test/surfaces/email/received.ts"
import { keyPattern, type MessageFact, type QuestionFact } from "./facts.ts"

export function mailFacts(mails: readonly ReceivedMail[], questions: readonly QuestionFact[]): readonly MessageFact[] {
  const over = new Set(mails.filter(isOver).map(subjectOf))
  const ended = questions
    .filter(({ status }) => status !== "pending")
    .map(({ message }) => keyPattern.exec(message)?.[0])
  return mails.flatMap((mail): readonly MessageFact[] => {
    const [about = ""] = keyPattern.exec(mail.subject) ?? []
    if (isOver(mail) || !ended.includes(about)) return []
    return [{ outlet: `the mailbox of ${mail.to}`, about, isWithdrawn: over.has(subjectOf(mail)) }]
  })
}

const isOver = ({ subject }: ReceivedMail): boolean => subject.startsWith("Over: ")

/** Reminders and ends have the subject of the question, after a word. */
const subjectOf = ({ to, subject }: ReceivedMail): string => `${to} ${subject.replace(/^(?:Over|Reminder): /, "")}`
