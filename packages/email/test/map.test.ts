// What a mail says, and what hostile text in it cannot do.

import type { Elicitation } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import { linkedAnyway, linksIn } from "@holdpoint/testkit/across/surfaces/linked-anyway"
import { startMailServer } from "@holdpoint/testkit/email/mail-server"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { alice, record } from "../../testing/src/contract/samples.ts"
import { toEndMail, toMail } from "../src/map.ts"
import { createOutlet } from "./setup.ts"

const links = {
  question: "https://holdpoint.example/inbox/42",
  account: "https://holdpoint.example/account",
  unsubscribe: "https://holdpoint.example/unsubscribe/token",
}
const asked = (more: object): Elicitation => ({ ...record(), ...more }) as Elicitation
const hrefs = (html: string): readonly string[] => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href)

describe("a mail about a question", () => {
  verifies("email.content", "says who asks for what and until when, with one link to its page", () => {
    const question = asked({
      requester: { id: "deploy", name: "Deploy bot" },
      client: { name: "Claude Code" },
      message: "May I deploy release 4.2 to production?",
      expiresAt: Date.UTC(2026, 10, 18, 18, 30),
    })
    const mail = toMail(question, { links, zone: "Europe/Berlin" })
    expect(mail.subject).toBe("Question from Deploy bot: May I deploy release 4.2 to production?")
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain("Deploy bot")
      expect(body.replaceAll("\u2060", "")).toContain("May I deploy release 4.2 to production?")
      expect(body).toContain("Through a program that calls itself “Claude Code”.")
      expect(body).toContain("until Wednesday 18 November, 19:30 (Europe/Berlin).")
    }
    expect(hrefs(mail.html)).toEqual([links.question, links.account, links.unsubscribe])
    expect(toMail(question, { links, isReminder: true }).subject).toMatch(/^Reminder: Question from Deploy bot/)
  })

  it("is readable as text at 72 columns", () => {
    const message = `${"A long sentence that goes on and on. ".repeat(12)}\n\nAnd a second paragraph.`
    const lines = toMail(asked({ message }), { links }).text.split("\n")
    const tooLong = lines.filter((line) => [...line.replaceAll("\u2060", "")].length > 72 && !line.startsWith("https:"))
    expect(tooLong).toEqual([])
    expect(lines).toContain("> And a second paragraph.")
  })

  verifies("email.hostile-text", "has no link that the asker wrote, in text or HTML", () => {
    const message =
      'Sign in at https://evil.example/inbox or www.evil.example, write to me@evil.example <a href="https://evil.example">here</a> <img src=x onerror=alert(1)>'
    const requester = { id: "x", name: "evil.example <b>" }
    const { text, html } = toMail(asked({ message, requester }), { links })
    expect(hrefs(html)).toEqual([links.question, links.account, links.unsubscribe])
    expect(html).not.toMatch(/<img|<a href="https:\/\/evil|<b>/)
    for (const body of [text, html]) {
      const ours = body.replaceAll("holdpoint.example", "")
      expect(ours).not.toMatch(/[a-z0-9]\.example/)
      expect(ours.replace(/https:\/\/\/(?:inbox|account|unsubscribe)/g, "")).not.toContain("https://")
      expect(ours).not.toMatch(/[a-z]@[a-z]/)
    }
  })

  verifies("email.hostile-text", "has no address with another character for its dot, its at or its scheme", () => {
    for (const written of linkedAnyway) {
      const { text, html } = toMail(
        asked({ message: `Sign in at ${written} now`, requester: { id: "x", name: written } }),
        { links },
      )
      for (const body of [text, html]) {
        expect(body.replaceAll("\u2060", "")).toContain(written)
        expect(body, written).not.toContain(written)
        expect(linksIn(body.replaceAll("holdpoint.example", "")), written).toEqual([])
      }
    }
    const { html } = toMail(asked({ message: "Call +49 30 1234567 on 2026-11-19" }), { links })
    expect(html).toContain('<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">')
  })

  verifies("email.hostile-text", "replaces characters that are invisible or change the reading direction", () => {
    const { subject, text, html } = toMail(asked({ message: "pay \u202e01\u200b\ufeff now" }), { links })
    for (const part of [subject, text, html]) expect(part).not.toMatch(/[\u202e\u200b\ufeff]/)
  })

  it("shortens long subjects and splits no character", () => {
    const { subject } = toMail(asked({ message: `${"👩‍🚀 Straße ".repeat(40)}` }), { links })
    expect([...subject].length).toBeLessThanOrEqual(120)
    expect(subject.isWellFormed()).toBe(true)
    expect(subject).toMatch(/…$/)
  })

  verifies("email.header-injection", "keeps line breaks of a name or message out of the headers", async () => {
    const server = await startMailServer()
    try {
      const outlet = createOutlet(server, { storage: createMemoryStorage() })
      const question = asked({
        requester: { id: "x", name: "Grüße\r\nBcc: eve@evil.example\r\n\r\nhello" },
        message: "One\nBcc: eve@evil.example\r\nX-Evil: 1",
        context: { trigger: "approval" },
      })
      const signal = AbortSignal.timeout(20_000)
      const prompt = { id: "p1", address: "alice@example.com", person: alice, signal }
      expect((await outlet.post(question, prompt)).state).toBe("shown")
      const [mail] = server.mails
      expect(server.envelopes[0]?.to).toEqual(["alice@example.com"])
      expect([...(mail?.headers.keys() ?? [])]).not.toContain("bcc")
      expect([...(mail?.headers.keys() ?? [])]).not.toContain("x-evil")
      expect(mail?.subject).toMatch(/^Question from Grüße Bcc: eve@evil\.example hello: One Bcc:/)
      const evil = [
        "alice@example.com\r\nBcc: eve@evil.example",
        "alice@example.com, eve@evil.example",
        "<eve@evil.example>",
      ]
      for (const address of evil) {
        expect((await outlet.post(question, { ...prompt, id: address, address })).state).toBe("unable")
      }
      expect(server.mails).toHaveLength(1)
    } finally {
      await server.close()
    }
  })

  verifies("email.unsubscribe", "supports unsubscribing with one click, as in RFC 8058", async () => {
    const server = await startMailServer()
    try {
      const outlet = createOutlet(server, { storage: createMemoryStorage() })
      const signal = AbortSignal.timeout(20_000)
      await outlet.post(asked({}), { id: "p1", address: "alice@example.com", person: alice, signal })
      const headers = server.mails[0]?.headers
      expect(headers?.get("list-unsubscribe")).toMatch(/^<https:\/\/holdpoint\.example\/unsubscribe\/[\w~.%-]+>$/)
      expect(headers?.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click")
      expect(headers?.get("auto-submitted")).toBe("auto-generated")
      expect(headers?.get("from")).toBe("Holdpoint <holdpoint@example.com>")
      expect(server.mails[0]?.raw).not.toContain(alice.subject === "alice" ? alice.issuer : alice.subject)
    } finally {
      await server.close()
    }
  })

  verifies("email.no-answer-content", "never contains the answer, not even when it reports the end", () => {
    const answers = { content: { note: "geheim-4711" }, said: "yes", reason: { code: "x", message: "geheim-4712" } }
    for (const status of ["completed", "declined", "cancelled", "expired", "failed"]) {
      const { subject, text, html } = toEndMail(asked({ status, ...answers }), { links })
      expect(subject + text + html).not.toMatch(/geheim|declined|accepted/)
    }
    const same = ["completed", "declined"].map((status) => toEndMail(asked({ status }), { links }).text)
    expect(same[0]).toBe(same[1])
  })
})
