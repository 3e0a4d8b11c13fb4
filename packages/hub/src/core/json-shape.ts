// Judges the shape of JSON that others sent, before a parser builds it: ten megabytes of empty lists become hundreds of
// megabytes of objects. Pure; reads each character once.

/** The most that a JSON text may contain. */
export interface JsonLimits {
  /** How many lists and objects may be inside each other. */
  readonly levels: number
  /** How many values it may have: members, items, and lists and objects themselves. */
  readonly values: number
}

/** The limit that a JSON text exceeds. The text need not be valid JSON. */
export function exceededBy(json: string, { levels, values }: JsonLimits): keyof JsonLimits | undefined {
  let level = 0
  let count = 1
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case quote:
        at = endOfString(json, at)
        break
      case openBrace:
      case openBracket:
        if (++level > levels) return "levels"
        if (++count > values) return "values"
        break
      case closeBrace:
      case closeBracket:
        level--
        break
      case comma:
        if (++count > values) return "values"
    }
  }
  return undefined
}

/** The index of the quotation mark that ends a string, or the length of the text when none does. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json.charCodeAt(end - 1 - backslashes) === backslash) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return json.length
}

const quote = 34
const comma = 44
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125
