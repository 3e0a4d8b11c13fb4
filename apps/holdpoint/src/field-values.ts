// Converts `field=value` words to an answer, by the form's field types. Text that does not convert stays text, so that
// the form's own check reports it together with every other problem.

import type { Form } from "@holdpoint/hub"
import type { Field } from "@holdpoint/hub/forms"
import { optionsOf } from "@holdpoint/hub/forms"
import { wrongUse } from "./wrong-use.ts"

export function toContent(form: Form, words: readonly string[]): Readonly<Record<string, unknown>> {
  const content = new Map<string, unknown>()
  for (const word of words) {
    const separator = word.indexOf("=")
    if (separator < 1) throw wrongUse(`“${word}” is not an answer to a field.`, "Write it as field=value.")
    const [name, text] = [word.slice(0, separator), word.slice(separator + 1)]
    const field = Object.hasOwn(form.properties, name) ? form.properties[name] : undefined
    const previous = content.get(name)
    if (Array.isArray(previous) && field?.type === "array") content.set(name, [...previous, ...toChoices(field, text)])
    else if (previous !== undefined) throw wrongUse(`“${name}” is given twice.`, "Give it once.")
    else content.set(name, field === undefined ? text : toValue(field, text))
  }
  return Object.fromEntries(content)
}

function toValue(field: Field, text: string): unknown {
  switch (field.type) {
    case "array":
      return toChoices(field, text)
    case "boolean":
      return /^(?:yes|y|true|on)$/i.test(text) ? true : /^(?:no|n|false|off)$/i.test(text) ? false : text
    case "number":
    case "integer":
      return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text
    case "string":
      return text
  }
}

/** Splits at commas, unless the whole text is an option that contains one. */
function toChoices(field: Field, text: string): readonly string[] {
  if (text === "") return []
  return optionsOf(field)?.some((option) => option.const === text) ? [text] : text.split(",").map((part) => part.trim())
}
