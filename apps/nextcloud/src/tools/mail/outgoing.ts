// What a person is shown of a message before it is sent: all of its recipients, and as much of its text as fits. Recipients
// that could not be shown as they are, and subjects of several lines, are refused.

import { nextcloudError } from "../../api/error.ts"

export interface Outgoing {
  readonly account_id?: number | undefined
  readonly from?: string | undefined
  readonly to: readonly string[]
  readonly cc?: readonly string[] | undefined
  readonly bcc?: readonly string[] | undefined
  readonly subject: string
  readonly body: string
  readonly reference?: string | undefined
}

/** One question holds them all, with room for the text. */
const mostRecipients = 20
const mostOfAddresses = 1_000
const shownOfText = 1_000
const lineLength = 250

/** Only ASCII: no letter of an address looks like another one, and none ends the line of a header. */
const isAddress = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/i

export function assertShowable({ to, cc = [], bcc = [], subject, body, reference }: Outgoing, doing: string): void {
  const refuse = (because: string, advice: string): Error => nextcloudError("invalid", { doing, because, advice })
  const all = [...to, ...cc, ...bcc]
  if (to.length === 0) throw refuse("`to` is empty", "Give at least one address.")
  const wrong = all.find((address) => !isAddress.test(address))
  if (wrong !== undefined)
    throw refuse(`“${wrong}” is not an e-mail address`, "Give each one alone, as bob@example.org, without a name.")
  if (all.length > mostRecipients || all.join("").length > mostOfAddresses)
    throw refuse(
      "these are more recipients than a person can be shown",
      `Send it to at most ${mostRecipients} at a time.`,
    )
  if (/[\p{Cc}\u2028\u2029]/u.test(subject)) throw refuse("`subject` has more than one line", "Write it in one line.")
  if (subject.trim() === "" && body.trim() === "") throw refuse("subject and body are empty", "Write something.")
  if (reference !== undefined && !/^<[^<>\s\p{Cc}]{1,250}>$/u.test(reference))
    throw refuse("`reference` is not one that nc_mail_get_message gives", "Leave it out for a new message.")
}

/** No line of the text looks like one of ours: each begins with a bar. */
export function shownLines({ to, cc = [], bcc = [], body }: Outgoing): readonly string[] {
  const shown = body.slice(0, shownOfText)
  const left = body.length - shown.length
  return [
    ...to.map((address) => `To: ${address}`),
    ...cc.map((address) => `Cc: ${address}`),
    ...bcc.map((address) => `Bcc, unseen by the others: ${address}`),
    ...textLines(shown).map((line) => `| ${line}`),
    ...(left === 0 ? [] : [`The text goes on for ${left} more characters.`]),
    "What was sent cannot be taken back.",
  ]
}

/** Lines that are not cut when they are shown, and not so many that the last words are. */
function textLines(shown: string): readonly string[] {
  const lines = shown.split(/[\r\n\u2028\u2029\u0085]+/).filter((line) => line.trim() !== "")
  const short = lines.flatMap((line) => line.match(new RegExp(`.{1,${lineLength}}`, "gsu")) ?? [])
  return short.length <= mostLines ? short : [...short.slice(0, mostLines - 1), short.slice(mostLines - 1).join(" ")]
}

const mostLines = 40
