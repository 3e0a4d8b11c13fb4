// Texts for Slack. Texts of askers and people are sent as plain text, which Slack does not interpret. Where only mrkdwn
// is possible, its three control characters are escaped. https://docs.slack.dev/messaging/formatting-message-text

import { toUnlinked } from "@holdpoint/hub/internal"

/**
 * Creates a text that Slack does not interpret: no mentions, links, emoji names or formatting. Never empty, because
 * Slack refuses empty texts.
 */
export function toPlainText(text: string, most = 3_000) {
  return { type: "plain_text", text: cut(text.trim() === "" ? "–" : toUnlinked(text), most), emoji: false } as const
}

/** Creates a text in Slack's markup. Untrusted parts must be escaped. */
export const toMrkdwn = (text: string) => ({ type: "mrkdwn", text, verbatim: true }) as const

/** Escapes a text, so that Slack shows `<!channel>`, `<@U…>`, `<https://…|other words>` and addresses as text. */
export function escaped(text: string): string {
  return toUnlinked(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")
}

/** Shortens a text to `most` UTF-16 units, with an ellipsis, and without splitting a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const end = text.slice(0, most - 1)
  return `${end.isWellFormed() ? end : end.slice(0, -1)}…`
}

/**
 * Splits a text into pieces for several blocks, at line breaks if possible. `isWhole` is false when the pieces do not
 * contain the whole text.
 */
export function pieces(
  text: string,
  mostPieces: number,
): { readonly parts: readonly string[]; readonly isWhole: boolean } {
  const parts: string[] = []
  // Here too, because the invisible characters count.
  let remaining = toUnlinked(text)
  while (remaining.length > mostInPiece && parts.length < mostPieces - 1) {
    const lineEnd = remaining.lastIndexOf("\n", mostInPiece)
    const at = lineEnd > mostInPiece / 2 ? lineEnd + 1 : wellFormedEnd(remaining)
    parts.push(remaining.slice(0, at))
    remaining = remaining.slice(at)
  }
  return { parts: [...parts, cut(remaining, mostInPiece)], isWhole: remaining.length <= mostInPiece }
}

const mostInPiece = 3_000

const wellFormedEnd = (text: string): number =>
  text.slice(0, mostInPiece).isWellFormed() ? mostInPiece : mostInPiece - 1

/** Writes a time that Slack shows in each reader's own time zone. */
export function timeOf(at: number): string {
  const fallback = new Date(at).toISOString().replace(/\.\d+Z$/, "Z")
  return `<!date^${Math.floor(at / 1_000)}^{date_short_pretty} at {time}|${fallback}>`
}
