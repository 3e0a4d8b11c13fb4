// Renders a question as a mail: the asker, the message, the deadline, and one link to the page of the question. Pure. A
// mail never contains an answer, and opening a link changes nothing.

import type { Elicitation } from "@holdpoint/hub"
import { askerQuote, button, escaped, layout, paragraph, quietParagraph } from "./html.ts"
import { shorten, toLine, toPlainText, wrap } from "./plain.ts"

/** The content of a mail: the subject, and the body as text and as HTML. */
export interface Mail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface MailLinks {
  /** The page of the question. */
  readonly question: string
  readonly account: string
  /** The page that stops mails of this kind, after a click on its button. */
  readonly unsubscribe?: string
}

export interface MailDetails {
  readonly links: MailLinks
  /** The person's time zone, such as Europe/Berlin. */
  readonly zone?: string
  /** Whether the person was already notified of this question. */
  readonly isReminder?: boolean
}

const mostSubject = 120
const mostMessage = 1_000

/** Creates the mail that notifies a person of a question. */
export function toMail(question: Elicitation, { links, zone, isReminder = false }: MailDetails): Mail {
  const name = toLine(question.requester.name ?? question.requester.id, 80)
  const client = question.client === undefined ? undefined : toPlainText(toLine(question.client.name, 80))
  const message = shorten(toPlainText(question.message.trim()), mostMessage)
  const untilText = `You can answer until ${timeIn(question.expiresAt, zone)}.`
  const clientText = client === undefined ? undefined : `Through a program that calls itself “${client}”.`
  const askText = `${toPlainText(name)} asks you:`
  const pageText = "Read and answer it on this page, where you may have to sign in:"
  const reasonText =
    "You get this e-mail because a program asked you something and it was not answered elsewhere. Opening the link does not answer the question."
  const unsubscribeText = links.unsubscribe === undefined ? undefined : "Stop e-mails about questions of this kind:"
  const text = [
    ...(isReminder ? ["This is a reminder."] : []),
    wrap(askText),
    indent(message),
    ...(clientText === undefined ? [] : [wrap(clientText)]),
    wrap(untilText),
    `${wrap(pageText)}\n${links.question}`,
    `-- \n${wrap(reasonText)}`,
    `Choose how questions reach you:\n${links.account}`,
    ...(unsubscribeText === undefined ? [] : [`${unsubscribeText}\n${links.unsubscribe}`]),
  ]
  return {
    subject: `${isReminder ? "Reminder: " : ""}${toLine(`Question from ${name}: ${question.message}`, mostSubject)}`,
    text: `${text.join("\n\n")}\n`,
    html: layout({
      title: `Question from ${toPlainText(name)}`,
      parts: [
        ...(isReminder ? [quietParagraph("This is a reminder.")] : []),
        paragraph(`<strong>${escaped(toPlainText(name))}</strong> asks you:`),
        askerQuote(escaped(message)),
        ...(clientText === undefined ? [] : [quietParagraph(escaped(clientText))]),
        paragraph(escaped(untilText)),
        button(links.question, "Read and answer"),
      ],
      footer: [
        escaped(reasonText),
        `<a href="${escaped(links.account)}">Choose how questions reach you</a>` +
          (links.unsubscribe === undefined
            ? ""
            : ` or <a href="${escaped(links.unsubscribe)}">stop e-mails about questions of this kind</a>`),
      ],
    }),
  }
}

/** Creates the mail that notifies a person that a mailed question has ended. Never contains the answer. */
export function toEndMail(settled: Elicitation, { links }: Pick<MailDetails, "links">): Mail {
  const name = toLine(settled.requester.name ?? settled.requester.id, 80)
  const message = shorten(toPlainText(settled.message.trim()), mostMessage)
  const endText = `The question from ${toPlainText(name)} ${endWords[settled.status] ?? "is over"}. You have nothing left to do.`
  return {
    subject: `Over: ${toLine(`Question from ${name}: ${settled.message}`, mostSubject)}`,
    text: `${[wrap(endText), indent(message), `What happened:\n${links.question}`].join("\n\n")}\n`,
    html: layout({
      title: "A question is over",
      parts: [paragraph(escaped(endText)), askerQuote(escaped(message))],
      footer: [`<a href="${escaped(links.question)}">What happened</a>`],
    }),
  }
}

/**
 * The words for the end of a question. A Yes and a No have the same words, because more people may see a mail than the
 * page of the question.
 */
const endWords: Readonly<Partial<Record<Elicitation["status"], string>>> = {
  completed: "was answered",
  declined: "was answered",
  cancelled: "was withdrawn",
  expired: "was not answered in time",
}

const indent = (message: string): string =>
  wrap(message, 68)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n")

function timeIn(at: number, zone = "UTC"): string {
  const day = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: zone })
  const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: zone })
  return `${day.format(at)}, ${clock.format(at)} (${zone})`
}
