// Describes a question, its fields and its history in words. Pure; the caller makes the text safe for the terminal.

import type { Audience, Elicitation, Entry, Form, PrincipalId, Reason, Refusal } from "@holdpoint/hub"
import { isSettled } from "@holdpoint/hub"
import type { Field } from "@holdpoint/hub/forms"
import { optionsOf } from "@holdpoint/hub/forms"
import { clockTime } from "./duration.ts"

export function askerOf({ requester, client }: Pick<Elicitation, "requester" | "client">): string {
  const { id, name } = requester
  const asker = name === undefined || name === id ? id : `${name} (${id})`
  return client === undefined ? asker : `${asker} through ${client.name}`
}

export function audienceOf(audience: Audience): string {
  switch (audience.kind) {
    case "one":
      return nameOf(audience.principal)
    case "any":
      return `any of ${audience.principals.map(nameOf).join(", ")}`
    case "role":
      return `anyone with the role ${audience.role}`
  }
}

export function nameOf({ issuer, subject }: PrincipalId): string {
  return issuer === "local" ? subject : `${subject} (${issuer})`
}

/** The name of each field, and what it expects. */
export function fieldsOf(form: Form): readonly { readonly name: string; readonly expected: string }[] {
  return Object.entries(form.properties).map(([name, field]) => {
    const label = field.title === undefined ? "" : `${field.title}: `
    const optional = form.required?.includes(name) ? "" : ", optional"
    return { name, expected: `${label}${expectedOf(field)}${optional}` }
  })
}

function expectedOf(field: Field): string {
  const options = optionsOf(field)?.map(({ const: value, title }) => (title === value ? value : `${value} (${title})`))
  if (options !== undefined) return `${field.type === "array" ? "any" : "one"} of ${options.join(", ")}`
  switch (field.type) {
    case "boolean":
      return "yes or no"
    case "number":
    case "integer":
      return `${field.type === "integer" ? "a whole number" : "a number"}${range(field.minimum, field.maximum, "")}`
    default:
      return "format" in field && field.format !== undefined ? formatWords[field.format] : `text${lengthOf(field)}`
  }
}

const formatWords = {
  email: "an e-mail address",
  uri: "an address (https://…)",
  date: "a date (2026-01-31)",
  "date-time": "a date and time (2026-01-31T09:30:00Z)",
} as const

const lengthOf = (field: Field): string =>
  "minLength" in field || "maxLength" in field ? range(field.minLength, field.maxLength, " characters") : ""

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return ""
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}${unit}`
  return least === undefined ? `, at most ${most}${unit}` : `, at least ${least}${unit}`
}

/** How a settled question ended; undefined while it is open. */
type Ending = NonNullable<Refusal["ended"]>

export function endingOf({ status, settledAt, expiresAt, answeredBy, reason }: Elicitation): Ending | undefined {
  if (!isSettled(status)) return undefined
  return {
    status,
    at: settledAt ?? expiresAt,
    ...(answeredBy === undefined ? {} : { by: answeredBy }),
    ...(reason === undefined ? {} : { reason }),
  }
}

/** How a question ended, in words: “declined by ana at 14:02:11: too early”. */
export function endingText({ status, at, by, reason }: Ending, now: number): string {
  const byPerson = by === undefined ? "" : ` by ${nameOf(by)}`
  return `${endingVerbs[status]}${byPerson} at ${clockTime(at, now)}${reasonOf(reason)}`
}

const endingVerbs: Readonly<Record<Ending["status"], string>> = {
  completed: "answered",
  declined: "declined",
  cancelled: "cancelled",
  expired: "expired",
  failed: "failed",
  unsupported: "closed, because no outlet could show it,",
}

export function reasonOf(reason: Reason | undefined): string {
  const words = reason?.message ?? reason?.code
  return words === undefined ? "" : `: ${words}`
}

/** One entry of the trail in words. */
export function entryText({ kind, detail, status }: Entry, now: number): string {
  const { by, via, code, message, expiresAt } = detail
  const byPerson = by === undefined ? "" : ` by ${nameOf(by)}`
  const outlet = via === undefined ? "" : ` via ${via}`
  const codeText = code === undefined ? "" : ` (${code})`
  switch (kind) {
    case "asked":
      return detail.question === undefined
        ? "asked"
        : `asked by ${askerOf(detail.question)}, for ${detail.audience === undefined ? "an unknown audience" : audienceOf(detail.audience)}`
    case "joined":
      return "asked again by the same asker, who now waits too"
    case "widened":
      return "extended by the same asker, before the person had begun"
    case "released":
      return "an asker stopped waiting"
    case "shown":
      return `shown${outlet}`
    case "not_shown":
      return code === "listed" ? `listed${outlet}` : `could not be shown${outlet}${codeText}`
    case "owed":
      return `to be shown via ${Object.keys(detail.owed ?? {}).join(", ")}`
    case "opened":
      return `page opened${byPerson}`
    case "accepted":
      return `link accepted${byPerson}${outlet}${expiresAt === undefined ? "" : `, until ${clockTime(expiresAt, now)}`}`
    case "voted":
      return `approved${byPerson}${outlet}; more approvals are needed`
    case "escalated":
      return `may be answered by role ${detail.escalatedTo ?? ""} too`
    case "reminded":
      return `reminder ${detail.reminder ?? ""}`.trim()
    case "refused":
      return `refused: ${attempts[message ?? ""] ?? message ?? "an attempt"}${byPerson}${outlet}${codeText}`
    case "completed":
      return `${by === undefined ? "completed" : "answered"}${byPerson}${outlet}`
    default:
      return `${status ?? kind}${byPerson}${outlet}${codeText}`
  }
}

const attempts: Readonly<Record<string, string>> = {
  accept: "an answer",
  decline: "a no",
  cancel: "a cancellation",
  complete: "a report of completion",
  fail: "a report of failure",
  open: "opening the page",
}
