// Checks whether there is a Nextcloud at an address, and if not, says why, for the person who typed it. One function
// asks for /status.php, another interprets the result.

import type { Fetch } from "./api/client.ts"

/** The result of asking for /status.php. */
export interface ProbeResult {
  /** The address as it was typed, without a trailing slash. */
  readonly url: string
  /** Absent when nothing answered. `body` is undefined when it is not JSON. */
  readonly answer?: { readonly status: number; readonly location?: string; readonly body?: unknown }
  /** An error code of the system or of TLS, such as ECONNREFUSED, or `refused_address`; with a message. */
  readonly failure?: { readonly code: string; readonly message: string }
}

export interface ServerStatus {
  readonly version: string
  readonly product: string
  readonly maintenance: boolean
  readonly needsUpgrade: boolean
}

/** Why no Nextcloud was found. `address` is where one seems to be. */
export interface NoNextcloud {
  readonly problem: string
  readonly address?: string
}

export async function probe(url: string, fetch: Fetch): Promise<ProbeResult> {
  try {
    const response = await fetch(`${url}/status.php`, { headers: { accept: "application/json" }, redirect: "manual" })
    const location = response.headers.get("location")
    const body: unknown = await response.json().catch(() => undefined)
    return { url, answer: { status: response.status, body, ...(location === null ? {} : { location }) } }
  } catch (error) {
    return { url, failure: failureOf(error) }
  }
}

export function interpretProbe({ url, answer, failure }: ProbeResult): ServerStatus | NoNextcloud {
  if (answer === undefined)
    return { problem: toProblem(url, failure ?? { code: "", message: "the reason is unknown" }) }
  const { status, location, body } = answer
  if (status >= 300 && status < 400) return interpretRedirect(url, location)
  if (status === 429)
    return {
      problem:
        "The server refuses requests from this address for a while (429), because too many sign-ins failed. Wait half " +
        "an hour, or have its administrator take this address off the list (occ security:bruteforce:reset).",
    }
  if (status === 401 || status === 403)
    return {
      problem: `A proxy in front of the server requires a sign-in or blocks the request (${status} for /status.php).`,
    }
  if (status >= 500) return { problem: `The server is not working at the moment (${status}). Try again later.` }
  const serverStatus = status === 200 ? statusIn(body) : undefined
  if (serverStatus !== undefined) return serverStatus
  const finding = status === 200 ? "the server there is not a Nextcloud" : `there is no /status.php (${status})`
  return { problem: `${url}: ${finding}. Give the address that you open in your browser, with its path if it has one.` }
}

export const isNextcloud = (result: ServerStatus | NoNextcloud): result is ServerStatus => "version" in result

/** Other addresses on the same host where the Nextcloud may be, when it is not at `url`. */
export function nearbyAddresses(url: string): readonly string[] {
  const { origin, pathname } = new URL(url)
  const parts = pathname.split("/").filter(Boolean)
  const parentAddresses = parts
    .map(
      (_, index) =>
        `${origin}${parts
          .slice(0, index)
          .map((part) => `/${part}`)
          .join("")}`,
    )
    .reverse()
  const usualAddresses = ["/nextcloud", "/cloud"].map((path) => `${origin}${path}`)
  return [...new Set([...parentAddresses, ...usualAddresses])].filter((address) => address !== url)
}

function interpretRedirect(url: string, location: string | undefined): NoNextcloud {
  const target = location === undefined ? null : URL.parse(location, `${url}/status.php`)
  if (target === null) return { problem: `${url} redirects, but does not say where to.` }
  const address = `${target.origin}${target.pathname}`
    .replace(/(?:\/status\.php|\/index\.php.*|\/login.*)$/, "")
    .replace(/\/+$/, "")
  if (address === url.replace(/^http:/, "https:") && address !== url)
    return { problem: `The server requires https: use --host ${address}.`, address }
  return { problem: `${url} redirects to ${address}: use --host ${address}, if that is your Nextcloud.`, address }
}

function statusIn(body: unknown): ServerStatus | undefined {
  if (typeof body !== "object" || body === null) return undefined
  const statusBody = body as Readonly<Record<string, unknown>>
  const { versionstring: version, productname: product, maintenance, needsDbUpgrade, installed } = statusBody
  if (typeof version !== "string" || typeof installed !== "boolean") return undefined
  return {
    version,
    product: typeof product === "string" && product !== "" ? product : "Nextcloud",
    maintenance: maintenance === true,
    needsUpgrade: needsDbUpgrade === true,
  }
}

type HostMessage = (host: string) => string

const ownIssuerAdvice =
  "If you issued the certificate yourself, set NODE_EXTRA_CA_CERTS to the certificate file of its issuer"

const unknownIssuer: HostMessage = (host) =>
  `The certificate of ${host} is from an issuer that this machine does not trust. ${ownIssuerAdvice}.`

/** Messages by error code of the system, of TLS, and of the network guard. */
const failures: Readonly<Record<string, HostMessage>> = {
  ENOTFOUND: (host) => `There is no host ${host}. Check the spelling.`,
  EAI_AGAIN: (host) => `The name ${host} cannot be resolved at the moment. Check the network of this machine.`,
  ECONNREFUSED: (host) => `Nothing is listening at ${host}. Check the port, and whether the server is running.`,
  ECONNRESET: (host) =>
    `${host} closed the connection. Does the address say https although the server speaks http, or the other way round?`,
  EHOSTUNREACH: (host) => `${host} cannot be reached from this machine.`,
  ENETUNREACH: (host) => `${host} cannot be reached from this machine.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: (host) => `${host} has a self-signed certificate. ${ownIssuerAdvice}.`,
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  CERT_HAS_EXPIRED: (host) => `The certificate of ${host} has expired. Its administrator has to renew it.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) =>
    `The certificate of ${host} is for another name. Use the name in the certificate.`,
  ERR_SSL_WRONG_VERSION_NUMBER: (host) => `${host} does not speak https on this port. Use http, or another port.`,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: (host) => `${host} does not speak https on this port. Use http, or another port.`,
}

function toProblem(url: string, { code, message }: { readonly code: string; readonly message: string }): string {
  const { host } = new URL(url)
  if (code === "refused_address") return `${message} If it is yours, add it to HOLDPOINT_NETWORK_ALSO_ALLOW.`
  if (/TIMEDOUT|TIMEOUT/i.test(code))
    return `${host} does not answer. Check the address, and whether a firewall blocks the connection.`
  const knownMessage = failures[code]?.(host)
  return (
    knownMessage ??
    `${host} cannot be reached${/^[A-Z_]+$/.test(code) ? ` (${code})` : ""}. Check the address and its port.`
  )
}

/** The error's message, and the first code in its chain of causes that does not belong to a wrapper error. */
function failureOf(error: unknown): { readonly code: string; readonly message: string } {
  const causes = causeChainOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (causes.some((cause) => memberOf(cause, "kind") === "refused_address")) return { code: "refused_address", message }
  const code = causes
    .map((cause) => memberOf(cause, "code"))
    .find((causeCode) => causeCode !== undefined && !wrapperCodes.has(causeCode))
  return { code: code ?? memberOf(causes.at(-1), "kind") ?? "", message }
}

/** Codes of this project's wrapper errors. They are skipped, because the code of the cause says more. */
const wrapperCodes: ReadonlySet<string> = new Set(["provider_unavailable", "unsafe_address"])

function causeChainOf(error: unknown): readonly unknown[] {
  if (typeof error !== "object" || error === null) return []
  const innerError = "errors" in error && Array.isArray(error.errors) ? error.errors[0] : undefined
  return [error, ...causeChainOf(innerError), ...causeChainOf("cause" in error ? error.cause : undefined)]
}

function memberOf(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const member = (value as Readonly<Record<string, unknown>>)[name]
  return typeof member === "string" ? member : undefined
}
