// Removes probable credentials from the error output of a script before a client sees it. Pure.

const placeholder = "[hidden]"

/** Each pattern keeps its first group and hides the rest. */
const patterns: readonly RegExp[] = [
  /\b((?:proxy-)?authorization\s*[:=]\s*["']?(?:[a-z]+\s+)?)[^\s"']+/gi,
  /\b((?:set-)?cookie\s*:\s*)[^\r\n]+/gi,
  /\b((?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  /(?<![a-z\d+.-])([a-z\d+.-]+:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/gi,
  /((?:password|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)s?["']?\s*[:=]\s*["']?)[^\s"'&,;]+/gi,
  /()\b(?:gh[opsur]_|github_pat_|xox[abprs]-|sk-|glpat-|AKIA)[\w-]{10,}/g,
  /()(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
]

export function redact(text: string): string {
  return patterns.reduce((result, pattern) => result.replace(pattern, `$1${placeholder}`), text)
}
