// The url policy: which addresses a question may send a person to. Judges the text of the address and nothing else; what
// is reached there, and whether it may be fetched, is somebody else's concern.

import type { Problem } from "./error.ts"
import { recogniseSecret } from "./secret.ts"

/** What a surface should tell the person about an address that is allowed. */
export type UrlFlag = "loopback" | "ip-address" | "punycode"

export type UrlCheck =
  | { readonly ok: true; readonly url: string; readonly flags: readonly UrlFlag[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

export const maxUrlLength = 2048

/** The address in its normal form, or everything that is wrong with it. */
export function checkUrl(value: string): UrlCheck {
  const unreadable = checkText(value)
  if (unreadable) return { ok: false, problems: [unreadable] }
  const url = URL.parse(value)
  if (!url) return { ok: false, problems: [problem("This is not a valid address.", "Write https://host/path.")] }
  const problems = [...checkHost(url, authorityOf(value)), ...checkContent(url, 0)]
  if (url.href.length > maxUrlLength) problems.push(tooLong)
  return problems.length > 0 ? { ok: false, problems } : { ok: true, url: url.href, flags: flagsOf(url) }
}

/** What to show the person before they go there: the host with its port, as it will be looked up. */
export function displayHost(url: string): string {
  return URL.parse(url)?.host ?? ""
}

const tooLong = problem(`The address is longer than ${maxUrlLength} characters.`, "Keep the data behind a short id.")

/** Before parsing, because the parser forgives: it drops tabs and line breaks, turns \ into / and adds missing slashes. */
function checkText(value: string): Problem | undefined {
  if (value.length > maxUrlLength) return tooLong
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
  const written = authority
    .slice(authority.lastIndexOf("@") + 1)
    .replace(/:\d*$/, "")
    .toLowerCase()
  if (isDisguised(written, url.hostname)) {
    yield problem("The host is not written the way it will be looked up.", `Write it as ${url.hostname}.`)
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    yield problem("http is allowed on this machine only (localhost, 127.0.0.1, [::1]).", "Use https.")
  }
}

/** 0x7f.1, 2130706433, %6cocalhost, full-width letters, and IPv4 inside IPv6, whose reader sees another host than the resolver. */
function isDisguised(written: string, hostname: string): boolean {
  if (written.includes("%") || /^\[::ffff:/.test(hostname)) return true
  if (isIPv4(hostname)) return written !== hostname
  return /[^\p{ASCII}]/u.test(written) && !hostname.includes("xn--")
}

const isIPv4 = (hostname: string) => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(hostname)

/** `hostname` in the normal form that URL gives it. */
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

// MCP, elicitation, safe urls: no personal data or credentials in the address, and no address that is already signed in.

function* checkContent(url: URL, depth: number): Generator<Problem> {
  const texts = decodings(`${url.pathname} ${url.search} ${url.hash}`)
  if (texts.some((text) => email.test(text))) {
    yield problem("The address contains an e-mail address.", "Look the person up behind a random id instead.")
  }
  const leaks = texts.flatMap((text) => credentials.filter(([pattern]) => pattern.test(text)).map(([, words]) => words))
  for (const words of new Set(leaks)) yield problem(`The address contains ${words}.`, noCredential)
  for (const [name, value] of parametersOf(url)) {
    if (value !== "" && isCredential(name, value)) {
      yield problem(`The parameter "${name}" carries a credential.`, noCredential)
    }
    const nested = depth === 0 && /^https?:/i.test(value) ? URL.parse(value) : null
    if (nested) yield* checkContent(nested, depth + 1)
  }
  const segments = url.pathname.split("/").map((segment) => decodeOnce(segment))
  if (segments.some((segment, at) => isOpaque(segment) && recogniseSecret(segments[at - 1] ?? ""))) {
    yield problem("The path carries a credential.", noCredential)
  }
}

const noCredential =
  "Whoever holds the address would be signed in. Send a random id and sign the person in on the page."

const email = /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}(?![\p{L}\p{N}-])/u

const credentials: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}/, "a JSON web token"],
  [/(?<![\w-])(?:gh[pousr]_|github_pat_)\w{16,}/, "a GitHub token"],
  [
    /(?<![\w-])(?:glpat-|gldt-|npm_|pypi-|hf_|dop_v1_|shpat_|shpss_|SG\.|xapp-|xox[a-z]-)[\w.-]{10,}/,
    "an access token",
  ],
  [/(?<![\w-])(?:sk|rk|whsec)[-_](?=[\w-]*\d)[\w-]{16,}/, "a secret key"],
  [/(?<![\w-])(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)/, "an AWS access key"],
  [/(?<![\w-])(?:ya29\.|AIza)[\w-]{16,}/, "a Google credential"],
  [/(?<![\w-])(?:bearer|basic)[\s+]+[\w.~+/=-]{6,}/i, "an authorization header"],
  [/-----BEGIN/, "a private key"],
]

/** Names that say nothing by themselves and are a credential when their value looks like one. */
const sensitive =
  /^(?:key|code|sig|signature|x-(?:amz|goog)-(?:signature|security-token|credential)|sid|session|session_?id|sess|auth|authorization|ticket|magic|hash|otp|assertion|saml\w*|invite_?token)$/i

function isCredential(name: string, value: string): boolean {
  if (isHarmless(name)) return false
  if (recogniseSecret(name) !== undefined) return true
  return sensitive.test(name) && isOpaque(value)
}

/** Public halves of a protocol whose names read like secrets. */
function isHarmless(name: string): boolean {
  return /^(?:response_type|grant_type|code_challenge(?:_method)?|token_type(?:_hint)?|user_code)$/i.test(name)
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function isOpaque(value: string): boolean {
  return (
    value.length >= 16 && /^[\w.~+/=%-]+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value) && !uuid.test(value)
  )
}

function parametersOf(url: URL): (readonly [string, string])[] {
  const fragment = url.hash.includes("=") ? [...new URLSearchParams(url.hash.replace(/^#[^?]*\?|^#/, ""))] : []
  return [...url.searchParams, ...fragment]
}

function decodings(text: string): string[] {
  const once = decodeOnce(text)
  return [text, once, decodeOnce(once)]
}

function decodeOnce(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
}

function problem(message: string, suggestion: string): Problem {
  return { path: "url", message, suggestion }
}
