// Finds credentials and personal data in an address. MCP (elicitation, safe URL handling) forbids both, and
// pre-authenticated addresses. Pure.

import type { Problem } from "../core/error.ts"

/** The problems of an address. `isSecret` judges the names of its parameters and the segments of its path. */
export function findInAddress(address: string, isSecret: (label: string) => boolean): readonly Problem[] {
  const url = URL.parse(address)
  return url === null ? [] : [...contentProblems(url, isSecret, 0)]
}

function* contentProblems(url: URL, isSecret: (label: string) => boolean, depth: number): Generator<Problem> {
  const texts = decodings(`${url.pathname} ${url.search} ${url.hash}`)
  if (texts.some((text) => email.test(text))) {
    yield problem("The address contains an e-mail address.", "Look the person up behind a random id instead.")
  }
  const leaks = texts.flatMap((text) => credentials.filter(([pattern]) => pattern.test(text)).map(([, words]) => words))
  for (const words of new Set(leaks)) yield problem(`The address contains ${words}.`, credentialAdvice)
  for (const [name, value] of parametersOf(url)) {
    if (value !== "" && isCredential(name, value, isSecret)) {
      yield problem(`The parameter "${name}" carries a credential.`, credentialAdvice)
    }
    const nested = depth === 0 && /^https?:/i.test(value) ? URL.parse(value) : null
    if (nested) yield* contentProblems(nested, isSecret, depth + 1)
  }
  const segments = url.pathname.split("/").map((segment) => decodeOnce(segment))
  if (segments.some((segment, index) => isOpaque(segment) && isSecret(segments[index - 1] ?? ""))) {
    yield problem("The path carries a credential.", credentialAdvice)
  }
}

const credentialAdvice =
  "Anyone with the address would be signed in. Send a random id and sign the person in on the page."

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

/** Parameter names that mean a credential only when the value looks like one. */
const sensitive =
  /^(?:key|code|sig|signature|x-(?:amz|goog)-(?:signature|security-token|credential)|sid|session|session_?id|sess|auth|authorization|ticket|magic|hash|otp|assertion|saml\w*|invite_?token)$/i

function isCredential(name: string, value: string, isSecret: (label: string) => boolean): boolean {
  if (isHarmless(name)) return false
  if (isSecret(name)) return true
  return sensitive.test(name) && isOpaque(value)
}

/** Public protocol parameters whose names look like secrets. */
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
  const decoded = decodeOnce(text)
  return [text, decoded, decodeOnce(decoded)]
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
