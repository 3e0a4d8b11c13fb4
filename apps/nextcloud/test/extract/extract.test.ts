// Text from documents of every kind, and hostile documents.

import { setTimeout as after } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { extractText } from "../../src/extract/extract.ts"
import { bomb, docx, openDocument, pdf, pptx, xlsx } from "./documents.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

async function partsOf(document: Uint8Array) {
  const extracted = await extractText(document)
  if ("because" in extracted) throw new Error(extracted.because)
  return { kind: extracted.kind, parts: extracted.parts.map(({ name, text }) => [name, text]) }
}

describe("the text of", () => {
  it("a PDF comes page by page", async () => {
    expect(await partsOf(bytes(pdf("First page", "Second page")))).toEqual({
      kind: "pdf",
      parts: [
        ["Page 1", "First page"],
        ["Page 2", "Second page"],
      ],
    })
  })

  it("a Word document has its paragraphs, tables and footnotes, and no deleted text", async () => {
    const cell = (text: string) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`
    const body = `<w:p><w:pPr><w:tabs><w:tab w:pos="9"/></w:tabs></w:pPr><w:r><w:t xml:space="preserve">Dear </w:t><w:t>Bo &amp; Ay</w:t><w:br/><w:t>hello</w:t></w:r></w:p>
      <w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>
      <w:tbl><w:tr>${cell("a")}${cell("b")}</w:tr><w:tr>${cell("c")}${cell("d")}</w:tr></w:tbl><w:p><w:r><w:t>end</w:t></w:r></w:p>`
    expect(await partsOf(docx(body))).toEqual({
      kind: "text",
      parts: [[undefined, "Dear Bo & Ay\nhello\n\na\tb\nc\td\nend\n\nA footnote."]],
    })
  })

  it("a workbook has one line per row, keeps empty cells, and shows dates as dates", async () => {
    const rows = `<row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>
      <row><c r="A2" s="1"><v>45292</v></c><c r="B2" s="2"><v>45292.5</v></c><c r="C2" s="3"><v>2.5</v></c></row>
      <row><c r="A3"><f>1+1</f><v>2</v></c><c r="B3" t="b"><v>1</v></c><c r="C3" t="inlineStr"><is><t>in line</t></is></c></row>`
    expect(await partsOf(xlsx(rows))).toEqual({
      kind: "spreadsheet",
      parts: [["Costs", "Item\t\tFish & chips\n2024-01-01\t2024-01-01 12:00:00\t2.5\n2\tTRUE\tin line"]],
    })
    const old = await partsOf(xlsx(`<row><c r="A1" s="1"><v>43830</v></c></row>`, { date1904: true }))
    expect(old.parts).toEqual([["Costs", "2024-01-01"]])
  })

  it("a presentation comes slide by slide, in numeric order", async () => {
    const { kind, parts } = await partsOf(pptx(..."abcdefghij".split("")))
    expect(kind).toBe("presentation")
    expect(parts.map(([, text]) => text).join("")).toBe("abcdefghij")
  })

  it("OpenDocument files has no comments, and names the sheets", async () => {
    const text =
      "<text:h>Title</text:h><text:p>a<text:tab/>b<text:s text:c='2'/>c<office:annotation><text:p>no</text:p></office:annotation></text:p>"
    expect(await partsOf(openDocument("text", text))).toEqual({ kind: "text", parts: [[undefined, "Title\na\tb  c"]] })
    const cell = (value: string) => `<table:table-cell><text:p>${value}</text:p></table:table-cell>`
    const sheet = `<table:table table:name="One"><table:table-row>${cell("1")}${cell("2")}</table:table-row></table:table>`
    expect(await partsOf(openDocument("spreadsheet", sheet))).toEqual({ kind: "spreadsheet", parts: [["One", "1\t2"]] })
  })
})

describe("a document that", () => {
  it.each([
    ["is a picture", bytes("\u0089PNG"), "neither a PDF nor"],
    ["is an old Word file", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1), "old Office format"],
    ["is a broken PDF", bytes("%PDF-1.4 and nothing else"), "damaged"],
    ["is cut off", docx("<w:p/>").slice(0, 90), "damaged"],
    ["holds XML that is not well-formed", docx("<w:p>"), "damaged"],
    ["is another archive", openDocument("text", "").slice(0, 4), "damaged"],
    ["unpacks to too much", bomb(101_000_000), "unpacks to more than 100 MB"],
  ])("%s is refused with the reason", async (_what, document, because) => {
    expect(await extractText(document)).toEqual({ because: expect.stringContaining(because) })
  })

  it("defines its own entities is refused, and they are not expanded", async () => {
    const laughs = `<!DOCTYPE x [<!ENTITY a "haha"><!ENTITY b "&a;&a;">]><w:document xmlns:w="w"><w:t>&b;</w:t></w:document>`
    const { zipSync, strToU8 } = await import("fflate")
    const extracted = await extractText(zipSync({ "word/document.xml": strToU8(laughs) }))
    expect(extracted).toEqual({ because: "it is damaged" })
  })

  it("takes too long is given up, while other work continues and the next document is read", async () => {
    const row = `<row>${`<c><v>1</v></c>`.repeat(50)}</row>`
    const large = xlsx(row.repeat(40_000))
    let turns = 0
    const others = setInterval(() => (turns += 1), 5)
    const extraction = extractText(large, { deadlineMs: 300 })
    const next = extractText(bytes(pdf("After it")))
    expect(await extraction).toEqual({ because: "reading it takes longer than 0.3 seconds" })
    clearInterval(others)
    // If the document blocked this thread, the interval would fire only once, at the end.
    expect(turns).toBeGreaterThan(1)
    expect(await next).toMatchObject({ kind: "pdf" })
  })

  it("is no longer wanted is not read further", async () => {
    const wanted = new AbortController()
    const extraction = extractText(bytes(pdf("Never")), { signal: wanted.signal })
    const refused = expect(extraction).rejects.toThrow("not wanted")
    await after(1)
    wanted.abort(new Error("not wanted"))
    await refused
  })
})
