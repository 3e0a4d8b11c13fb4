// No secrets in questions: finds fields, messages and addresses that ask for, or contain, something that grants access
// or moves money. Judges questions only, never an answer. Identity data (passport, tax and bank account numbers) is
// allowed: it is personal, but not enough to sign in or to pay.

import type { Problem } from "../core/error.ts"
import type { FormField, FormFields, SecretRule } from "../core/secret.ts"
import { checkUrl as checkText, type UrlCheck } from "../core/url.ts"
import { findInAddress } from "./address.ts"
import { assertOptions, type SecretOptions } from "./options.ts"
import { createReader, type SecretReader } from "./reader.ts"

const suggestion =
  "Ask in url mode: the person types it on a page of yours, and it never passes through the client or the model."

export function createSecretRule(options: SecretOptions = {}): SecretRule {
  assertOptions(options)
  const { words = [], allow = {} } = options
  const reader = createReader(words)
  /** Results by form, because programs ask with the same form object repeatedly. */
  const problemsByForm = new WeakMap<FormFields, readonly Problem[]>()

  const judge = (form: FormFields): readonly Problem[] => {
    const problems = problemsByForm.get(form) ?? findInForm(form, reader)
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
      const secret = reader.prose(message, true)
      return secret === undefined
        ? []
        : [{ path: "message", message: `The message asks for a secret: “${secret}”.`, suggestion }]
    },
    inAddress: (url) => findInAddress(url, (label) => reader.label(label) !== undefined),
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
  const textCheck = checkText(value)
  const problems = [...(textCheck.ok ? [] : textCheck.problems), ...secretRule.inAddress(value)]
  return problems.length === 0 ? textCheck : { ok: false, problems }
}

/** The fields of a form that ask for a secret, one problem each. */
export const findSecrets = (form: FormFields): readonly Problem[] => secretRule.inForm(form)

interface InspectionContext {
  readonly reader: SecretReader
  /** Whether a field's name shows that the form asks for a postal address. */
  readonly isAddressForm: boolean
}

function findInForm(form: FormFields, reader: SecretReader): readonly Problem[] {
  const names = Object.keys(form.properties)
  const isAddressForm = names.some((name) => /address|city|street|state|district|town|village/i.test(name))
  return Object.entries(form.properties).flatMap(([name, field]) => {
    const message = inspect(name, field, { isAddressForm, reader })
    return message === undefined ? [] : [{ path: `properties.${name}`, message, suggestion }]
  })
}

function inspect(name: string, field: FormField, { isAddressForm, reader }: InspectionContext): string | undefined {
  if (field.type === "boolean" || field.type === "array" || field.enum || field.oneOf || field.items) return undefined
  if (field.format === "password") return "The format of this field is for passwords."
  const texts = [
    ["name", reader.label(name)],
    ["title", reader.label(field.title ?? "")],
    ["description", reader.prose(field.description ?? "", false)],
  ] as const
  for (const [part, secret] of texts) {
    if (secret === undefined || !canCarry(field, secret)) continue
    if (/pin/.test(secret) && isPostal(name, field, isAddressForm)) continue
    return `The ${part} of this field asks for a secret: “${secret}”.`
  }
  return undefined
}

/** Whether a field of this type can carry the secret: numbers are never tokens, and only a card's expiry is a date. */
function canCarry({ type, format }: FormField, secret: string): boolean {
  if (type === "number" || type === "integer") return !/token|secret|key|phrase|credential|bearer|jwt/.test(secret)
  if (format === "email") return false
  return (format !== "date" && format !== "date-time") || /exp/.test(secret)
}

/** Whether “PIN code” means a postal code, as in India: the field or another field of the form mentions an address. */
function isPostal(name: string, field: FormField, isAddressForm: boolean): boolean {
  const texts = `${name} ${field.title ?? ""} ${field.description ?? ""}`
  return (
    /pin[\s_-]*code/i.test(texts) &&
    (isAddressForm || /postal|post office|zip|area|deliver|shipping|address/i.test(texts))
  )
}
