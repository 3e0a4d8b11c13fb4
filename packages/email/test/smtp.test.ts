// What the outlet does at a real SMTP server: TLS, names and passwords, refusals, failures, lost connections.

import type { Elicitation } from "@holdpoint/hub"
import { createMemoryStorage, HoldpointError } from "@holdpoint/hub"
import type { Prompt } from "@holdpoint/hub/outlets"
import { createTestClock } from "@holdpoint/testing"
import { createCertificate } from "@holdpoint/testkit/email/certificate"
import { type MailServer, type MailServerOptions, startMailServer } from "@holdpoint/testkit/email/mail-server"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, describe, expect, it } from "vitest"
import { alice, record } from "../../testing/src/contract/samples.ts"
import { readBounce } from "../src/index.ts"
import { createOutlet } from "./setup.ts"

const open: MailServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function start(options: MailServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(options)
  open.push(server)
  return server
}

const question: Elicitation = record({ audience: { kind: "one", principal: alice } })
const prompt = (more: Partial<Prompt> = {}): Prompt => ({
  ...{ id: "delivery-1", address: "alice@example.com", person: alice, signal: AbortSignal.timeout(20_000), ...more },
})

describe("the e-mail outlet at a mail server", () => {
  it("sends with STARTTLS, a name and a password", async () => {
    const certificate = createCertificate()
    const server = await start({ certificate, login: { user: "hold", password: "p@ss/word" } })
    const outlet = createOutlet(server, {
      storage: createMemoryStorage(),
      smtp: { url: server.url, ca: certificate.cert },
    })
    expect((await outlet.post(question, prompt())).state).toBe("shown")
    expect(server.envelopes).toEqual([{ from: "holdpoint@example.com", to: ["alice@example.com"], isTls: true }])
  })

  it("sends nothing to a server with an untrusted certificate, and the error omits the password", async () => {
    const server = await start({ certificate: createCertificate(), login: { user: "hold", password: "geheim-4711" } })
    const error = await failureOf(createOutlet(server, { storage: createMemoryStorage() }).post(question, prompt()))
    expect(error.message).toMatch(/mail server/)
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain("geheim")
    expect(server.mails).toEqual([])
  })

  it("fails for a retry when the password is wrong, instead of treating the mail as refused", async () => {
    const certificate = createCertificate()
    const server = await start({ certificate, login: { user: "hold", password: "right" } })
    const url = server.url.replace("right", "geheim-4711")
    const outlet = createOutlet(server, { storage: createMemoryStorage(), smtp: { url, ca: certificate.cert } })
    const error = await failureOf(outlet.post(question, prompt()))
    expect(error.message).toBe("The mail server refuses the user name or password (5.7.8). Check SMTP_URL.")
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain("geheim")
  })

  it("refuses an invalid mail server address without repeating its password", () => {
    const refused = (url: string) => () => createOutlet({ url }, { storage: createMemoryStorage() })
    for (const url of ["https://mail.example", "smtp://", "mail.example:587", "smtp://mail.example/path"])
      expect(refused(url), url).toThrow(HoldpointError)
    expect(refused("smtp://user:geheim-4711@mail.example/x")).not.toThrow(/geheim/)
  })

  verifies("email.retried", "can send again after a 4xx, which does not mark the address as dead", async () => {
    const refusals: [number, string][] = [[451, "4.3.0 try again later"]]
    const server = await start({ refuse: () => refusals.pop() })
    const outlet = createOutlet(server, { storage: createMemoryStorage() })
    await expect(outlet.post(question, prompt())).rejects.toThrow(/did not accept the mail \(4\.3\.0 at RCPT TO\)/)
    expect((await outlet.post(question, prompt())).state).toBe("shown")
    expect(server.mails).toHaveLength(1)
  })

  verifies(
    "email.dead-address",
    "is unable when the server does not know the address, and sends nothing more there",
    async () => {
      let asked = 0
      const server = await start({
        refuse: () => {
          asked += 1
          return [550, "5.1.1 no such user"]
        },
      })
      const outlet = createOutlet(server, { storage: createMemoryStorage() })
      const why = "the mail server does not know the address (5.1.1)"
      expect(await outlet.post(question, prompt())).toEqual({ state: "unable", why })
      const again = await outlet.post(question, prompt({ id: "delivery-2", address: "Alice@example.com" }))
      expect(again).toEqual({ state: "unable", why: "e-mails to this address were returned" })
      expect(asked).toBe(1)
    },
  )

  verifies("email.dead-address", "does not mark an address as dead for a full mailbox or a rule", async () => {
    const refusals: [number, string][] = [
      [554, "5.7.1 not from you"],
      [552, "5.2.2 mailbox full"],
    ]
    const server = await start({ refuse: () => refusals.pop() })
    const outlet = createOutlet(server, { storage: createMemoryStorage() })
    for (const id of ["one", "two"]) expect((await outlet.post(question, prompt({ id }))).state).toBe("unable")
    expect((await outlet.post(question, prompt({ id: "three" }))).state).toBe("shown")
  })

  it("is unable when the server refuses the mail itself", async () => {
    const server = await start({ refuseData: () => [554, "5.6.0 looks like spam"] })
    const outlet = createOutlet(server, { storage: createMemoryStorage() })
    const why = "the mail server refuses the mail (5.6.0)"
    expect(await outlet.post(question, prompt())).toEqual({ state: "unable", why })
  })

  verifies(
    "email.one-message-id",
    "sends at most one duplicate after a lost connection, with one Message-ID",
    async () => {
      const losses: ("before" | "after")[] = ["after", "before"]
      const server = await start({ hangUp: () => losses.pop() })
      const outlet = createOutlet(server, { storage: createMemoryStorage() })
      for (const mails of [0, 1]) {
        await failureOf(outlet.post(question, prompt()))
        expect(server.mails).toHaveLength(mails)
      }
      expect(await outlet.post(question, prompt())).toEqual({
        state: "shown",
        receipt: { messageId: "<delivery-1@example.com>" },
      })
      expect(server.mails.map(({ messageId }) => messageId)).toEqual(Array(2).fill("<delivery-1@example.com>"))
      expect(await outlet.post(question, prompt())).toMatchObject({ state: "shown" })
      expect(server.mails).toHaveLength(2)
    },
  )

  verifies("email.no-withdrawal", "sends nothing when the question ends, unless sayWhenOver is set", async () => {
    const server = await start()
    const storage = createMemoryStorage()
    const settled: Elicitation = { ...question, status: "completed", content: { note: "geheim-4711" } } as Elicitation
    const quiet = createOutlet(server, { storage })
    const receipt = { messageId: "<delivery-1@example.com>" }
    await quiet.post(question, prompt())
    await quiet.withdraw(settled, { ...prompt(), receipt })
    expect(server.mails).toHaveLength(1)
    const talking = createOutlet(server, { storage, sayWhenOver: true })
    for (let times = 0; times < 2; times++) await talking.withdraw(settled, { ...prompt(), receipt })
    expect(server.mails).toHaveLength(2)
    const over = server.mails[1]
    expect(over?.headers.get("in-reply-to")).toBe("<delivery-1@example.com>")
    expect(over?.text).toContain("was answered")
    expect(server.mails.map(({ raw }) => raw).join()).not.toContain("geheim")
  })

  verifies(
    "email.no-withdrawal",
    "sends reminders in the thread of the first mail, and says once that the question is over",
    async () => {
      const server = await start()
      const outlet = createOutlet(server, { storage: createMemoryStorage(), sayWhenOver: true })
      const prompts = [prompt(), ...["r-1", "r-2"].map((id) => prompt({ id, reminderOf: "delivery-1" }))]
      for (const one of prompts) await outlet.post(question, one)
      for (const one of prompts) await outlet.withdraw({ ...question, status: "declined" }, { ...one, receipt: {} })
      expect(server.mails.map(({ subject }) => subject.split(":")[0])).toEqual([
        ...["Question from publisher", "Reminder", "Reminder", "Over"],
      ])
      const first = "<delivery-1@example.com>"
      expect(server.mails.map(({ headers }) => headers.get("references"))).toEqual([undefined, first, first, first])
    },
  )

  verifies("email.no-withdrawal", "says that the question is over even when only a reminder was sent", async () => {
    const server = await start()
    const outlet = createOutlet(server, { storage: createMemoryStorage(), sayWhenOver: true })
    const reminder = prompt({ id: "r-1", reminderOf: "delivery-1" })
    await outlet.post(question, reminder)
    await outlet.withdraw({ ...question, status: "declined" }, { ...reminder, receipt: {} })
    expect(server.mails.map(({ subject }) => subject.split(":")[0])).toEqual(["Reminder", "Over"])
  })

  verifies(
    "email.dead-address",
    "marks an address as dead after a bounce to its random return address, and after no other mail",
    async () => {
      const server = await start()
      const storage = createMemoryStorage()
      const runtime = createTestClock()
      const outlet = createOutlet(server, { storage, runtime, bounces: "bounces@example.com" })
      await outlet.post(question, prompt())
      const from = server.envelopes[0]?.from ?? ""
      expect(from).toMatch(/^bounces\+[0-9a-f]{24}@example\.com$/)
      const bounce = (to: string, action = "failed", status = "5.1.1") =>
        readBounce({ storage, runtime }, bounceTo(to, action, status))
      expect(await bounce("bounces+0123456789abcdef01234567@example.com")).toBe("unknown")
      expect(await bounce("holdpoint@example.com")).toBe("unknown")
      expect(await bounce(from, "delayed", "4.4.1")).toBe("delayed")
      expect((await outlet.post(question, prompt({ id: "delivery-2" }))).state).toBe("shown")
      expect(await bounce(from)).toBe("dead")
      expect((await outlet.post(question, prompt({ id: "delivery-3" }))).state).toBe("unable")
      await runtime.advance(91 * 24 * 3_600_000)
      expect((await outlet.post(question, prompt({ id: "delivery-4" }))).state).toBe("shown")
    },
  )
})

const bounceTo = (to: string, action: string, status: string): string =>
  `Return-Path: <>
Delivered-To: ${to}
From: MAILER-DAEMON@mx.example
To: ${to}
Subject: Undelivered Mail Returned to Sender
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="b1"

--b1
Content-Type: text/plain

I'm sorry to have to inform you.

--b1
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; alice@example.com
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; 550 ${status} no such user

--b1--
`.replaceAll("\n", "\r\n")

async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work
  } catch (error) {
    return error as Error
  }
  throw new Error("It did not fail.")
}
