// Finds credentials in a text: the common kinds by their patterns, and the client's own.

import type { UrlModeTarget } from "./target.ts"

const credentialPatterns: readonly (readonly [RegExp, string])[] = [
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
      const credential = value.replace(/^\S+\s+/, "")
      if (credential.length >= 8 && texts.some((decoded) => decoded.includes(credential)))
        return "the client's own credential"
    }
  }
  return credentialPatterns.find(([pattern]) => texts.some((decoded) => pattern.test(decoded)))?.[1]
}

/**
 * Personal data that occurs in every sample; a sample is a text with its decodings. One sample is not enough: one
 * random token in a few thousand contains a certain name of three letters.
 */
export function personalIn(
  samples: readonly (readonly string[])[],
  { personal = [] }: Pick<UrlModeTarget, "personal">,
): string | undefined {
  return personal.find((personalText) => samples.every((texts) => texts.some((text) => text.includes(personalText))))
}

/** The text as it is, and percent-decoded once and twice. */
export function decodings(text: string): readonly string[] {
  const decodedText = decode(text)
  return [text, decodedText, decode(decodedText)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
