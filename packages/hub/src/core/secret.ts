// The port for the rule that recognises secrets in questions. The code that creates questions is given an
// implementation, which sees only the words of the question.

import type { Problem } from "./error.ts"

export interface SecretRule {
  /** The fields that ask for a secret, one problem each. */
  inForm(form: FormFields): readonly Problem[]
  /** A message that asks the person to hand over a secret. */
  inMessage(message: string): readonly Problem[]
  /** Credentials and personal data in a well-formed address. */
  inAddress(url: string): readonly Problem[]
  /** Fields that look like secrets and that the author allowed, with the reasons. */
  allowedIn(form: FormFields): Readonly<Record<string, string>>
}

export interface FormFields {
  readonly properties: Readonly<Record<string, FormField>>
}

export type FormField = { readonly [member in "type" | "title" | "description" | "format"]?: string | undefined } & {
  readonly [member in "enum" | "oneOf" | "items"]?: unknown
}
