// Reads the text of a Word document: paragraphs as lines, table rows as lines with tabs.

import type { Unzipped } from "fflate"
import type { DocumentPart } from "./extracted.ts"
import { tidyText, walkXml } from "./walk-xml.ts"

/** The text for elements that stand for a tab or a line break, in Word and in presentations. */
const breakTexts: Readonly<Record<string, string>> = { tab: "\t", br: "\n", cr: "\n" }

export function readWord(files: Unzipped): readonly DocumentPart[] {
  const [mainText, ...notes] = ["document", "footnotes", "endnotes"].map((name) => textOf(files[`word/${name}.xml`]))
  return [{ text: tidyText([mainText, ...notes].join("\n\n")) }]
}

/** The text of all `t` elements. Tracked deletions are in `delText` and are left out. */
export function textOf(bytes: Uint8Array | undefined): string {
  let text = ""
  let isText = false
  let cells = 0
  walkXml(bytes, {
    open(name) {
      if (name === "t") isText = true
      if (name === "tc") cells += 1
      // `tab` is also a tab stop, inside `tabs` in the paragraph properties: the end of `tabs` removes those tabs.
      text += breakTexts[name] ?? ""
    },
    text(chunk) {
      if (isText) text += chunk
    },
    close(name) {
      if (name === "t") isText = false
      if (name === "tabs") text = text.replace(/\t+$/, "")
      if (name === "p") text += cells > 0 ? " " : "\n"
      if (name === "tc") {
        cells -= 1
        text = `${text.trimEnd()}\t`
      }
      if (name === "tr") text = `${text.trimEnd()}\n`
    },
  })
  return text
}
