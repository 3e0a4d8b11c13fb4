// Reads the mails of a storm: which question each is about, and whether a later one says that it is over.

import type { ReceivedMail } from "../../packages/holdpoint/test/surfaces/email/received.ts"
import { keyPattern, type MessageFact, type QuestionFact } from "./facts.ts"

export function mailFacts(
  mails: readonly ReceivedMail[],
  { questions, owedMails }: { readonly questions: readonly QuestionFact[]; readonly owedMails: ReadonlySet<string> },
): readonly MessageFact[] {
  const over = new Set(mails.filter(isOver).map(subjectOf))
  const keysOf = (some: readonly QuestionFact[]) => new Set(some.map(({ message }) => keyPattern.exec(message)?.[0]))
  const ended = keysOf(questions.filter(({ status }) => status !== "pending"))
  const owed = keysOf(questions.filter(({ id }) => owedMails.has(id)))
  return mails.flatMap((mail): readonly MessageFact[] => {
    const [about = ""] = keyPattern.exec(mail.subject) ?? []
    if (isOver(mail) || !ended.has(about)) return []
    return [
      { outlet: `the mailbox of ${mail.to}`, about, isWithdrawn: over.has(subjectOf(mail)), isOwed: owed.has(about) },
    ]
  })
}

const isOver = ({ subject }: ReceivedMail): boolean => subject.startsWith("Over: ")

/** Reminders and ends have the subject of the question, after a word. */
const subjectOf = ({ to, subject }: ReceivedMail): string => `${to} ${subject.replace(/^(?:Over|Reminder): /, "")}`
