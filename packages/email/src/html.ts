// HTML for mails: escaping, and the layout of all mails. Mail programs support few styles, so styles are attributes of
// the elements; only the dark colours are in a stylesheet.

/** Escapes a text for HTML, and keeps its line breaks. */
export function escaped(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll("\n", "<br>")
}

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

export interface Layout {
  readonly title: string
  /** HTML, each part a paragraph or a block. */
  readonly parts: readonly string[]
  /** HTML below the card. */
  readonly footer: readonly string[]
}

export function layout({ title, parts, footer }: Layout): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark }
a { color: #0e5266 }
@media (prefers-color-scheme: dark) {
.paper { background: #10171b !important }
.card { background: #182126 !important; border-color: #2c383e !important; color: #ecebe5 !important }
.said { background: #121a1e !important; border-color: #f2b705 !important }
.quiet { color: #a9b2b7 !important }
a { color: #8fd3e4 }
.button { background: #8fd3e4 !important; color: #0a2029 !important }
}
</style></head>
<body class="paper" style="margin:0;padding:0;background:#f5f4ef">
<div class="paper" style="${font};font-size:16px;line-height:1.5;background:#f5f4ef;padding:16px">
<div class="card" style="max-width:560px;margin:0 auto;box-sizing:border-box;padding:20px;background:#ffffff;border:1px solid #dedcd3;border-radius:10px;color:#182126">
${parts.join("\n")}
</div>
<div class="quiet" style="max-width:560px;margin:0 auto;padding:12px 20px;box-sizing:border-box;font-size:14px;color:#545e65">
${footer.map((one) => `<p style="margin:0 0 8px">${one}</p>`).join("\n")}
</div>
</div>
</body></html>
`
}

export const paragraph = (content: string): string => `<p style="margin:0 0 16px">${content}</p>`

export const quietParagraph = (content: string): string =>
  `<p class="quiet" style="margin:0 0 16px;color:#545e65">${content}</p>`

/** The asker's message as a quotation, which sets it apart from the texts of this server. */
export const askerQuote = (content: string): string =>
  `<blockquote class="said" dir="auto" style="margin:0 0 16px;padding:12px 16px;background:#f1f0ea;border-left:4px solid #f2b705;overflow-wrap:anywhere">${content}</blockquote>`

export const button = (href: string, words: string): string =>
  `<p style="margin:0 0 16px"><a class="button" href="${escaped(href)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:#0e5266;color:#ffffff;font-weight:600;text-decoration:none">${escaped(words)}</a></p>`
