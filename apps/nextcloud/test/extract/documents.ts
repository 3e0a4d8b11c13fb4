// Small documents of each kind, in the form that office programs write.

import { strToU8, zipSync } from "fflate"

const zipped = (files: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))

/** A PDF with one page for each text. */
export function pdf(...pages: readonly string[]): string {
  const count = pages.length
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ")
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${kids}]/Count ${count}>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ...pages.flatMap((text, index) => {
      const drawn = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`
      const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + index * 2} 0 R>>`
      return [page, `<</Length ${drawn.length}>>stream\n${drawn}\nendstream`]
    }),
  ]
  let file = "%PDF-1.4\n"
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj${object}endobj\n`
    return offset
  })
  const lines = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines}`
  return `${file}${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
}

export const docx = (body: string): Uint8Array =>
  zipped({
    "[Content_Types].xml": "<Types/>",
    "word/document.xml": `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    "word/footnotes.xml": `<w:footnotes xmlns:w="w"><w:footnote><w:p><w:r><w:t>A footnote.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
  })

export const xlsx = (rows: string, { date1904 = false } = {}): Uint8Array =>
  zipped({
    "xl/workbook.xml": `<workbook xmlns:r="r"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets><sheet name="Costs" sheetId="1" r:id="rId7"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId7" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/sharedStrings.xml": `<sst><si><t>Item</t></si><si><r><t>Fish </t></r><r><t>&amp; chips</t></r><rPh><t>hint</t></rPh></si></sst>`,
    "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="0.00 &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  })

export const pptx = (...slides: readonly string[]): Uint8Array =>
  zipped({
    "ppt/presentation.xml": "<p:presentation/>",
    ...Object.fromEntries(
      slides.map((text, index) => [
        `ppt/slides/slide${index + 1}.xml`,
        `<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`,
      ]),
    ),
  })

export const openDocument = (kind: "text" | "spreadsheet" | "presentation", content: string): Uint8Array =>
  zipped({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "content.xml": `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d"><office:body>${content}</office:body></office:document-content>`,
  })

/** A zip bomb that unpacks to this many bytes, from about a thousandth of them. */
export const bomb = (bytes: number): Uint8Array => zipSync({ "word/document.xml": new Uint8Array(bytes).fill(32) })
