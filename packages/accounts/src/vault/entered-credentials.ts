// Keys and passwords that people enter on the page: checked as text, tested with a call, and only then stored.

import type { Reason } from "@holdpoint/hub"
import type { Account, ApiCall, ApiKeyProvider, BasicProvider } from "@holdpoint/hub/internal"
import { nameFrom, readPath, withoutEnd } from "@holdpoint/hub/internal"
import { type ApiAnswer, callApi, isSuccess } from "./api-call.ts"
import type { Credentials, IdentifyResult, Kind, SecretFields, Tools } from "./kind.ts"

export type EnteredProvider = ApiKeyProvider | BasicProvider

export type TestResult =
  | { readonly kind: "works"; readonly credentials: Credentials; readonly account?: Account }
  | { readonly kind: "refused"; readonly reason: Reason }
  | { readonly kind: "unavailable"; readonly reason: Reason }

/** Tests entered values with a call: `key` for an API key, otherwise `username` and `password`. */
export async function testCredentials(
  provider: EnteredProvider,
  values: SecretFields,
  tools: Tools,
): Promise<TestResult> {
  const parsed = provider.kind === "api_key" ? readKey(values) : readLogin(values)
  if (parsed.kind === "refused") return parsed
  const { fields } = parsed
  const answer = await callWith(provider, fields, tools, provider.test)
  const refusal = judgeTest(provider, answer)
  if (refusal !== undefined) return refusal
  // If the test call is also the identity call, its response already has the identity.
  const isSameCall = provider.identity.from === "call" && isSameRequest(provider.identity.call, provider.test)
  const identified = isSameCall ? judgeIdentity(provider, answer) : await identify(provider, fields, tools)
  if (identified.kind === "refused" || identified.kind === "unavailable") return identified
  const account = identified.kind === "known" ? { account: identified.account } : {}
  const credentials = { fields, scopes: [], issuedAt: tools.runtime.now(), ...hintOf(fields) }
  return { kind: "works", credentials, ...account }
}

export const apiKeyKind: Kind<ApiKeyProvider> = {
  outlivesRenewal: false,
  authorize: ({ header }, fields) => ({ [header.name.toLowerCase()]: `${header.prefix ?? ""}${fields.key}` }),
  refresh: () => Promise.resolve({ kind: "nothing" }),
  identify,
  revoke: answerImpossible,
}

export const basicKind: Kind<BasicProvider> = {
  outlivesRenewal: false,
  authorize: (_provider, { username, password }) => ({
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
  }),
  refresh: () => Promise.resolve({ kind: "nothing" }),
  identify,
  revoke: answerImpossible,
}

/** Without an identity call, the user name of a login is the identity: the provider accepted it. */
async function identify(provider: EnteredProvider, fields: SecretFields, tools: Tools): Promise<IdentifyResult> {
  const { identity } = provider
  if (identity.from === "call") return judgeIdentity(provider, await callWith(provider, fields, tools, identity.call))
  const { username } = fields
  return username === undefined ? { kind: "silent" } : { kind: "known", account: { id: username, name: username } }
}

async function answerImpossible({ help }: EnteredProvider) {
  return { kind: "impossible", ...(help?.url === undefined ? {} : { settings: help.url }) } as const
}

async function callWith(
  provider: EnteredProvider,
  fields: SecretFields,
  tools: Tools,
  call: ApiCall,
): Promise<ApiAnswer> {
  if (!provider.api.includes(URL.parse(call.url)?.origin ?? ""))
    return unavailable(
      "unsafe_address",
      `The test call of ${provider.name} goes to an address outside the origins in api.`,
    )
  return callApi(call, { ...provider.headers, ...authorize(provider, fields) }, tools)
}

const authorize = (provider: EnteredProvider, fields: SecretFields): Readonly<Record<string, string>> =>
  provider.kind === "api_key" ? apiKeyKind.authorize(provider, fields) : basicKind.authorize(provider, fields)

function judgeTest(
  { test, name }: EnteredProvider,
  answer: ApiAnswer,
): Exclude<TestResult, { kind: "works" }> | undefined {
  if (answer.kind === "unavailable") return answer
  if (isSuccess(test, answer.status)) return undefined
  if (answer.status < 400) return unavailable("provider_unavailable", `${name} answered with a redirect.`)
  const words = `${name} does not accept it (status ${answer.status}). Check that it is complete and still valid.`
  return refuse("credentials_refused", words)
}

function judgeIdentity({ identity, name }: EnteredProvider, answer: ApiAnswer): IdentifyResult {
  if (answer.kind === "unavailable" || identity.from !== "call")
    return answer.kind === "unavailable" ? answer : { kind: "silent" }
  if (answer.status === 401 || answer.status === 403)
    return refuse("credentials_refused", `${name} does not accept it.`)
  if (!isSuccess(identity.call, answer.status) || answer.body === undefined)
    return unavailable("provider_unavailable", `${name} returned an unreadable response.`)
  const id = readPath(answer.body, identity.id)
  // Some providers refuse with status 200: a response without an account id is such a refusal.
  if (id === undefined) return refuse("account_unknown", `The response of ${name} does not identify the account.`)
  const accountName = nameFrom(answer.body, identity.name)
  return { kind: "known", account: { id: String(id), ...(accountName === undefined ? {} : { name: accountName }) } }
}

/** Whether two calls send the same request; `accepts` only affects how the response is judged. */
const isSameRequest = (a: ApiCall, b: ApiCall): boolean =>
  a.method === b.method &&
  a.url === b.url &&
  a.body === b.body &&
  JSON.stringify(a.headers) === JSON.stringify(b.headers)

const maxBytes = 4096

/** Whether a value is too long even without the white space at its ends. Checked before anything else reads it. */
const isFarTooLong = (value = ""): boolean => value.length > 2 * maxBytes

const userNameTooLong = `The user name is longer than ${maxBytes} bytes.`

type ParsedValues = { readonly kind: "fine"; readonly fields: SecretFields } | Extract<TestResult, { kind: "refused" }>

function readKey(values: SecretFields): ParsedValues {
  if (isFarTooLong(values.key)) return refuseTooLong("key")
  const key = values.key?.trim() ?? ""
  if (key === "") return refuse("empty", "Enter the key.")
  if (key.length > maxBytes) return refuseTooLong("key")
  if (!/^[\x20-\x7e]+$/.test(key))
    return refuse(
      "invalid_characters",
      "The key contains characters that cannot be part of a key. Copy it again, without line breaks.",
    )
  return { kind: "fine", fields: { key } }
}

/** Spaces may be part of a password; a trailing line break was pasted by accident. */
function readLogin(values: SecretFields): ParsedValues {
  if (isFarTooLong(values.username)) return refuse("user_name_too_long", userNameTooLong)
  if (isFarTooLong(values.password)) return refuseTooLong("password")
  const username = values.username?.trim() ?? ""
  const password = withoutEnd(values.password ?? "", /[\r\n]/)
  if (username === "") return refuse("user_name_missing", "Enter the user name.")
  if (password === "") return refuse("empty", "Enter the password.")
  if (Buffer.byteLength(username) > maxBytes) return refuse("user_name_too_long", userNameTooLong)
  if (Buffer.byteLength(password) > maxBytes) return refuseTooLong("password")
  if (/[\p{Cc}\p{Cs}]/u.test(username + password))
    return refuse("invalid_characters", "Line breaks and other control characters are not allowed. Copy it again.")
  // RFC 7617 §2: the first colon ends the name.
  if (username.includes(":")) return refuse("user_name_with_colon", "The user name must not contain a colon.")
  return { kind: "fine", fields: { username, password } }
}

const refuse = (code: string, message: string) => ({ kind: "refused", reason: { code, message } }) as const
const unavailable = (code: string, message: string) => ({ kind: "unavailable", reason: { code, message } }) as const
const refuseTooLong = (part: string) => refuse("too_long", `The ${part} is longer than ${maxBytes} bytes.`)

/** The hint is the last four characters of an API key, if the key is long enough to stay secret without them. */
function hintOf({ key }: SecretFields): { readonly hint?: string } {
  return key !== undefined && key.length >= 12 ? { hint: key.slice(-4) } : {}
}
