// Removes characters from the ends of a text in linear time. A pattern such as /[.]+$/ takes quadratic time when many of
// these characters come before another one. Pure.

/** The text without the characters at its end that match. `characters` is a pattern for one character, without flags. */
export function withoutEnd(text: string, characters: RegExp): string {
  let end = text.length
  while (end > 0 && characters.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** The text without the characters at its beginning that match. */
export function withoutStart(text: string, characters: RegExp): string {
  let start = 0
  while (start < text.length && characters.test(text.charAt(start))) start++
  return text.slice(start)
}
