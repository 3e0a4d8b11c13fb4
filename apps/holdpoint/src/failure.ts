// Prints an error for people: what happened, why, and what to do next. HOLDPOINT_DEBUG=1 adds the stack.

import type { ErrorCode } from "@holdpoint/hub"
import { isHoldpointError } from "@holdpoint/hub"
import { plainLines } from "@holdpoint/terminal"
import type { ExitCode } from "./command.ts"
import type { Io } from "./io.ts"
import type { Output } from "./output.ts"
import { red } from "./output.ts"
import { redact } from "./redact.ts"

/** Codes of errors that a change to the command line fixes. */
const wrongUses: readonly ErrorCode[] = ["invalid_config", "invalid_question", "secret_in_form", "unsafe_url"]

/** Headlines for errors whose message already lists their problems. */
const headlines: Partial<Record<ErrorCode, string>> = {
  invalid_question: "This question cannot be asked as it is written.",
  secret_in_form: "A form must not ask for secrets.",
  unsafe_url: "This address cannot be given to a person.",
}

const adviceByCode: Partial<Record<ErrorCode, string>> = {
  store_unavailable:
    "Check that the database is running and that --database, HOLDPOINT_DATABASE or DATABASE_URL names it.",
  too_many_for_person: "`holdpoint pending` lists them; limits.pendingPerPerson allows more.",
}

export function printFailure(error: unknown, out: Output, io: Io, database: string | undefined): ExitCode {
  const printLines = (text: string, indent = ""): void => {
    for (const line of plainLines(redact(text, database))) out.note(indent, line)
  }
  const [first = "", ...otherLines] = headlineOf(error).split("\n")
  out.note(red("holdpoint: "), redact(first, database))
  for (const line of otherLines) printLines(line)
  if (isHoldpointError(error)) {
    for (const { path, message, suggestion } of error.problems) {
      const problem = [path.replace(/^properties\./, ""), message].filter(Boolean).join(" ")
      printLines(
        suggestion === undefined ? problem : `${/[.!?:]$/.test(problem) ? problem : `${problem}.`} ${suggestion}`,
        "  ",
      )
    }
    const advice = adviceByCode[error.code]
    if (advice !== undefined) printLines(advice)
  }
  if (io.env.HOLDPOINT_DEBUG === "1") for (const stack of stacksOf(error)) printLines(stack)
  return isHoldpointError(error) && wrongUses.includes(error.code) ? 2 : 1
}

function headlineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!isHoldpointError(error)) return `${error.message}\nHOLDPOINT_DEBUG=1 shows where this happened.`
  return error.problems.length === 0 ? error.message : (headlines[error.code] ?? error.message.split("\n")[0] ?? "")
}

function stacksOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return []
  return [error.stack ?? error.message, ...stacksOf(error.cause)]
}
