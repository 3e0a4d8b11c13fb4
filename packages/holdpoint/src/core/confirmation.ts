// Yes or no, as a form that every client can show, and how its answers are read. Pure.

import type { Content, Form } from "./form.ts"
import { form, yesNo } from "./form.ts"

export const confirmForm = form({ confirmed: yesNo({ title: "Yes" }) })

export const isYes = ({ confirmed }: Content): boolean => confirmed === true

/** The No of a person who answered a confirmation, in place of declining it. */
export function isNo({ properties }: Form, content: unknown): boolean {
  const [name, ...others] = Object.keys(properties)
  if (name !== "confirmed" || others.length > 0 || typeof content !== "object" || content === null) return false
  return "confirmed" in content && content.confirmed === false
}
