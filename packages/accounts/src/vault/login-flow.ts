// Nextcloud's login flow v2: the person grants access on their server, and we poll for the app password. Addresses in
// the server's responses are accepted only within the configured server.

import type { Reason } from "@holdpoint/hub"
import type { LoginFlowProvider } from "@holdpoint/hub/internal"
import { nameFrom, readPath, toLabel } from "@holdpoint/hub/internal"
import { type ApiAnswer, callApi } from "./api-call.ts"
import type {
  Credentials,
  IdentifyResult,
  Kind,
  ProviderRefreshResult,
  ProviderRevokeResult,
  SecretFields,
  Tools,
} from "./kind.ts"

type Unavailable = Extract<ApiAnswer, { kind: "unavailable" }>

export type StartedLoginFlow =
  | {
      readonly kind: "started"
      /** The page at Nextcloud for the person to open. */
      readonly login: string
      /** The address to poll. */
      readonly endpoint: string
      readonly secrets: { readonly poll_token: string }
    }
  | Unavailable

export type PolledLoginFlow =
  | { readonly kind: "waiting" }
  | { readonly kind: "granted"; readonly credentials: Credentials }
  | { readonly kind: "refused"; readonly reason: Reason }
  | Unavailable

/**
 * Starts a login flow. Call it only after the page has verified the person, because granting at `login` hands over
 * their account. Nextcloud shows `agent` to the person, and names the app password after it.
 */
export async function startLoginFlow(
  provider: LoginFlowProvider,
  agent: string,
  tools: Tools,
): Promise<StartedLoginFlow> {
  const headers = { ...provider.headers, "user-agent": agent }
  const answer = await callApi({ method: "POST", url: `${baseAddressOf(provider)}/index.php/login/v2` }, headers, tools)
  return answer.kind === "unavailable" ? answer : judgeStart(provider, answer)
}

/** Polls once. The server answers 404 before the grant, then succeeds once and forgets the token. */
export async function pollLoginFlow(
  provider: LoginFlowProvider,
  { endpoint, token }: { readonly endpoint: string; readonly token: string },
  tools: Tools,
): Promise<PolledLoginFlow> {
  if (!isOfServer(provider, endpoint)) return { kind: "refused", reason: foreignServerReason }
  const body = new URLSearchParams({ token }).toString()
  const headers = { ...provider.headers, "content-type": "application/x-www-form-urlencoded" }
  const answer = await callApi({ method: "POST", url: endpoint, body }, headers, tools)
  return answer.kind === "unavailable" ? answer : judgePoll(provider, answer, tools.runtime.now())
}

export const loginFlowKind: Kind<LoginFlowProvider> = {
  outlivesRenewal: true,
  authorize: (_provider, fields) => ({
    authorization: `Basic ${Buffer.from(`${fields.login_name}:${fields.app_password}`).toString("base64")}`,
    // Without this header Nextcloud rejects the call as possible cross-site request forgery.
    "ocs-apirequest": "true",
  }),
  refresh: (provider, fields, tools) =>
    provider.rotateAfterMs === undefined
      ? Promise.resolve({ kind: "nothing" })
      : rotateAppPassword(provider, fields, tools),
  async identify(provider, fields, tools) {
    return judgeIdentity(provider, await callOcs("GET", "cloud/user", { provider, fields, tools }))
  },
  async revoke(provider, fields, tools) {
    return judgeRevocation(await callOcs("DELETE", "core/apppassword", { provider, fields, tools }))
  },
}

/** Replaces the app password. The old one stays valid for ten seconds, so an unknown result can be retried at once. */
export async function rotateAppPassword(
  provider: LoginFlowProvider,
  fields: SecretFields,
  tools: Tools,
): Promise<ProviderRefreshResult> {
  const answer = await callOcs("POST", "core/apppassword/rotate", { provider, fields, tools })
  return judgeRotation(answer, fields, tools.runtime.now())
}

function callOcs(
  method: "GET" | "POST" | "DELETE",
  path: string,
  { provider, fields, tools }: { provider: LoginFlowProvider; fields: SecretFields; tools: Tools },
): Promise<ApiAnswer> {
  const headers = { ...provider.headers, ...loginFlowKind.authorize(provider, fields) }
  return callApi({ method, url: `${baseAddressOf(provider)}/ocs/v2.php/${path}?format=json` }, headers, tools)
}

type ApiResponse = Extract<ApiAnswer, { kind: "answered" }>

function judgeStart(provider: LoginFlowProvider, { status, body }: ApiResponse): StartedLoginFlow {
  const login = readPath(body, "login")
  const endpoint = readPath(body, "poll.endpoint")
  const token = readPath(body, "poll.token")
  if (status !== 200 || typeof login !== "string" || typeof endpoint !== "string" || typeof token !== "string")
    return unavailable("not_nextcloud", `This server does not offer Nextcloud's login flow (status ${status}).`)
  if (!isOfServer(provider, login) || !isOfServer(provider, endpoint)) {
    const advice =
      "Correct the configured address, or ask its administrator to set overwrite.cli.url and overwriteprotocol."
    return unavailable(
      "foreign_address",
      `The server reports an address for itself that differs from the configured one. ${advice}`,
    )
  }
  return { kind: "started", login, endpoint, secrets: { poll_token: token } }
}

function judgePoll(provider: LoginFlowProvider, { status, body }: ApiResponse, now: number): PolledLoginFlow {
  if (status === 404) return { kind: "waiting" }
  const server = readPath(body, "server")
  const login_name = readPath(body, "loginName")
  const app_password = readPath(body, "appPassword")
  if (
    status !== 200 ||
    typeof server !== "string" ||
    typeof login_name !== "string" ||
    typeof app_password !== "string"
  )
    return unexpectedAnswer(status)
  // An app password of another server is not sent anywhere, not even to delete it.
  if (URL.parse(server)?.origin !== new URL(provider.server).origin)
    return { kind: "refused", reason: foreignServerReason }
  const fields = { login_name, app_password, server: baseAddressOf(provider) }
  return { kind: "granted", credentials: { fields, scopes: [], issuedAt: now } }
}

function judgeIdentity(provider: LoginFlowProvider, answer: ApiAnswer): IdentifyResult {
  if (answer.kind === "unavailable") return answer
  if (isUnauthorised(answer)) return { kind: "refused", reason: notAcceptedReason }
  const id = readPath(answer.body, "ocs.data.id")
  if (answer.status !== 200 || id === undefined) return unexpectedAnswer(answer.status)
  const name = nameFrom(answer.body, ["ocs.data.displayname", "ocs.data.display-name"])
  const email = nameFrom(answer.body, ["ocs.data.email"])
  return {
    kind: "known",
    account: { id: String(id), name: toLabel(String(id), baseAddressOf(provider).replace(/^https?:\/\//, ""), name) },
    ...(email === undefined ? {} : { email }),
  }
}

/** A login that no longer works, or is not an app password, has nothing left to delete. */
function judgeRevocation(answer: ApiAnswer): ProviderRevokeResult {
  if (answer.kind === "unavailable") return { ...answer, kind: "later" }
  const isLoginGone = isUnauthorised(answer) || (answer.status === 403 && ocsStatus(answer) === 403)
  if (isLoginGone || (answer.status === 200 && ocsStatus(answer) === 200)) return { kind: "revoked" }
  return { ...unexpectedAnswer(answer.status), kind: "later" }
}

function judgeRotation(answer: ApiAnswer, fields: SecretFields, now: number): ProviderRefreshResult {
  if (answer.kind === "unavailable") return { ...answer, kind: "unknown" }
  if (isUnauthorised(answer)) return { kind: "dead", reason: notAcceptedReason }
  if (isRefused(answer)) return { kind: "nothing" }
  const app_password = readPath(answer.body, "ocs.data.apppassword")
  if (answer.status !== 200 || typeof app_password !== "string")
    return { ...unexpectedAnswer(answer.status), kind: "unknown" }
  return { kind: "refreshed", credentials: { fields: { ...fields, app_password }, scopes: [], issuedAt: now } }
}

const ocsStatus = ({ body }: ApiResponse): string | number | undefined => readPath(body, "ocs.meta.statuscode")

/** Only a 401 with Nextcloud's OCS status counts: a proxy's own login prompt says nothing about this account. */
const isUnauthorised = (answer: ApiResponse): boolean => answer.status === 401 && ocsStatus(answer) === 997

/** An OCS error in the 4xx range: Nextcloud never rotates this app password, and the old one keeps working. */
const isRefused = (answer: ApiResponse): boolean =>
  answer.status >= 400 && answer.status < 500 && ocsStatus(answer) !== undefined

/** Whether the address has the server's origin and base path, with or without index.php. */
function isOfServer(provider: LoginFlowProvider, address: string): boolean {
  const url = URL.parse(address)
  const base = new URL(baseAddressOf(provider))
  if (url === null || url.origin !== base.origin || url.username !== "" || url.password !== "") return false
  return url.pathname.startsWith(base.pathname.endsWith("/") ? base.pathname : `${base.pathname}/`)
}

const baseAddressOf = ({ server }: LoginFlowProvider): string => server.replace(/(?:\/index\.php)?\/*$/, "")

const unavailable = (code: string, message: string): Unavailable => ({ kind: "unavailable", reason: { code, message } })

const unexpectedAnswer = (status: number): Unavailable =>
  unavailable("provider_unavailable", `The server's response (status ${status}) is not one that Nextcloud sends.`)

const notAcceptedReason: Reason = {
  code: "credentials_refused",
  message: "Nextcloud no longer accepts this login: the app password was removed, or the account is disabled.",
}

const foreignServerReason: Reason = {
  code: "foreign_server",
  message: "The login is for a server other than the configured one, and was discarded.",
}
