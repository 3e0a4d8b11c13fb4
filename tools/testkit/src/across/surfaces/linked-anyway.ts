// Texts that programs turn into links although no link was written: browsers map other characters to a dot, an at and a
// colon (UTS 46, the mapping table), and telephones call numbers.

export const linkedAnyway: readonly string[] = [
  ...[
    "evil.com",
    "evil。com",
    "evil．com",
    "evil｡com",
    "evil․com",
    "evil﹒com",
    "ｅｖｉｌ．ｃｏｍ",
    "i❤.ws",
    "evil。com/a.b",
  ],
  ...["https://evil", "https：／／evil", "me@evil", "me＠evil", "me﹫evil"],
  ...["tel:+49301234567", "sms:12345", "skype:eve", "mailto:eve", "MAILTO:eve", "tel：123"],
]

/** What a program could take for an address, a mail address or a scheme. */
export const linksIn = (text: string): readonly string[] => {
  const words = text.replaceAll(/<[^>]*>|https:\/\/\/?\S*/g, " ").split(/\s+/)
  const dot = /[^\s\u2060][.。．｡․﹒](?=[\p{L}\p{N}])/u
  const sign = /[^\s\u2060][@＠﹫]/u
  const scheme = /^[^\p{L}]*\p{L}+[:：](?=[\p{L}\p{N}+/／])/u
  return words.filter((word) => [dot, sign, scheme].some((pattern) => pattern.test(word)))
}
