// Mail: what its tools make of documented responses, and what they do when the API is unusual or missing.

import { type NewMail, receiveMail } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import { mailTools } from "../../src/tools/mail/mail.ts"
import { partOf } from "../../src/tools/mail/mime.ts"
import { pdf } from "../extract/documents.ts"
import { callTool, toolOf } from "../fits.ts"
import { mailPeer } from "../peer/mail.ts"
import { mailboxOf, mailSamples } from "../samples/mail.ts"
import { checkEvery } from "./every.ts"
import { failing } from "./recorded-call.ts"
import { openStage, type Stage } from "./stage.ts"

checkEvery(mailTools, mailSamples, mailPeer)

type Fields = Readonly<Record<string, unknown>>
type Listed = { readonly messages: readonly Fields[]; readonly next_cursor?: string }

const call = <O = Fields>({ alice }: Stage, name: string, input: object): Promise<O> =>
  callTool<O>(toolOf(mailTools, name), input, alice.nextcloud)

const receive = ({ standIn }: Stage, mail: Partial<NewMail> = {}): { readonly message_id: number } => ({
  message_id: receiveMail(standIn.world, "alice", { from: "bob@example.org", subject: "Hi", ...mail }).id,
})

const bytes = (text: string, encoding: BufferEncoding = "utf8"): Uint8Array =>
  new Uint8Array(Buffer.from(text, encoding))

describe("a list of messages", () => {
  const listed = async (stage: Stage, input: object = {}): Promise<Listed> =>
    call<Listed>(stage, "nc_mail_list_messages", { ...(await mailboxOf(stage.alice.nextcloud)), ...input })
  const subjects = async (stage: Stage, input: object): Promise<readonly unknown[]> =>
    (await listed(stage, input)).messages.map(({ subject }) => subject)

  it("contains exactly the matching messages, whatever characters the filter contains", async () => {
    const stage = openStage()
    receive(stage, { subject: "Invoice May: 5% off", sentAt: 1_000 })
    receive(stage, { subject: "Invoice", sentAt: 2_000 })
    receive(stage, { subject: "is:read a+b", from: "carol@example.org", sentAt: 3_000 })
    expect(await subjects(stage, { subject: "Invoice May" })).toEqual(["Invoice May: 5% off"])
    expect(await subjects(stage, { subject: "May: 5%" })).toEqual(["Invoice May: 5% off"])
    expect(await subjects(stage, { subject: "x is:read" })).toEqual([])
    expect(await subjects(stage, { subject: "a+b", from: "carol", unread_only: true })).toEqual(["is:read a+b"])
    expect(await subjects(stage, { starred_only: true })).toEqual([])
    const between = { since: "1970-01-01T00:20:00Z", until: "1970-01-01T00:40:00Z" }
    expect(await subjects(stage, between)).toEqual(["Invoice"])
  })

  it("is refused for a time that is not a time", async () => {
    const stage = openStage()
    const error = await failing(listed(stage, { since: "yesterday" }))
    expect(error).toMatchObject({ kind: "invalid", message: expect.stringContaining("since is not a time") as string })
  })

  it("is read to its end in pages, each message once, even those of the same second", async () => {
    const stage = openStage()
    for (const [index, sentAt] of [10, 20, 20, 30, 40].entries()) receive(stage, { subject: `${index}`, sentAt })
    const subjects: unknown[] = []
    let next: Listed = { messages: [] }
    do {
      next = await listed(stage, { limit: 2, ...(next.next_cursor === undefined ? {} : { cursor: next.next_cursor }) })
      subjects.push(...next.messages.map(({ subject }) => subject))
    } while (next.next_cursor !== undefined)
    expect(subjects).toEqual(["4", "3", "2", "1", "0"])
  })

  it("shows who wrote when, and what is unread", async () => {
    const stage = openStage()
    receive(stage, { body: "Line one\nline two", sentAt: 1_700_000_000 })
    expect((await listed(stage)).messages).toMatchObject([
      {
        ...{ from: "bob@example.org", to: "alice@example.org", subject: "Hi", sent: "2023-11-14T22:13:20Z" },
        ...{ unread: true, starred: false, attachments: false, preview: "Line one line two" },
      },
    ])
    expect(stage.alice.requests.at(-1)?.path).toMatch(/\/messages\?limit=21&view=singleton&format=json$/)
  })
})

describe("a message", () => {
  const read = (stage: Stage, input: object): Promise<Fields> => call(stage, "nc_mail_get_message", input)

  it("is returned as the text that was written, and stays unread", async () => {
    const stage = openStage()
    const body = "Hello & welcome <all>,\n\nsee https://example.org/?a=1&b=2\n"
    const message = receive(stage, { body, messageId: "<one@example.org>" })
    const expected = { content: body.trim(), reference: "<one@example.org>", unread: true }
    expect(await read(stage, message)).toMatchObject(expected)
    expect(await read(stage, message)).toMatchObject(expected)
    expect(stage.alice.requests.map(({ method }) => method)).toEqual(["GET", "GET"])
  })

  it("in HTML is returned as text, without scripts and styles", async () => {
    const stage = openStage()
    const body =
      "<style>p{}</style><p>One</p><script>alert(1)</script><table><tr><td>a</td><td>b</td></tr></table>" +
      '<a href="https://evil.example/">https://bank.example/</a>'
    const message = receive(stage, { body, isHtml: true })
    expect((await read(stage, message)).content).toBe(
      "One\na b \nhttps://bank.example/ (https://evil.example/)".replace(" \n", "\n"),
    )
  })

  it("that is long is read in parts", async () => {
    const stage = openStage()
    const message = receive(stage, { body: "x".repeat(50_000) })
    expect(await read(stage, message)).toMatchObject({ total_characters: 50_000, next_offset: 40_000 })
    expect((await read(stage, { ...message, offset: 40_000 })).content).toBe("x".repeat(10_000))
  })

  it("is returned with Nextcloud's warnings, and with a note when it cannot be decrypted", async () => {
    const stage = openStage()
    const message = receive(stage)
    const answer = await stage.standIn.fetch(
      new Request(`http://localhost/ocs/v2.php/apps/mail/message/${message.message_id}?format=json`, {
        headers: { authorization: `Basic ${btoa("alice:alice-Pass-2026")}`, "ocs-apirequest": "true" },
      }),
    )
    const whole = (await answer.json()) as { ocs: { meta: object; data: Fields } }
    const { body: _, ...data } = whole.ocs.data
    const phishing = { ...data, phishingDetails: { checks: [], warning: true }, dkimValid: false }
    const ocs = { meta: { status: "ok", statuscode: 206 }, data: phishing }
    const headers = { "content-type": "application/json" }
    stage.standIn.switches.intercept = () => ({ status: 206, headers, body: JSON.stringify({ ocs }) })
    expect(await read(stage, message)).toMatchObject({
      content: "",
      note: expect.stringMatching(/phishing.*forged.*cannot decrypt/) as string,
    })
  })

  it("has a source with all its headers", async () => {
    const stage = openStage()
    const { content } = await call(stage, "nc_mail_get_message_source", receive(stage, { subject: "Source" }))
    expect(content).toMatch(/^From: bob@example\.org\r\n.*\r\nSubject: Source\r\n/s)
  })

  it("is marked as read and starred, and back", async () => {
    const stage = openStage()
    const message = receive(stage)
    await call(stage, "nc_mail_set_flags", { ...message, read: true, starred: true })
    expect(stage.alice.requests.at(-1)?.body).toBe('{"flags":{"seen":true,"flagged":true}}')
    expect(await read(stage, message)).toMatchObject({ unread: false, starred: true })
    expect(await call(stage, "nc_mail_set_flags", { ...message, starred: false })).toMatchObject({ starred: false })
    expect(await read(stage, message)).toMatchObject({ unread: false, starred: false })
    expect((await failing(call(stage, "nc_mail_set_flags", message))).kind).toBe("invalid")
  })
})

describe("an attachment", () => {
  const open = (stage: Stage, input: object): Promise<Fields> => call(stage, "nc_mail_get_attachment", input)
  const withOne = (stage: Stage, name: string, mime: string, content: Uint8Array) => ({
    ...receive(stage, { attachments: [{ name, mime, bytes: content }] }),
    attachment_id: "2",
  })

  it.each([
    ["utf8", 2],
    ["latin1", 3],
  ] as const)("that is a text in %s is read as text", async (encoding, requests) => {
    const stage = openStage()
    const input = withOne(stage, "a.txt", "text/plain", bytes("Grüße", encoding))
    expect(await open(stage, input)).toMatchObject({ name: "a.txt", content: "Grüße" })
    expect(stage.alice.requests).toHaveLength(requests)
  })

  it("that is a PDF is read as text, and a damaged one is returned without text", async () => {
    const stage = openStage()
    const attachment = await open(stage, withOne(stage, "a.pdf", "application/pdf", bytes(pdf("Total: 42"))))
    expect(attachment).toMatchObject({
      type: "application/pdf",
      content: expect.stringContaining("Total: 42") as string,
    })
    expect(await open(stage, withOne(stage, "b.pdf", "application/pdf", bytes("%PDF\0\xff", "latin1")))).toEqual({
      ...{ name: "b.pdf", type: "application/pdf", size: 6 },
    })
  })

  it("that is a picture is returned as a picture, byte for byte", async () => {
    const stage = openStage()
    const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0x0d, 0x0a])
    const tool = toolOf(mailTools, "nc_mail_get_attachment")
    const input = withOne(stage, "a.png", "image/png", picture)
    const run = { progress: async () => {}, signal: AbortSignal.timeout(10_000) }
    const { content } = (await tool.run(input, stage.alice.nextcloud, run)) as { content: readonly unknown[] }
    expect(content).toEqual([{ type: "image", mimeType: "image/png", data: Buffer.from(picture).toString("base64") }])
  })

  it("that does not exist is refused with the list of those that do", async () => {
    const stage = openStage()
    const input = { ...withOne(stage, "a.txt", "text/plain", bytes("x")), attachment_id: "7" }
    const error = await failing(open(stage, input))
    expect(error).toMatchObject({ kind: "not_found", message: expect.stringContaining("2 (a.txt)") as string })
  })
})

describe("a part of a message as it was sent", () => {
  const multipart = (boundary: string, ...parts: readonly string[]): string =>
    `Content-Type: multipart/mixed;\r\n boundary="${boundary}"\r\n\r\npreamble\r\n${parts
      .map((part) => `--${boundary}\r\n${part}\r\n`)
      .join("")}--${boundary}--\r\nepilogue --${boundary}\r\n`
  const textIn = (source: string, number: string): string | undefined => {
    const part = partOf(source, number)
    return part === undefined ? undefined : Buffer.from(part).toString("utf8")
  }

  it("is found by its number, in nested parts and in forwarded messages", () => {
    const inner = multipart("in", "Content-Type: text/plain\r\n\r\none", "\r\ntwo --out is not the end\r\n--inner")
    const quoted = "Content-Transfer-Encoding: Quoted-Printable\r\n\r\nGr=C3=BC=\r\n=C3=9Fe"
    const base64 = "content-transfer-encoding: base64\r\n\r\nR3L8\r\nw5/D"
    const source = multipart("out", inner, `Content-Type: message/rfc822\r\n\r\n${inner}`, quoted, base64)
    expect(textIn(source, "1.1")).toBe("one")
    expect(textIn(source, "1.2")).toBe("two --out is not the end\r\n--inner")
    expect(textIn(source, "2.1")).toBe("one")
    expect(textIn(source, "2")).toBe(inner)
    expect(textIn(source, "3")).toBe("Grüße")
    expect(Buffer.from(partOf(source, "4") ?? []).toString("base64")).toBe("R3L8w5/D")
    expect(textIn("Subject: x\n\nalone", "1")).toBe("alone")
    for (const none of ["0", "5", "1.3", "3.1.1", "x", ""]) expect(textIn(source, none)).toBeUndefined()
  })

  it("is found among 300,000 nested messages, and an overlong number finds nothing", () => {
    const source = multipart("out", "Content-Type: message/rfc822\n\n".repeat(300_000))
    expect(partOf(source, `1${".1".repeat(49)}`)?.byteLength).toBe(30 * (300_000 - 50))
    expect(partOf(source, `1${".1".repeat(100_000)}`) === undefined).toBe(true)
  })
})

describe("a server", () => {
  const unknown = { ocs: { meta: { status: "failure", statuscode: 998, message: "Invalid query" }, data: [] } }

  it.each([
    ["nc_mail_list_accounts", {}, "version 5.2"],
    ["nc_mail_get_message", { message_id: 1 }, "version 4.0"],
    ["nc_mail_set_flags", { message_id: 1, read: true }, "a version after 5.12"],
  ])("whose Mail app is too old for %s is refused with the required version", async (name, input, version) => {
    const stage = openStage()
    stage.standIn.switches.intercept = (_, path) =>
      path.includes("/apps/mail/")
        ? { status: 404, headers: { "content-type": "application/json" }, body: JSON.stringify(unknown) }
        : undefined
    const error = await failing(call(stage, name, input))
    expect(error).toMatchObject({ kind: "unsupported", message: expect.stringContaining(`needs ${version}`) as string })
  })

  it("without the Mail app causes an error that names the missing app", async () => {
    const stage = openStage()
    stage.standIn.switches.without.add("mail")
    const error = await failing(call(stage, "nc_mail_list_accounts", {}))
    expect(error).toMatchObject({
      kind: "unsupported",
      message: expect.stringContaining("there is no Mail app") as string,
    })
  })

  it("whose mail server does not answer causes advice to open Mail", async () => {
    const stage = openStage()
    const ocs = { meta: { status: "failure", statuscode: 996, message: "Internal Server Error\n" }, data: [] }
    const headers = { "content-type": "application/json" }
    stage.standIn.switches.intercept = () => ({ status: 500, headers, body: JSON.stringify({ ocs }) })
    const { message } = await failing(call(stage, "nc_mail_list_mailboxes", { account_id: 1 }))
    expect(message).toMatch(/no answer from the mail server.*open Mail in Nextcloud/)
  })
})
