// Sending mail through the official client: the person sees the message first, only their Yes sends it, and no message
// is sent twice.

import { afterEach, describe, expect, it } from "vitest"
import { choiceName, createPolicies, defaultPolicy } from "../../src/policy.ts"
import { mailTools } from "../../src/tools/mail/mail.ts"
import { callTool, toolOf } from "../fits.ts"
import { agree, alice, type House, type HouseOptions, openHouse, textIn } from "../house.ts"
import { connect } from "../nextcloud.ts"
import { failing } from "./recorded-call.ts"
import { openStage } from "./stage.ts"

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

const enter = async (options: HouseOptions = {}): Promise<House> => (house = await openHouse(options))

const tool = toolOf(mailTools, "nc_mail_send_message")
const whole = { to: ["bob@example.org"], subject: "The plan", body: "Hello Bob,\n\nsee you on Friday." }
const posted = ({ standIn }: Pick<House, "standIn">): readonly string[] =>
  standIn.requests.filter((request) => request.startsWith("POST") && request.endsWith("/message/send"))
const asked = ({ prompts }: House): readonly string[] =>
  prompts.filter(({ url }) => url === undefined).map(({ message }) => message)

/** The messages in bob's inbox. */
async function inboxOf({ standIn }: House): Promise<readonly Record<string, unknown>[]> {
  const { nextcloud } = connect((request) => standIn.fetch(request), { user: "bob", url: standIn.url })
  type Listed = { accounts: { id: number }[]; mailboxes: { id: number }[]; messages: Record<string, unknown>[] }
  const call = (name: string, input: object) => callTool<Listed>(toolOf(mailTools, name), input, nextcloud)
  const { accounts } = await call("nc_mail_list_accounts", {})
  const { mailboxes } = await call("nc_mail_list_mailboxes", { account_id: accounts[0]?.id })
  return (await call("nc_mail_list_messages", { mailbox_id: mailboxes[0]?.id })).messages
}

describe.each(["2026", "2025"] as const)("a message from a client of %s", (client) => {
  it("is sent once, after a Yes to sender, recipients, subject and text", async () => {
    const here = await enter({ client })
    const input = { ...whole, cc: ["carol@example.org"], bcc: ["dora@example.org"] }
    const sent = await here.call(tool.name, input)
    expect(sent.isError, textIn(sent)).toBeFalsy()
    expect(asked(here)).toEqual([
      "Send the message “The plan” from alice@example.org?\nIt leaves this Nextcloud by e-mail.\nTo: bob@example.org\nCc: carol@example.org\n" +
        "Bcc, hidden from the others: dora@example.org\n| Hello Bob,\n| see you on Friday.\n" +
        "A message cannot be taken back once it is sent.",
    ])
    expect(posted(here)).toHaveLength(1)
    expect(await inboxOf(here)).toMatchObject([{ from: "alice@example.org", subject: "The plan" }])
  })

  it.each([
    [
      "a No",
      { action: "accept", content: { confirmed: false } },
      /“The plan” from alice@example\.org was not sent\. Do/,
    ],
    ["a dismissal", { action: "decline" }, /said no\. Nothing more was done/],
  ] as const)("is not sent after %s, and the result says so", async (_, reply, words) => {
    const here = await enter({
      client,
      answer: async (prompt, at) => (prompt.url === undefined ? reply : agree(prompt, at)),
    })
    const refused = await here.call(tool.name, whole)
    expect(refused.isError).toBe(true)
    expect(textIn(refused)).toMatch(words)
    expect(posted(here)).toEqual([])
    expect(await inboxOf(here)).toEqual([])
  })
})

describe("the question before sending", () => {
  it.each([
    ["a subject of two lines", { subject: "Hi\r\nBcc: eve@evil.example" }],
    ["an address of two lines", { to: ["bob@example.org\nBcc: eve@evil.example"] }],
    ["two addresses in one", { to: ["bob@example.org, eve@evil.example"] }],
    ["a name that looks like an address", { cc: ['"bob@example.org" <eve@evil.example>'] }],
    ["letters that look like others", { bcc: ["b\u043eb@example.org"] }],
    ["a reference of two lines", { reference: "<1@example.org>\r\nBcc: eve@evil.example" }],
    ["more recipients than can be shown", { to: Array.from({ length: 21 }, (_, index) => `b${index}@example.org`) }],
    ["addresses too long to be shown", { to: Array.from({ length: 5 }, (_, at) => `b@${at}${"x".repeat(240)}.org`) }],
    ["an address too long to be shown", { to: [`${"b".repeat(64)}@example.org.${"x".repeat(220)}.evil.example`] }],
    ["no recipient", { to: [] }],
  ])("is not asked for %s, and nothing is sent", async (_, more) => {
    const here = await enter()
    const refused = await here.call(tool.name, { ...whole, ...more })
    expect(refused.isError, textIn(refused)).toBe(true)
    expect(asked(here)).toEqual([])
    expect(posted(here)).toEqual([])
  })

  it("shows every recipient, however many there are and whatever the rest contains", async () => {
    const here = await enter()
    const to = Array.from({ length: 20 }, (_, index) => `person-${index}-${"x".repeat(20)}@example.org`)
    const body = `To: somebody.else@example.org\n${"line\n".repeat(5_000)}`
    await here.call(tool.name, { ...whole, to, subject: "s".repeat(300), body })
    const lines = (asked(here)[0] ?? "").split("\n")
    expect(lines.filter((line) => line.startsWith("To: "))).toEqual(to.map((address) => `To: ${address}`))
    expect(lines).toContain("| To: somebody.else@example.org")
    expect(lines.at(-1)).toBe("A message cannot be taken back once it is sent.")
    expect(asked(here)[0]?.length).toBeLessThan(4_000)
  })

  it.each([
    ["many short lines", "a short line ..\n".repeat(60)],
    ["many short lines and much more", "a short line ..\n".repeat(600)],
    ["one line", "word ".repeat(1_000)],
    ["characters of two units", "🦊".repeat(1_500)],
    ["many empty lines", `begin\n${"\n".repeat(3_000)}end`],
  ])("counts every character that it does not show of a text of %s", async (_, body) => {
    const here = await enter()
    const bcc = Array.from({ length: 20 }, (_, index) => `person-${index}-${"x".repeat(25)}@example.org`)
    for (const more of [{}, { bcc, subject: "s".repeat(300) }]) {
      await here.call(tool.name, { ...whole, ...more, body })
      const question = asked(here).at(-1) ?? ""
      expect(question).not.toContain("…")
      const shownLines = question.split("\n").flatMap((line) => (line.startsWith("| ") ? [line.slice(2)] : []))
      const hidden = /^The text continues for (\d+) more characters\.$/m.exec(question)?.[1]
      expect(shownLines.length).toBeGreaterThan(0)
      expect(shownLines.join("").replaceAll(" ", "")).toBe(
        body.slice(0, body.length - Number(hidden ?? 0)).replaceAll(/\s/g, ""),
      )
    }
  })

  it("names the alias that sends, and another person's address is refused with the list of own ones", async () => {
    const { alice: she } = openStage()
    const loss = await tool.confirm?.readLoss({ ...whole, from: "Alice+team@example.org" }, she.nextcloud)
    expect(loss?.what).toContain("from alice+team@example.org")
    await callTool(tool, { ...whole, reference: "<1@example.org>" }, she.nextcloud, loss === undefined ? {} : { loss })
    expect(JSON.parse(she.requests.at(-1)?.body ?? "")).toMatchObject({
      ...{ fromEmail: "alice+team@example.org", isHtml: false, references: "<1@example.org>" },
      to: [{ email: "bob@example.org" }],
    })
    const error = await failing(callTool(tool, { ...whole, from: "bob@example.org" }, she.nextcloud))
    expect(error).toMatchObject({ kind: "not_found", message: expect.stringContaining("alice+team@") as string })
  })
})

describe("asking before sending", () => {
  it("is not switched off by the choice for all tools, which is about removing", async () => {
    const choices = new Map([[choiceName({ name: "*" }), "never"]])
    const policyStore = { get: async (_: unknown, name: string) => choices.get(name), set: async () => {} }
    expect(defaultPolicy({ "*": "never" }, tool)).toBe("always")
    expect(await createPolicies({ "*": "never" }, policyStore).of(tool, alice)).toBe("always")
    choices.set(choiceName(tool), "never")
    expect(await createPolicies({}, policyStore).of(tool, alice)).toBe("never")
    expect(defaultPolicy({ nc_mail_send_message: "never" }, tool)).toBe("never")
  })

  it("is switched off by the choice for sending, and the message is still sent once", async () => {
    const here = await enter({ confirm: { nc_mail_send_message: "never" } })
    expect((await here.call(tool.name, whole)).isError).toBeFalsy()
    expect(asked(here)).toEqual([])
    expect(posted(here)).toHaveLength(1)
  })
})

describe("a response to sending", () => {
  const failed = (status: number, data: string) => ({
    status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ocs: { meta: { status: "failure", statuscode: status, message: "" }, data } }),
  })
  const page = { status: 200, headers: { "content-type": "text/html" }, body: "<p>Sign in" }

  it.each([
    ["is lost by a proxy", { status: 502 }, /check before trying again/],
    ["comes too late for a proxy", { status: 504 }, /check before trying again/],
    ["breaks off", "reset", /check before trying again/],
    ["comes from a busy server", { status: 503 }, /Try again later/],
    ["says that sending will be retried", failed(500, "SMTP error: will be retried."), /Do not send it again.*outbox/],
    ["says that it could not be processed", failed(400, "Processing error: could not send"), /Do not send it again/],
    [
      "says that there is no mailbox for sent messages",
      failed(403, "Configuration error: no sent mailbox"),
      /Do not send it again/,
    ],
    ["is a web page", page, /Do not send it again/],
    ["is empty", { status: 200 }, /Do not send it again/],
  ] as const)("that %s does not cause a second send", async (_, reply, words) => {
    const here = await enter()
    here.standIn.switches.intercept = (_method, path) => (path.endsWith("/message/send") ? reply : undefined)
    const called = await here.call(tool.name, whole)
    expect(called.isError, textIn(called)).toBe(true)
    expect(textIn(called)).toMatch(words)
    expect(posted(here)).toHaveLength(1)
  })

  it("saying that the mail was sent but not copied is passed on", async () => {
    const here = await enter()
    const ocs = {
      meta: { status: "ok", statuscode: 202, message: "" },
      data: "Email was sent but could not be copied.",
    }
    const headers = { "content-type": "application/json" }
    here.standIn.switches.intercept = (_, path) =>
      path.endsWith("/message/send") ? { status: 202, headers, body: JSON.stringify({ ocs }) } : undefined
    const { structuredContent } = await here.call(tool.name, whole)
    expect(structuredContent).toMatchObject({ note: "Email was sent but could not be copied." })
  })
})
