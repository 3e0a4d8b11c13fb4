// What a person sees of a message before it is sent: all recipients, and as much of the text as fits. Recipients that
// cannot be shown exactly, and subjects with several lines, are refused.

import { nextcloudError } from "../../api/error.ts"

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
const maxPreviewCharacters = 1_000
const lineLength = 250

/** Matches ASCII addresses only: no lookalike letters, and no character that could end a header line. */
const isAddress = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/i

export function assertShowable(
  { to, cc = [], bcc = [], subject, body, reference }: OutgoingMail,
  activity: string,
): void {
  const toRefusal = (because: string, advice: string): Error => nextcloudError("invalid", { activity, because, advice })
  const all = [...to, ...cc, ...bcc]
  if (to.length === 0) throw toRefusal("`to` is empty", "Give at least one address.")
  const invalidAddress = all.find((address) => !isAddress.test(address))
  if (invalidAddress !== undefined)
    throw toRefusal(
      `“${invalidAddress}” is not an e-mail address`,
      "Give only one address in each entry, without a name, such as bob@example.org.",
    )
  if (all.length > mostRecipients || all.join("").length > mostOfAddresses)
    throw toRefusal(
      "these are too many recipients to show to a person",
      `Send it to at most ${mostRecipients} recipients per mail.`,
    )
  if (/[\p{Cc}\u2028\u2029]/u.test(subject))
    throw toRefusal("`subject` has more than one line", "Write it in one line.")
  if (subject.trim() === "" && body.trim() === "") throw toRefusal("subject and body are empty", "Write something.")
  if (reference !== undefined && !/^<[^<>\s\p{Cc}]{1,250}>$/u.test(reference))
    throw toRefusal("`reference` is not one that nc_mail_get_message returned", "Omit it for a new message.")
}

/**
 * The lines of the question. Each line of the message text begins with a bar, so that it cannot imitate our own lines.
 */
export function previewLines({ to, cc = [], bcc = [], body }: OutgoingMail): readonly string[] {
  const preview = body.slice(0, maxPreviewCharacters)
  const remainingLength = body.length - preview.length
  return [
    ...to.map((address) => `To: ${address}`),
    ...cc.map((address) => `Cc: ${address}`),
    ...bcc.map((address) => `Bcc, unseen by the others: ${address}`),
    ...textLines(preview).map((line) => `| ${line}`),
    ...(remainingLength === 0 ? [] : [`The text continues for ${remainingLength} more characters.`]),
    "A message cannot be taken back once it is sent.",
  ]
}

/**
 * Wraps the text into at most `mostLines` lines, so that the question keeps its last line. Text beyond these lines is
 * joined into the last of them.
 */
function textLines(preview: string): readonly string[] {
  const lines = preview.split(/[\r\n\u2028\u2029\u0085]+/).filter((line) => line.trim() !== "")
  const shortLines = lines.flatMap((line) => line.match(new RegExp(`.{1,${lineLength}}`, "gsu")) ?? [])
  return shortLines.length <= mostLines
    ? shortLines
    : [...shortLines.slice(0, mostLines - 1), shortLines.slice(mostLines - 1).join(" ")]
}

const mostLines = 40
