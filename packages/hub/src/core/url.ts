// The url policy: which addresses a question may send a person to. Judges only the text of the address; the secret rule
// judges its content, and the guarded fetch whether it may be fetched.

import type { Problem } from "./error.ts"

/** What a surface should tell the person about an address that is allowed. */
export type UrlFlag = "loopback" | "ip-address" | "punycode"

export type UrlCheck =
  | { readonly ok: true; readonly url: string; readonly flags: readonly UrlFlag[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

export const maxUrlLength = 2048

/** Returns the normalised address, or every problem with it. */
export function checkUrl(value: string): UrlCheck {
  const unreadable = checkText(value)
  if (unreadable) return { ok: false, problems: [unreadable] }
  const url = URL.parse(value)
  if (!url) return { ok: false, problems: [problem("This is not a valid address.", "Write https://host/path.")] }
  const problems = [...checkHost(url, authorityOf(value))]
  if (url.href.length > maxUrlLength) problems.push(tooLongProblem)
  return problems.length > 0 ? { ok: false, problems } : { ok: true, url: url.href, flags: flagsOf(url) }
}

/**
 * The host and port of an address, as they will be resolved, to show before the person opens it. "" if it is not valid.
 */
export function displayHost(url: string): string {
  return URL.parse(url)?.host ?? ""
}

/** Whether a page may open an address: https, or http on this machine. Any other could run a script or be read. */
export function isOpenable(address: string): boolean {
  const { protocol, hostname } = URL.parse(address) ?? {}
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname ?? ""))
}

const tooLongProblem = problem(
  `The address is longer than ${maxUrlLength} characters.`,
  "Store the data on your server, and put a short id in the address.",
)

/**
 * Checked before parsing, because the parser is lenient: it drops tabs and line breaks, turns \ into / and adds missing
 * slashes.
 */
function checkText(value: string): Problem | undefined {
  if (value.length > maxUrlLength) return tooLongProblem
  if (/[\p{Cc}\p{Cf}\p{Z}]/u.test(value)) {
    return problem("The address contains white space, a control character or an invisible one.", "Percent-encode it.")
  }
  if (value.includes("\\")) return problem("The address contains a backslash.", "Write / or percent-encode it as %5C.")
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(value)?.[1]?.toLowerCase()
  if (scheme === undefined) return problem("The address has no scheme.", "Write the whole address, with https://.")
  if (scheme !== "https" && scheme !== "http") {
    return problem(
      `${scheme}: addresses are not allowed.`,
      "Use https, or http on this machine (localhost, 127.0.0.1).",
    )
  }
  return /^https?:\/\/[^/?#]/i.test(value) ? undefined : problem("The address has no host.", "Write https://host/path.")
}

function authorityOf(value: string): string {
  return /^[^:]+:\/\/([^/?#]*)/.exec(value)?.[1] ?? ""
}

function* checkHost(url: URL, authority: string): Generator<Problem> {
  if (authority.includes("@"))
    yield problem("The address contains a user name or password.", "Remove everything up to the @.")
  const writtenHost = authority
    .slice(authority.lastIndexOf("@") + 1)
    .replace(/:\d*$/, "")
    .toLowerCase()
  if (isDisguised(writtenHost, url.hostname)) {
    yield problem("The host is not written the way it will be looked up.", `Write it as ${url.hostname}.`)
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    yield problem("http is allowed on this machine only (localhost, 127.0.0.1, [::1]).", "Use https.")
  }
}

/**
 * Hosts that read differently than they resolve: 0x7f.1, 2130706433, %6cocalhost, full-width letters, IPv4 inside IPv6.
 */
function isDisguised(writtenHost: string, hostname: string): boolean {
  if (writtenHost.includes("%") || /^\[::ffff:/.test(hostname)) return true
  if (isIPv4(hostname)) return writtenHost !== hostname
  return /[^\p{ASCII}]/u.test(writtenHost) && !hostname.includes("xn--")
}

const isIPv4 = (hostname: string) => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname)

/** Whether a host name leads to this machine. Expects the normal form that the URL parser returns. */
export function isLoopback(hostname: string): boolean {
  if (hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]") return true
  return isIPv4(hostname) && hostname.startsWith("127.")
}

function flagsOf(url: URL): readonly UrlFlag[] {
  const flags: UrlFlag[] = []
  if (isLoopback(url.hostname)) flags.push("loopback")
  if (isIPv4(url.hostname) || url.hostname.startsWith("[")) flags.push("ip-address")
  if (url.hostname.split(".").some((label) => label.startsWith("xn--"))) flags.push("punycode")
  return flags
}

function problem(message: string, suggestion: string): Problem {
  return { path: "url", message, suggestion }
}
