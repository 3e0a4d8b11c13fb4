// Reads the mails of a storm: which question each is about, and whether a later one says that it is over.

import type { ReceivedMail } from "@holdpoint/testkit/email/received"
import { keyPattern, type MessageFact, type QuestionFact } from "./facts.ts"

export interface StoredMails {
  readonly questions: readonly QuestionFact[]
  /** The questions whose mails a process still has to send or to withdraw. */
  readonly owedMails: ReadonlySet<string>
  /** The Message-IDs of the mails that a process knows that it has sent. */
  readonly sentMails: ReadonlySet<string>
}

/** A process that died while it sent a mail does not know it, because a mail server cannot be asked which mails it has. */
export function mailFacts(
  mails: readonly ReceivedMail[],
  { questions, owedMails, sentMails }: StoredMails,
): readonly MessageFact[] {
  const over = new Set(mails.filter(isOver).map(subjectOf))
  const keysOf = (some: readonly QuestionFact[]) => new Set(some.map(({ message }) => keyPattern.exec(message)?.[0]))
  const ended = keysOf(questions.filter(({ status }) => status !== "pending"))
  const owed = keysOf(questions.filter(({ id }) => owedMails.has(id)))
  return mails.flatMap((mail): readonly MessageFact[] => {
    const [about = ""] = keyPattern.exec(mail.subject) ?? []
    if (isOver(mail) || !ended.has(about) || !sentMails.has(mail.messageId)) return []
    return [
      { outlet: `the mailbox of ${mail.to}`, about, isWithdrawn: over.has(subjectOf(mail)), isOwed: owed.has(about) },
    ]
  })
}

const isOver = ({ subject }: ReceivedMail): boolean => subject.startsWith("Over: ")

/** Reminders and ends have the subject of the question, after a word. */
const subjectOf = ({ to, subject }: ReceivedMail): string => `${to} ${subject.replace(/^(?:Over|Reminder): /, "")}`
