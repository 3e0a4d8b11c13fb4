// Makes a text that no program turns into a link by itself. Mail programs and messengers do so with any text that looks
// like an address, also with characters that browsers map to a dot, an at or a colon (UTS 46).

/** An invisible character that no address contains, and at which no line is broken. */
export const joiner = "\u2060"

const dot = /(?<=[^\s\u2060])[.\u2024\u3002\ufe52\uff0e\uff61](?=\S)/gu
const at = /(?<!\u2060)[@\ufe6b\uff20]/gu
/** The colon after a scheme, such as in https://, mailto: and tel:. */
const schemeEnd = /(?<=[\p{L}\p{N}])[:\ufe13\ufe55\uff1a](?=\S)/gu

/** Puts an invisible character into everything that looks like an address. Applied twice, it changes nothing more. */
export function toUnlinked(text: string): string {
  return [dot, at, schemeEnd].reduce((changed, sign) => changed.replace(sign, `${joiner}$&`), text)
}
