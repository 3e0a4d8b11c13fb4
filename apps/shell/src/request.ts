// Reads a script's question from its request. Pure. Unknown members are ignored, because other servers define more.

import { isObject } from "./json.ts"

/** A question as a script wrote it. */
export type ScriptRequest = {
  readonly message: string
  /** How long the person has, if the script says so. */
  readonly timeoutMs?: number
} & (
  | { readonly mode: "form"; readonly schema: Readonly<Record<string, unknown>> }
  | { readonly mode: "confirm"; readonly yes?: string; readonly no?: string }
  | { readonly mode: "url"; readonly url: string; readonly wait: boolean }
  | { readonly mode: "connection"; readonly provider: string; readonly scopes: readonly string[] }
)

/** Returns the request, or a sentence about what is wrong with it. */
export function readRequest(value: unknown): ScriptRequest | { readonly problem: string } {
  if (!isObject(value)) return { problem: "The request must be a JSON object." }
  const { mode = "form", timeout } = value
  const timeoutMs = toMilliseconds(timeout)
  if (timeoutMs === "invalid")
    return { problem: `“timeout” must be a number of seconds above 0, not ${toExcerpt(timeout)}.` }
  const timeLimit = timeoutMs === undefined ? {} : { timeoutMs }
  const message = textOf(value.message)
  if (mode === "connection") return readConnection(value, { ...timeLimit, message: message ?? "" })
  if (message === undefined) return { problem: "“message” is missing: the text that the person reads." }
  if (mode === "url" || mode === "oob") return readUrl(value, { ...timeLimit, message })
  if (mode === "form") return readForm(value, { ...timeLimit, message })
  return { problem: `“mode” must be form, url or connection, not ${toExcerpt(mode)}.` }
}

type RequestOrProblem = ScriptRequest | { readonly problem: string }
type CommonFields = Pick<ScriptRequest, "message" | "timeoutMs">

function readForm(fields: Readonly<Record<string, unknown>>, commonFields: CommonFields): RequestOrProblem {
  const { schema } = fields
  if (!isObject(schema)) return { problem: "“schema” must be a JSON Schema of type object." }
  if (!isConfirmation(schema)) return { ...commonFields, mode: "form", schema }
  const [yes, no] = [textOf(fields.yes), textOf(fields.no)]
  return {
    ...commonFields,
    mode: "confirm",
    ...(yes === undefined ? {} : { yes }),
    ...(no === undefined ? {} : { no }),
  }
}

function readUrl(fields: Readonly<Record<string, unknown>>, commonFields: CommonFields): RequestOrProblem {
  const url = textOf(fields.url)
  if (url === undefined) return { problem: "“url” is missing: the address that the person is to open." }
  return { ...commonFields, mode: "url", url, wait: fields.wait === true }
}

function readConnection(fields: Readonly<Record<string, unknown>>, commonFields: CommonFields): RequestOrProblem {
  const provider = textOf(fields.provider)
  if (provider === undefined) return { problem: "“provider” is missing: the provider of the account that is needed." }
  const { scopes = [] } = fields
  if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === "string"))
    return { problem: "“scopes” must be a list of texts." }
  return { ...commonFields, mode: "connection", provider, scopes }
}

/** Whether the form is a single checkbox `confirmed`, which is shown as two buttons instead. */
function isConfirmation({ properties }: Readonly<Record<string, unknown>>): boolean {
  if (!isObject(properties)) return false
  const { confirmed, ...otherProperties } = properties
  return isObject(confirmed) && confirmed.type === "boolean" && Object.keys(otherProperties).length === 0
}

function toMilliseconds(value: unknown): number | undefined | "invalid" {
  if (value === undefined || value === null || value === "") return undefined
  const seconds = typeof value === "string" ? Number(value) : value
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : "invalid"
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined

const toExcerpt = (value: unknown): string => JSON.stringify(value).slice(0, 60)
