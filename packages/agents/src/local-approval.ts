// In local mode, the key of the person's programs begins things and says yes to nothing: which answers that concerns, and
// what the program reads.

import type { Form } from "@holdpoint/hub"
import { actsOf } from "@holdpoint/hub/forms"

/** Whether an answer allows something: it says yes, or it accepts a form without fields or with a yes or no among them. */
export function allowsSomething(form: Form, { action, content }: FormAnswer): boolean {
  if (action !== "accept") return false
  const acts = actsOf(form)
  if (acts === undefined) return Object.values(form.properties).some(({ type }) => type === "boolean")
  const [name = ""] = Object.keys(acts.answers.yes)
  const value = typeof content === "object" && content !== null ? (content as Form["properties"])[name] : undefined
  return !isNo.has(value)
}

interface FormAnswer {
  readonly action: string
  readonly content?: unknown
}

const isNo: ReadonlySet<unknown> = new Set([false, "no"])

/** The words for a program that sends a Yes. */
export const approveInBrowser = (address: string): string =>
  `The key of the person's programs begins things, and cannot say yes. The person does, in their browser: ${address}`
