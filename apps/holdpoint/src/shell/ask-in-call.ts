// `holdpoint ask` inside a tool of `holdpoint shell`: asks the caller of the tool through the tool's own call, and
// prints the usual output of the command. Does not open a database.

import type { Outcome } from "@holdpoint/hub"
import type { Call, ExitCode } from "../command.ts"
import { toMilliseconds } from "../duration.ts"
import { fieldFlags, hasAnswerLabels, readAnswerLabels, readForm } from "../fields.ts"
import { yellow } from "../output.ts"
import { settingFlags } from "../settings.ts"
import { wrongUse } from "../wrong-use.ts"
import type { CallAnswer } from "./call-files.ts"
import { askByFiles } from "./call-files.ts"

/** Whether this program runs in a tool of `holdpoint shell`. Other servers of scripts do not set this variable. */
export const isInCall = ({ env }: Call["io"]): boolean => env.MCP_ELICIT_FORM !== undefined

/** The flags that do not apply inside a call: the call determines the person and the server. */
const rejectedFlags: readonly string[] = ["to", "to-role", "key", "no-wait", "from", ...Object.keys(settingFlags)]

export async function askInCall(call: Call): Promise<ExitCode> {
  const { args, io, out } = call
  const rejected = args.flags.find(({ name }) => rejectedFlags.includes(name))
  if (rejected !== undefined)
    throw wrongUse(
      `--${rejected.name} cannot be used inside a tool: the question goes to the tool's caller.`,
      "Leave the flag out. To ask through a database instead, run: env -u MCP_ELICIT_FORM holdpoint ask …",
    )
  const request = toRequest(call)
  const { MCP_ELICIT_REQUEST_FILE: file } = io.env
  const answer = file === undefined ? notAskable : await askByFiles(file, request, io.signal)
  const outcome = toOutcome(answer, hasAnswerLabels(args))
  if (args.has("json")) out.json(outcome)
  if (outcome.status !== "completed") {
    const words = answer.message ?? answer.reason
    out.note(yellow("No answer: "), `${outcome.status}${words === undefined ? "" : ` (${words})`}.`)
    return 1
  }
  if (!args.has("json")) out.json(outcome.content ?? {})
  return hasAnswerLabels(args) && outcome.content?.confirmed === "no" ? 1 : 0
}

const notAskable: CallAnswer = {
  action: "error",
  reason: "unsupported",
  message: "the client of this call cannot show questions, and there is no page for its user",
}

function toRequest({ args, io }: Call): object {
  const [message = ""] = args.words
  const url = args.one("url")
  const timeout = toSeconds(args.one("timeout"))
  const words = readAnswerLabels(args, message)
  const form = readForm(args, io)
  if (url === undefined && words === undefined) return { message, mode: "form", schema: form, ...timeout }
  if (url === undefined) {
    const [yesLabel, noLabel] = [args.one("yes"), args.one("no")]
    return { message, mode: "form", schema: confirmSchema, yes: yesLabel, no: noLabel, ...timeout }
  }
  if (args.flags.some(({ name }) => Object.hasOwn(fieldFlags, name)))
    throw wrongUse("A question has fields or an address, not both.", "Ask two questions.")
  if (url.includes("{id}"))
    throw wrongUse("The id of a question is not known inside a tool.", "Leave {id} out of the address.")
  return { message, mode: "url", url, wait: true, ...timeout }
}

/** The form of a yes-or-no question, which the server shows as two buttons. */
const confirmSchema = { type: "object", properties: { confirmed: { type: "boolean" } }, required: ["confirmed"] }

function toSeconds(text: string | undefined): { readonly timeout?: number } {
  if (text === undefined) return {}
  const milliseconds = toMilliseconds(text)
  if (milliseconds !== undefined) return { timeout: milliseconds / 1_000 }
  throw wrongUse(`“${text}” is not a length of time.`, "Write --timeout 30s, 5m, 2h or 7d.")
}

/** Converts the answer to an outcome. With `hasOwnWords`, No is an answer and not a decline. */
function toOutcome({ action, content = {}, reason, message }: CallAnswer, hasOwnWords: boolean): Outcome {
  const reasonMember =
    reason === undefined ? {} : { reason: { code: reason, ...(message === undefined ? {} : { message }) } }
  if (action === "accept") {
    const words = hasOwnWords ? { confirmed: content.confirmed === true ? "yes" : "no" } : content
    return { status: "completed", content: words as never }
  }
  if (action === "decline") return { status: "declined", ...reasonMember }
  if (action === "cancel") return { status: "cancelled", ...reasonMember }
  if (reason === "expired" || reason === "timed_out") return { status: "expired", ...reasonMember }
  return { status: reason === "unsupported" ? "unsupported" : "failed", ...reasonMember }
}
