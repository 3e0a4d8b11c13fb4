// No secrets in questions: finds fields, messages and addresses that ask for, or contain, something that grants access
// or moves money. Judges questions only, never an answer. Identity data (passport, tax and bank account numbers) is
// allowed: it is personal, but not enough to sign in or to pay.

import type { Problem } from "../core/error.ts"
import type { FormField, FormFields, SecretRule } from "../core/secret.ts"
import { checkUrl as checkText, type UrlCheck } from "../core/url.ts"
import { findInAddress } from "./address.ts"
import { kinds, recognise, type SecretKind } from "./grammar.ts"
import { assertOptions, type SecretOptions } from "./options.ts"
import { isBareLabel, isNounPhrase, readProse } from "./prose.ts"
import { createReader, type TermReader, unmask } from "./terms.ts"

const suggestion =
  "Ask in url mode: the person types it on a page of yours, and it never passes through the client or the model."

export function createSecretRule(options: SecretOptions = {}): SecretRule {
  assertOptions(options)
  const { words = [], allow = {} } = options
  const read = createReader(words)
  /** Results by form, because programs ask with the same form object repeatedly. */
  const problemsByForm = new WeakMap<FormFields, readonly Problem[]>()

  const judge = (form: FormFields): readonly Problem[] => {
    const problems = problemsByForm.get(form) ?? findInForm(form, read)
    if (Object.isFrozen(form)) problemsByForm.set(form, problems)
    return problems
  }
  const isAllowed = (name: string, { format }: FormField): boolean =>
    Object.hasOwn(allow, name) && format !== "password"
  const nameOf = ({ path }: Problem): string => path.slice("properties.".length)

  return {
    inForm: (form) =>
      judge(form).filter((problem) => !isAllowed(nameOf(problem), form.properties[nameOf(problem)] ?? {})),
    inMessage(message) {
      const kind = readProse(message, isBareLabel, read)
      return kind === undefined
        ? []
        : [{ path: "message", message: `The message asks for ${kinds[kind].words}.`, suggestion }]
    },
    inAddress: (url) => findInAddress(url, (label) => readLabel(label, read) !== undefined),
    allowedIn(form) {
      const names = judge(form).map(nameOf)
      return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(allow, name) ? [[name, allow[name]!]] : [])))
    },
  }
}

/** The rule with default options. Marked as pure, so that bundlers leave it out of pages that do not use it. */
export const secretRule: SecretRule = /* @__PURE__ */ createSecretRule()

/** The address in its normal form, or all its problems, including secrets in it. */
export function checkUrl(value: string): UrlCheck {
  const checked = checkText(value)
  const problems = [...(checked.ok ? [] : checked.problems), ...secretRule.inAddress(value)]
  return problems.length === 0 ? checked : { ok: false, problems }
}

/** The fields of a form that ask for a secret, one problem each. */
export const findSecrets = (form: FormFields): readonly Problem[] => secretRule.inForm(form)

interface Inspecting {
  readonly read: TermReader
  /** Whether the form also asks for a postal address. */
  readonly inAddress: boolean
}

function findInForm(form: FormFields, read: TermReader): readonly Problem[] {
  const names = Object.keys(form.properties)
  const inAddress = names.some((name) => /address|city|street|state|district|town|village/i.test(name))
  return Object.entries(form.properties).flatMap(([name, field]) => {
    const message = inspect(name, field, { inAddress, read })
    return message === undefined ? [] : [{ path: `properties.${name}`, message, suggestion }]
  })
}

function inspect(name: string, field: FormField, { inAddress, read }: Inspecting): string | undefined {
  if (field.type === "boolean" || field.type === "array" || field.enum || field.oneOf || field.items) return undefined
  if (field.format === "password") return "The format of this field is for passwords."
  const texts = [
    ["name", readLabel(name, read)],
    ["title", readLabel(field.title ?? "", read)],
    ["description", readProse(field.description ?? "", isNounPhrase, read)],
  ] as const
  for (const [part, kind] of texts) {
    if (!kind || !canCarry(field, kind)) continue
    if (kind === "pin" && isPostal(name, field, inAddress)) continue
    return `The ${part} of this field asks for ${kinds[kind].words}.`
  }
  return undefined
}

/** The kind of secret that a name or title means, if any. */
function readLabel(label: string, read: TermReader): SecretKind | undefined {
  const outside = label.replace(/[([][^()[\]]*[)\]]/g, " ")
  const readings = new Set([label, outside, unmask(label)])
  if (read(outside).length > 2) readings.delete(label)
  for (const reading of readings.add(outside)) {
    const kind = recognise(read(reading)) ?? recognise(read(reading, "glued"))
    if (kind) return kind
  }
  return undefined
}

function canCarry(field: FormField, kind: SecretKind): boolean {
  if (field.type === "number" || field.type === "integer") return kinds[kind].numeric
  if (field.format === "email") return false
  return kind === "card" || (field.format !== "date" && field.format !== "date-time")
}

/** Whether a PIN code is a postal code, as in India: the form then asks for an address too. */
function isPostal(name: string, field: FormField, inAddress: boolean): boolean {
  const texts = `${name} ${field.title ?? ""} ${field.description ?? ""}`
  return (
    /pin[\s_-]*code/i.test(texts) && (inAddress || /postal|post office|zip|area|deliver|shipping|address/i.test(texts))
  )
}
