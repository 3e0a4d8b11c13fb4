// What a script asks, read from its request. Pure. Unknown members are ignored: scripts of other servers may have more.

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
export function readRequest(given: unknown): ScriptRequest | { readonly problem: string } {
  if (!isRecord(given)) return { problem: "The request must be a JSON object." }
  const { mode = "form", timeout } = given
  const timeoutMs = toMilliseconds(timeout)
  if (timeoutMs === "invalid")
    return { problem: `“timeout” must be a number of seconds above 0, not ${show(timeout)}.` }
  const times = timeoutMs === undefined ? {} : { timeoutMs }
  const message = textOf(given.message)
  if (mode === "connection") return readConnection(given, { ...times, message: message ?? "" })
  if (message === undefined) return { problem: "“message” is missing: the text that the person reads." }
  if (mode === "url" || mode === "oob") return readUrl(given, { ...times, message })
  if (mode === "form") return readForm(given, { ...times, message })
  return { problem: `“mode” must be form, url or connection, not ${show(mode)}.` }
}

type Read = ScriptRequest | { readonly problem: string }
type Common = Pick<ScriptRequest, "message" | "timeoutMs">

function readForm(given: Readonly<Record<string, unknown>>, common: Common): Read {
  const { schema } = given
  if (!isRecord(schema)) return { problem: "“schema” must be a JSON Schema of type object." }
  if (!isConfirmation(schema)) return { ...common, mode: "form", schema }
  const [yes, no] = [textOf(given.yes), textOf(given.no)]
  return { ...common, mode: "confirm", ...(yes === undefined ? {} : { yes }), ...(no === undefined ? {} : { no }) }
}

function readUrl(given: Readonly<Record<string, unknown>>, common: Common): Read {
  const url = textOf(given.url)
  if (url === undefined) return { problem: "“url” is missing: the address that the person is to open." }
  return { ...common, mode: "url", url, wait: given.wait === true }
}

function readConnection(given: Readonly<Record<string, unknown>>, common: Common): Read {
  const provider = textOf(given.provider)
  if (provider === undefined) return { problem: "“provider” is missing: whose account is needed." }
  const { scopes = [] } = given
  if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === "string"))
    return { problem: "“scopes” must be a list of texts." }
  return { ...common, mode: "connection", provider, scopes }
}

/** A question with nothing but the box `confirmed`: people are shown two acts instead. */
function isConfirmation({ properties }: Readonly<Record<string, unknown>>): boolean {
  if (!isRecord(properties)) return false
  const { confirmed, ...others } = properties
  return isRecord(confirmed) && confirmed.type === "boolean" && Object.keys(others).length === 0
}

function toMilliseconds(given: unknown): number | undefined | "invalid" {
  if (given === undefined || given === null || given === "") return undefined
  const seconds = typeof given === "string" ? Number(given) : given
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : "invalid"
}

const textOf = (given: unknown): string | undefined =>
  typeof given === "string" && given.trim() !== "" ? given : undefined

const show = (given: unknown): string => JSON.stringify(given).slice(0, 60)

export const isRecord = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === "object" && given !== null && !Array.isArray(given)
