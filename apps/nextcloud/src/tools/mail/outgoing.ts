// What a person sees of a message before it is sent: all recipients, and as much of the text as fits. Recipients that
// cannot be shown exactly, and subjects with several lines, are refused.

import { nextcloudError } from "../../api/error.ts"
import { toPreviewLines } from "../../preview.ts"

export interface OutgoingMail {
  readonly account_id?: number | undefined
  readonly from?: string | undefined
  readonly to: readonly string[]
  readonly cc?: readonly string[] | undefined
  readonly bcc?: readonly string[] | undefined
  readonly subject: string
  readonly body: string
  readonly reference?: string | undefined
}

/** Limits that let one question show all recipients and leave room for the text. */
const mostRecipients = 20
const mostOfAddresses = 1_000
/** The longest address that mail can be sent to (RFC 5321 section 4.5.3.1.3, without the angle brackets). */
const maxAddressLength = 254
/** What remains of a question for recipients and text, beside its first line, its last lines and the bars. */
const roomInQuestion = 1_800

/** Matches ASCII addresses only: no lookalike letters, and no character that could end a header line. */
const isAddress = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/i

export function assertShowable(
  { to, cc = [], bcc = [], subject, body, reference }: OutgoingMail,
  activity: string,
): void {
  const toRefusal = (because: string, advice: string): Error => nextcloudError("invalid", { activity, because, advice })
  const all = [...to, ...cc, ...bcc]
  if (to.length === 0) throw toRefusal("`to` is empty", "Give at least one address.")
  const invalidAddress = all.find((address) => address.length > maxAddressLength || !isAddress.test(address))
  if (invalidAddress !== undefined)
    throw toRefusal(
      `“${invalidAddress}” is not an e-mail address`,
      "Give only one address in each entry, without a name, such as bob@example.org.",
    )
  if (all.length > mostRecipients || all.join("").length > mostOfAddresses)
    throw toRefusal(
      "these are too many recipients to show to a person",
      `Send it to at most ${mostRecipients} recipients at a time.`,
    )
  if (/[\p{Cc}\u2028\u2029]/u.test(subject))
    throw toRefusal("`subject` has more than one line", "Write it in one line.")
  if (subject.trim() === "" && body.trim() === "") throw toRefusal("subject and body are empty", "Write something.")
  if (reference !== undefined && !/^<[^<>\s\p{Cc}]{1,250}>$/u.test(reference))
    throw toRefusal("`reference` is not one that nc_mail_get_message returned", "Omit it for a new message.")
}

/** The lines of the question. */
export function previewLines({ to, cc = [], bcc = [], body }: OutgoingMail): readonly string[] {
  const recipientLines = [
    ...to.map((address) => `To: ${address}`),
    ...cc.map((address) => `Cc: ${address}`),
    ...bcc.map((address) => `Bcc, hidden from the others: ${address}`),
  ]
  return [
    ...recipientLines,
    ...toPreviewLines(body, roomInQuestion - recipientLines.join("\n").length),
    "A message cannot be taken back once it is sent.",
  ]
}
