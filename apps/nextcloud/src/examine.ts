// Looking at a Nextcloud from outside, as far as one can without an account: whether it is one, what it has, and which
// ways of consent will work.

import type { Fetch } from "./api/client.ts"
import { createNextcloud } from "./api/client.ts"
import { isNextcloudError } from "./api/error.ts"
import type { Nextcloud } from "./api/nextcloud.ts"
import { fieldsOf } from "./api/read.ts"

export interface Examination {
  readonly url: string
  /** Undefined when nothing answered that is a Nextcloud. */
  readonly server?: { readonly version: string; readonly product: string; readonly maintenance: boolean }
  /** With an account: what its menu has. */
  readonly apps?: readonly string[]
  readonly account?: string
  readonly ways: readonly Way[]
  readonly problems: readonly string[]
}

/** A way of consent, and whether it will work. */
export interface Way {
  readonly name: string
  readonly works: boolean
  readonly note: string
}

export interface ExamineOptions {
  readonly url: string
  readonly fetch: Fetch
  /** With the credentials of one account, if there is one. */
  readonly account?: Nextcloud
}

export async function examine({ url, fetch, account }: ExamineOptions): Promise<Examination> {
  const anonymous = createNextcloud({ url, fetch, known: {}, wait: async () => {} })
  const problems: string[] = []
  const server = await readStatus(anonymous).catch((error: unknown) => void problems.push(wordsOf(error)))
  if (server === undefined) return { url, ways: [], problems: [...problems, ...addressHints(url)] }
  if (server.maintenance) problems.push("The server is in maintenance mode: nothing works until that is over.")
  if (Number(server.version.split(".")[0]) < oldest)
    problems.push(
      `Nextcloud ${server.version} is older than what this was tried with (${oldest}); some tools may fail.`,
    )
  if (url.startsWith("http:") && !/^http:\/\/(localhost|127\.|\[::1\])/.test(url))
    problems.push("The address begins with http: passwords and tokens go over the network in clear. Use https.")
  const ways = await Promise.all([loginFlow(anonymous), oauth2(anonymous), oidc(anonymous)])
  const own = account === undefined ? {} : await readAccount(account, problems)
  return { url, server, ways, problems, ...own }
}

const oldest = 28

async function readStatus(nextcloud: Nextcloud) {
  const doing = `looking for a Nextcloud at ${nextcloud.url}`
  const fields = fieldsOf((await nextcloud.send({ path: "/status.php", doing })).json(), doing)
  return {
    version: fields.text("versionstring"),
    product: fields.maybeText("productname") ?? "Nextcloud",
    maintenance: fields.maybeFlag("maintenance") ?? false,
  }
}

/** Starts one, as a client would; nobody finishes it, and the server forgets it. */
async function loginFlow(nextcloud: Nextcloud): Promise<Way> {
  const name = "Login flow v2"
  const doing = "starting a login flow"
  try {
    const answer = await nextcloud.send({ method: "POST", path: "/index.php/login/v2", doing })
    const login = fieldsOf(answer.json(), doing).text("login")
    if (new URL(login).origin === new URL(nextcloud.url).origin)
      return { name, works: true, note: "works out of the box; nobody has to set up anything" }
    const note = `the server calls itself ${new URL(login).origin}: name it by that address, or its administrator sets overwrite.cli.url and overwriteprotocol`
    return { name, works: false, note }
  } catch (error) {
    return { name, works: false, note: wordsOf(error) }
  }
}

async function oauth2(nextcloud: Nextcloud): Promise<Way> {
  const name = "OAuth 2 of the core"
  const path = "/index.php/apps/oauth2/authorize"
  const answer = await nextcloud
    .send({ path, query: { client_id: "x", response_type: "code" }, doing: "looking for OAuth 2", accept: lookable })
    .catch(() => undefined)
  const isThere = answer !== undefined && answer.status !== 404
  const note = isThere
    ? "is there; an administrator makes a client (Settings > Security), then NEXTCLOUD_OAUTH_CLIENT_ID and _SECRET"
    : "the app oauth2 does not answer"
  return { name, works: isThere, note }
}

const lookable = [302, 303, 400, 401, 403, 404, 412]

async function oidc(nextcloud: Nextcloud): Promise<Way> {
  const name = "OpenID Connect (app oidc)"
  const doing = "looking for OpenID Connect"
  for (const path of ["/.well-known/openid-configuration", "/index.php/apps/oidc/openid-configuration"]) {
    try {
      const answer = await nextcloud.send({ path, doing, accept: lookable })
      if (answer.status !== 200) continue
      const issuer = fieldsOf(answer.json(), doing).text("issuer")
      return { name, works: true, note: `is there (${issuer}); with a client: OIDC_CLIENT_ID and OIDC_CLIENT_SECRET` }
    } catch {
      // The next address may answer.
    }
  }
  return { name, works: false, note: "the app oidc is not installed" }
}

async function readAccount(nextcloud: Nextcloud, problems: string[]): Promise<Pick<Examination, "apps" | "account">> {
  try {
    const account = await nextcloud.userId()
    const [apps, capabilities] = await Promise.all([nextcloud.apps(), nextcloud.capabilities()])
    return { account, apps: [...new Set([...apps, ...Object.keys(capabilities.raw)])].sort() }
  } catch (error) {
    problems.push(wordsOf(error))
    return {}
  }
}

function addressHints(url: string): readonly string[] {
  const hints = [
    "Check the address: it is the one you open in your browser, with its path if it has one (…/nextcloud).",
  ]
  if (url.startsWith("https:") && /localhost|127\.0\.0\.1/.test(url))
    hints.push("A server on this machine is often at http, not https.")
  return hints
}

const wordsOf = (error: unknown): string =>
  isNextcloudError(error) ? error.message : error instanceof Error ? error.message : String(error)
