// Questions about a foreign page: the link leads to our own page, and the foreign address is stored with the question.

import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { createAddresses } from "../../src/core/addresses.ts"
import { isHoldpointError } from "../../src/core/error.ts"
import { defaultLimits } from "../../src/core/limits.ts"
import { isSameQuestion, toElicitation } from "../../src/core/question.ts"
import { type VisitAsked, visitDraft, visitedAddress } from "../../src/core/visit.ts"
import { secretRule } from "../../src/secrets/rule.ts"

const publicUrl = "https://hold.example"
const addresses = createAddresses(publicUrl)
const asked: VisitAsked = {
  message: "Please pay.",
  address: "https://pay.example/i/1?x=1#part",
  audience: { tenant: "acme", issuer: "https://id.example", subject: "alice" },
  requester: { id: "invoices" },
}
const toQuestion = (more: Partial<VisitAsked> = {}, id = "id-1") =>
  toElicitation(visitDraft({ ...asked, ...more }, addresses), {
    id,
    now: 0,
    limits: defaultLimits,
    secrets: secretRule,
  })

describe("a question about a foreign page", () => {
  verifies(
    "page.visit-out-of-the-question",
    "links to our own page, and stores the foreign address with the question",
    () => {
      const question = toQuestion({ returnTo: "desk", key: "k", parent: "call-1", lifetimeMs: 60_000 })
      expect(question).toMatchObject({
        mode: "url",
        url: "https://hold.example/visit/id-1",
        key: "k",
        parent: "call-1",
      })
      expect(question.context).toEqual({ trigger: "mcp_elicitation", address: asked.address, returnTo: "desk" })
      expect(visitedAddress(question, addresses)).toBe(asked.address)
    },
  )

  it("can be made with a trailing slash in the public address, and with its own context", () => {
    const draft = visitDraft({ ...asked, context: { trigger: "shell", tool: "pay" } }, createAddresses(`${publicUrl}/`))
    const question = toElicitation(draft, { id: "id-1", now: 0, limits: defaultLimits, secrets: secretRule })
    expect(visitedAddress(question, addresses)).toBe(asked.address)
    expect(question.context).toEqual({ trigger: "shell", tool: "pay", address: asked.address })
  })

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "http://pay.example/",
    "https://alice:secret@pay.example/",
    "https://pay.example/?access_token=abcdefgh12345678",
    "//pay.example/",
    "/account",
    "https://pay.example/\u202Egnp.exe",
    "https://pаy.example\\@evil.example/",
    `https://pay.example/${"x".repeat(2_100)}`,
  ])("is refused when the address is %j", (address) => {
    expect(() => toQuestion({ address })).toThrow(
      expect.toSatisfy((error: unknown) => isHoldpointError(error) && error.code === "unsafe_url"),
    )
  })

  it("differs from a question with another address", () => {
    expect(isSameQuestion(toQuestion({}, "id-1"), toQuestion({}, "id-2"))).toBe(true)
    expect(isSameQuestion(toQuestion({}), toQuestion({ address: "https://pay.example/i/2" }))).toBe(false)
  })

  it("can derive the address from its id, and still equals the same question asked again", () => {
    const address = (id: string): string => `https://pay.example/i/${id}`
    const [first, second] = [toQuestion({ address }, "id-1"), toQuestion({ address }, "id-2")]
    expect(visitedAddress(first, addresses)).toBe("https://pay.example/i/id-1")
    expect(isSameQuestion(first, second)).toBe(true)
    expect(isSameQuestion(first, toQuestion({ address: (id) => `https://evil.example/i/${id}` }))).toBe(false)
    const unsafe = (id: string): string => `javascript:${id}`
    expect(() => toQuestion({ address: unsafe })).toThrow("not allowed")
  })
})

describe("a stored address that was altered", () => {
  const question = toQuestion()
  it.each([
    [
      "is refused when it is a script",
      { ...question, context: { ...question.context, address: "javascript:alert(1)" } },
    ],
    ["is refused when it is a number", { ...question, context: { ...question.context, address: 1 } }],
    ["is refused on another page's question", { ...question, url: `${publicUrl}/connect/id-1` }],
    ["is refused on another question's page", { ...question, url: `${publicUrl}/visit/id-2` }],
    ["is refused on another server's page", { ...question, url: "https://other.example/visit/id-1" }],
  ])("%s", (_what, altered) => {
    expect(visitedAddress(altered, addresses)).toBeUndefined()
  })
})
