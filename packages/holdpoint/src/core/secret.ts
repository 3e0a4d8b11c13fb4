// What a question is not to ask for or carry: secrets. The rule that recognises them is given to the code that writes questions;
// it knows words, and nothing of a question but these.

import type { Problem } from "./error.ts"

export interface SecretRule {
  /** The fields that ask for a secret, one problem each. */
  inForm(form: FormFields): readonly Problem[]
  /** A message that asks the person to hand over a secret. */
  inMessage(message: string): readonly Problem[]
  /** Credentials and personal data in an address that is well-formed. */
  inAddress(url: string): readonly Problem[]
  /** Fields that the author allowed although they read like a secret, and why. */
  allowedIn(form: FormFields): Readonly<Record<string, string>>
}

export interface FormFields {
  readonly properties: Readonly<Record<string, FormField>>
}

export type FormField = { readonly [member in "type" | "title" | "description" | "format"]?: string | undefined } & {
  readonly [member in "enum" | "oneOf" | "items"]?: unknown
}
