// Recognises credentials in texts that must not contain any: those of known kinds, and the client's own.

import type { UrlModeTarget } from "./target.ts"

const kinds: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/, "a JSON web token"],
  [/(?<![\w-])(?:gh[pousr]_|github_pat_)\w{16,}/, "a GitHub token"],
  [/(?<![\w-])(?:glpat-|npm_|hf_|shpat_|xapp-|xox[a-z]-)[\w.-]{10,}/, "an access token"],
  [/(?<![\w-])(?:sk|rk|whsec)[-_](?=[\w-]*\d)[\w-]{16,}/, "a secret key"],
  [/(?<![\w-])(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)/, "an AWS access key"],
  [/(?<![\w-])(?:ya29\.|AIza)[\w-]{16,}/, "a Google credential"],
  [
    /[?&#](?:access_token|id_token|refresh_token|api_?key|password|secret|client_secret|jwt|bearer)=[^&#]+/i,
    "a credential",
  ],
]

/** The kind of credential that the text contains, if any. */
export function credentialIn(text: string, { people }: Pick<UrlModeTarget, "people">): string | undefined {
  const texts = decodings(text)
  for (const headers of Object.values(people ?? {})) {
    for (const value of Object.values(headers ?? {})) {
      const own = value.replace(/^\S+\s+/, "")
      if (own.length >= 8 && texts.some((one) => one.includes(own))) return "the client's own credential"
    }
  }
  return kinds.find(([pattern]) => texts.some((one) => pattern.test(one)))?.[1]
}

/**
 * Personal data that occurs in each of the samples; each sample is a text with its decodings. One sample is not enough: a
 * random token contains a given name of three letters once in a few thousand times.
 */
export function personalIn(
  samples: readonly (readonly string[])[],
  { personal = [] }: Pick<UrlModeTarget, "personal">,
): string | undefined {
  return personal.find((known) => samples.every((texts) => texts.some((text) => text.includes(known))))
}

/** The text as it is, and percent-decoded once and twice. */
export function decodings(text: string): readonly string[] {
  const once = decode(text)
  return [text, once, decode(once)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
