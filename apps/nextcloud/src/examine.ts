// Examines a server from outside, as far as possible without an account: whether it is a Nextcloud, its version, and
// which consent methods will work.

import { fetchWithinOrigin } from "@holdpoint/fetching/internal"
import type { Fetch } from "./api/client.ts"
import { createNextcloud } from "./api/client.ts"
import { isNextcloudError } from "./api/error.ts"
import type { Nextcloud } from "./api/nextcloud.ts"
import { fieldsOf } from "./api/read.ts"
import { interpretProbe, isNextcloud, nearbyAddresses, probe, type ServerStatus } from "./probe.ts"

/** The result of `examine`. */
export interface Examination {
  readonly url: string
  /** Undefined when no Nextcloud answered. */
  readonly server?: ServerStatus
  /** The apps in the account's menu and in the server's capabilities. Undefined without an account. */
  readonly apps?: readonly string[]
  readonly account?: string
  readonly ways: readonly ConsentCheck[]
  readonly problems: readonly string[]
}

/** The protocol that connects a person's account. */
export type ConsentMethod = "login_flow" | "oauth" | "oidc"

/** Whether people can connect their accounts with one consent method; `note` says why, or what is missing. */
export interface ConsentCheck {
  readonly by: ConsentMethod
  readonly name: string
  readonly works: boolean
  readonly note: string
}

export interface ExamineOptions {
  readonly url: string
  readonly fetch: Fetch
  /** A Nextcloud with the credentials of one account, if there is one. */
  readonly account?: Nextcloud
  /** The client id for Nextcloud's own OAuth 2. `examine` checks whether the server knows this client. */
  readonly oauthClientId?: string
}

/** Examines a Nextcloud from outside: its version, its apps, and how accounts can be connected. */
export async function examine({ url, fetch, account, oauthClientId }: ExamineOptions): Promise<Examination> {
  const server = interpretProbe(await probe(url, fetch))
  if (!isNextcloud(server)) {
    const address = server.address === undefined ? await findNearbyAddress(url, fetch) : undefined
    const hint = address === undefined ? [] : [`There is a Nextcloud at ${address}: use --host ${address}.`]
    return { url, ways: [], problems: [server.problem, ...hint] }
  }
  const problems = [...problemsOf(url, server)]
  const anonymous = createNextcloud({ url, fetch, facts: { hasShortAddresses: false }, wait: async () => {} })
  const ways = await Promise.all([
    checkLoginFlow(anonymous),
    checkOAuth2(anonymous, oauthClientId),
    checkOidc(url, fetch),
  ])
  const accountFacts = account === undefined ? {} : await readAccount(account, problems)
  return { url, server, ways: ways, problems, ...accountFacts }
}

async function findNearbyAddress(url: string, fetch: Fetch): Promise<string | undefined> {
  for (const address of nearbyAddresses(url)) {
    const result = await probe(address, fetch)
    if (isNextcloud(interpretProbe(result))) return address
    // A host that does not answer will not answer at another path either.
    if (result.answer === undefined) return undefined
  }
  return undefined
}

const oldestTested = 28

function* problemsOf(url: string, { version, product, maintenance, needsUpgrade }: ServerStatus): Generator<string> {
  if (/owncloud|ocis/i.test(product)) yield `This is ${product}, which is not Nextcloud: many tools will fail.`
  if (maintenance) yield "The server is in maintenance mode: nothing works until that is over."
  if (needsUpgrade) yield "The server needs to finish its upgrade (occ upgrade): nothing works until then."
  if (Number(version.split(".")[0]) < oldestTested)
    yield `${product} ${version} is older than the tested versions (${oldestTested} and later); some tools may fail.`
  if (url.startsWith("http:") && !/^http:\/\/(localhost|127\.|\[::1\])/.test(url))
    yield "The address begins with http: passwords and tokens travel over the network unencrypted. Use https."
}

const methodNames: Readonly<Record<ConsentMethod, string>> = {
  login_flow: "Login flow v2",
  oauth: "OAuth 2 (app oauth2)",
  oidc: "OpenID Connect (app oidc)",
}

const toConsentCheck = (method: ConsentMethod, isWorking: boolean, note: string): ConsentCheck => ({
  by: method,
  name: methodNames[method],
  works: isWorking,
  note,
})

/** Starts a login flow as a client would. The flow is never finished, and the server lets it expire. */
async function checkLoginFlow(nextcloud: Nextcloud): Promise<ConsentCheck> {
  const activity = "starting a login flow"
  try {
    const answer = await nextcloud.send({ method: "POST", path: "/index.php/login/v2", activity, accept: [400, 429] })
    if (answer.status === 400) return toConsentCheck("login_flow", false, untrustedNote(nextcloud.url))
    if (answer.status === 429)
      return toConsentCheck("login_flow", false, "too many were started recently (429): wait a few minutes")
    const { origin } = new URL(fieldsOf(answer.json(), activity).text("login"))
    if (origin === new URL(nextcloud.url).origin)
      return toConsentCheck("login_flow", true, "works out of the box, without any setup")
    return toConsentCheck("login_flow", false, otherAddressNote(origin))
  } catch (error) {
    const status = isNextcloudError(error) && error.status > 0 ? ` (${error.status})` : ""
    return toConsentCheck("login_flow", false, `the server does not start a login flow${status}`)
  }
}

const untrustedNote = (url: string): string =>
  `the server does not answer to ${new URL(url).host}: use the server's own address, or have its administrator add this one to ` +
  "trusted_domains"

const otherAddressNote = (origin: string): string =>
  `the server calls itself ${origin}: use that address, or have its administrator set overwrite.cli.url, overwritehost ` +
  "and overwriteprotocol"

/**
 * Checks Nextcloud's own OAuth 2. The server answers an unknown client with a page and status 200, and redirects a
 * known client to the sign-in.
 */
async function checkOAuth2(nextcloud: Nextcloud, clientId: string | undefined): Promise<ConsentCheck> {
  const path = "/index.php/apps/oauth2/authorize"
  const query = { client_id: clientId ?? "x", response_type: "code" }
  const answer = await nextcloud
    .send({ path, query, activity: "looking for OAuth 2", accept: existingStatuses })
    .catch(() => undefined)
  if (answer === undefined || answer.status === 404)
    return toConsentCheck("oauth", false, "the app oauth2 does not answer")
  if (clientId === undefined)
    return toConsentCheck(
      "oauth",
      true,
      "available; have an administrator create a client (Settings > Security), then set NEXTCLOUD_OAUTH_CLIENT_ID and _SECRET",
    )
  return answer.status === 200
    ? toConsentCheck(
        "oauth",
        false,
        "the server does not know the client in NEXTCLOUD_OAUTH_CLIENT_ID (Settings > Security lists its clients)",
      )
    : toConsentCheck("oauth", true, "the client is known; the first consent shows whether its secret is right")
}

const existingStatuses = [302, 303, 307, 400, 401, 403, 404, 412]

/** The end of a positive note about OpenID Connect: only a consent shows whether Nextcloud accepts the app's tokens. */
const bearerNote =
  "Nextcloud accepts its tokens only if the app user_oidc is configured to (oidc_provider_bearer_validation in " +
  "config.php): the first consent shows whether it is"

async function checkOidc(url: string, fetch: Fetch): Promise<ConsentCheck> {
  const activity = "looking for OpenID Connect"
  const init = { headers: { accept: "application/json" } }
  const fetchAddress = (address: string | URL, requestInit: RequestInit = {}): Promise<Response> =>
    fetch(String(address), requestInit)
  for (const path of ["/.well-known/openid-configuration", "/index.php/apps/oidc/openid-configuration"]) {
    try {
      const answer = await fetchWithinOrigin(fetchAddress, `${url}${path}`, init)
      if (answer.status !== 200) continue
      const issuer = fieldsOf(await answer.json(), activity).text("issuer")
      if (path.includes("/apps/"))
        return toConsentCheck(
          "oidc",
          false,
          "the app is installed, but the web server does not forward /.well-known to index.php",
        )
      if (new URL(issuer).origin !== new URL(url).origin)
        return toConsentCheck("oidc", false, otherAddressNote(new URL(issuer).origin))
      return toConsentCheck(
        "oidc",
        true,
        `available (${issuer}); needs a client: OIDC_CLIENT_ID and OIDC_CLIENT_SECRET. ${bearerNote}`,
      )
    } catch {
      // Try the next address.
    }
  }
  return toConsentCheck("oidc", false, "the app oidc is not installed")
}

async function readAccount(nextcloud: Nextcloud, problems: string[]): Promise<Pick<Examination, "apps" | "account">> {
  try {
    const account = await nextcloud.userId()
    const [apps, capabilities] = await Promise.all([nextcloud.apps(), nextcloud.capabilities()])
    return { account, apps: [...new Set([...apps, ...Object.keys(capabilities.raw)])].sort() }
  } catch (error) {
    problems.push(accountProblem(error))
    return {}
  }
}

/** Describes the error for the administrator, because most error messages are written for language models. */
function accountProblem(error: unknown): string {
  if (isNextcloudError(error) && error.kind === "unauthorized")
    return (
      "The server does not accept the name and password of the account. Create an app password there (Settings > " +
      "Security > Devices & sessions), and use that one."
    )
  if (isNextcloudError(error) && error.kind === "throttled")
    return (
      "The server refuses sign-ins from this address for a while (429), because too many failed. Wait half an hour, or have its " +
      "administrator take this address off the list (occ security:bruteforce:reset)."
    )
  return messageOf(error)
}

const messageOf = (error: unknown): string =>
  isNextcloudError(error) ? error.message : error instanceof Error ? error.message : String(error)
