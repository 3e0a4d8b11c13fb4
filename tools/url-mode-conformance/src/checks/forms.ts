// Every form that the server sent must be flat, use the revision's vocabulary, and not ask for secrets.

import { toCallState, toQuestion } from "../call-state.ts"
import type { UrlModeCheck } from "../check.ts"
import { expect, skip } from "../check.ts"
import type { CheckContext } from "../check-context.ts"
import type { Json } from "../json.ts"
import { dig, isRecord } from "../json.ts"
import { secretInField, secretInText } from "../secrets.ts"

const schema = "client/elicitation#requested-schema"
const everySchema = { "2026-07-28": schema, "2025-11-25": schema, "2025-06-18": "client/elicitation#request-schema" }
const security = "client/elicitation#form-mode-security"

const keywords: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "format", "enum", "enumNames", "oneOf"],
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
  boolean: [],
  array: ["items", "minItems", "maxItems"],
}
const commonKeywords = ["type", "title", "description", "default"]

export const forms: readonly UrlModeCheck[] = [
  {
    id: "form-flat",
    title: "A form is a flat object of strings, numbers, booleans and choices",
    level: "must",
    spec: everySchema,
    async run(context) {
      for (const form of await formsOf(context)) {
        expect(dig(form, "requestedSchema", "type") === "object", "a schema of type object", form)
        for (const [name, field] of fieldsOf(form)) {
          const type = String(dig(field, "type"))
          expect(Object.hasOwn(keywords, type), `a primitive type for ${name}`, field)
          expect(type !== "array" || isChoice(field), `an array of choices for ${name}`, field)
        }
      }
    },
  },
  {
    id: "form-keywords",
    title: "It uses only the allowed keywords, which do not include pattern",
    level: "must",
    spec: everySchema,
    async run(context) {
      for (const form of await formsOf(context)) {
        for (const [name, field] of fieldsOf(form)) {
          const allowed = [...commonKeywords, ...(keywords[String(dig(field, "type"))] ?? [])]
          const unknownKeywords = Object.keys(isRecord(field) ? field : {}).filter(
            (keyword) => !allowed.includes(keyword),
          )
          expect(unknownKeywords.length === 0, `known keywords for ${name}`, unknownKeywords)
        }
      }
    },
  },
  {
    id: "form-no-secrets",
    title: "No form asks for a password, a token, a key or payment data",
    level: "must",
    spec: {
      "2026-07-28": security,
      "2025-11-25": security,
      "2025-06-18": "client/elicitation#security-considerations",
    },
    async run(context) {
      for (const form of await formsOf(context)) {
        const secret = secretInText(String(form.message ?? ""))
        expect(secret === undefined, "nothing secret", `a message that asks for “${secret}”`)
        for (const [name, field] of fieldsOf(form)) {
          const secret = secretInField(name, field)
          expect(secret === undefined, "nothing secret", `a field “${name}” that asks for “${secret}”`)
        }
      }
    },
  },
  {
    id: "form-no-links",
    title: "No field of a form contains a link",
    level: "should",
    spec: {
      "2026-07-28": "client/elicitation#safe-url-handling",
      "2025-11-25": "client/elicitation#safe-url-handling",
    },
    async run(context) {
      for (const form of await formsOf(context)) {
        for (const [name, field] of fieldsOf(form)) {
          expect(!/\bhttps?:\/\//i.test(JSON.stringify(field)), `no address in ${name}`, field)
        }
      }
    },
  },
  {
    id: "form-without-mode",
    title: "A form of 2025-06-18 has a message and a schema, but no mode",
    level: "should",
    spec: { "2025-06-18": "client/elicitation#creating-elicitation-requests" },
    async run(context) {
      for (const form of await formsOf(context)) {
        const otherNames = Object.keys(form).filter((name) => !["message", "requestedSchema", "_meta"].includes(name))
        expect(otherNames.length === 0, "message and requestedSchema", otherNames)
      }
    },
  },
  {
    id: "form-old-vocabulary",
    title: "A form of 2025-06-18 has no lists, no titled choices, and defaults for booleans only",
    level: "must",
    spec: { "2025-06-18": "client/elicitation#supported-schema-types" },
    async run(context) {
      for (const form of await formsOf(context)) {
        for (const [name, field] of fieldsOf(form)) {
          const type = dig(field, "type")
          const isNewer = type === "array" || dig(field, "oneOf") !== undefined
          expect(!isNewer, `a field of 2025-06-18 for ${name}`, field)
          expect(type === "boolean" || dig(field, "default") === undefined, `no default for ${name}`, field)
        }
      }
    },
  },
]

/** Calls the form tool, and returns its forms with those of all earlier checks. */
async function formsOf(context: CheckContext): Promise<readonly Json[]> {
  if (context.tools.form !== undefined) await context.call(context.tools.form)
  const forms = context.log.flatMap(({ message, status }) => {
    if (message === undefined) return []
    if (message.method === "elicitation/create") return [toQuestion(0, message)]
    const callState = toCallState(message, status)
    return callState.kind === "asked" ? callState.questions : []
  })
  const params = forms
    .filter(({ mode, method }) => mode === "form" && method === "elicitation/create")
    .map((form) => form.params)
  return params.length > 0 ? params : skip("no form was asked")
}

function fieldsOf(form: Json): readonly (readonly [string, unknown])[] {
  const properties = dig(form, "requestedSchema", "properties")
  return isRecord(properties) ? Object.entries(properties) : []
}

function isChoice(field: unknown): boolean {
  const items = dig(field, "items")
  return Array.isArray(dig(items, "enum")) || Array.isArray(dig(items, "anyOf"))
}
