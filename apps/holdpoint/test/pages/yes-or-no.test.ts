// A yes-or-no question in the inbox is two buttons that name the acts; a No may have a reason, which the asker gets.

import type { Form, Principal } from "@holdpoint/hub"
import { choice, form, systemRuntime, text, yesNo } from "@holdpoint/hub"
import type { JarBrowser, Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { newSubject } from "../attacks/setup.ts"

let world: World
/** The server's time while a test holds it. */
let heldAt: number | undefined
beforeAll(async () => {
  world = await openWorld({ runtime: { ...systemRuntime, now: () => heldAt ?? Date.now() } })
})
afterAll(() => world.close())

let alice: Principal
let browser: JarBrowser
beforeEach(async () => {
  const subject = newSubject("alice")
  alice = world.person(subject)
  browser = await world.signIn(subject)
})

const words = { yes: "Delete note", no: "Keep it" }
const decision = form({ confirmed: choice(words, { title: "Your answer" }) })

const ask = (asked: Form) =>
  world.server.hub.ask({ form: asked, message: "Delete “shopping”?", audience: alice, requester: { id: "notes" } })

/** Without the sign-out form at its top. */
async function pageOf({ id }: { readonly id: string }): Promise<Visited> {
  const page = await browser.open(`${world.server.publicUrl}/inbox/${id}`)
  return { ...page, text: page.text.slice(page.text.indexOf("<article")) }
}

const buttonsOn = ({ text }: Visited): readonly string[] =>
  [...text.matchAll(/<button(?![^>]* hidden)[^>]*>([^<]*)<\/button>/g)].map(([, label = ""]) => label)

describe("a press in a browser without scripts", () => {
  verifies("answer.stands-still", "does not count less than 700 ms after its page was made, and says so", async () => {
    const asked = await ask(decision)
    const page = await pageOf(asked)
    const rendered = /name="rendered" type="hidden" value="(\d+)"/.exec(page.text)?.[1] ?? ""
    heldAt = Number(rendered) + 650
    const refused = await browser.submit(page, { do: "yes", rendered })
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("Not counted")])
    expect(refused.text).toContain(`href="/inbox/${asked.id}"`)
    expect((await world.server.hub.get(asked.id))?.status).toBe("pending")
    heldAt = Number(rendered) + 700
    await browser.submit(page, { do: "yes", rendered })
    heldAt = undefined
    expect(await world.server.hub.wait(asked)).toMatchObject({ status: "completed" })
  })
})

describe("a yes-or-no question in the inbox", () => {
  verifies("answer.names-the-acts", "has two buttons with the asker's labels", async () => {
    const page = await pageOf(await ask(decision))
    expect(buttonsOn(page)).toEqual(["Delete note", "Keep it"])
    expect(page.text).not.toContain('type="radio"')
  })

  it("has the same buttons in the list of questions", async () => {
    await ask(decision)
    const list = await browser.open(`${world.server.publicUrl}/inbox`)
    expect(buttonsOn({ ...list, text: list.text.slice(list.text.indexOf("<ul")) })).toEqual(["Delete note", "Keep it"])
    expect(list.text).not.toContain("<summary>Answer</summary>")
  })

  it.each([
    ["yes", { status: "completed", content: { confirmed: "yes" } }],
    ["no", { status: "completed", content: { confirmed: "no" } }],
  ])("is answered by the button for %s", async (pressed, outcome) => {
    const asked = await ask(decision)
    await browser.submit(await pageOf(asked), { do: pressed })
    expect(await world.server.hub.wait(asked)).toEqual(outcome)
  })

  verifies("answer.reason-reaches-asker", "is declined with the reason that the person gave", async () => {
    const asked = await ask(decision)
    await browser.submit(await pageOf(asked), { do: "no", reason: " I still need it. " })
    expect(await world.server.hub.wait(asked)).toMatchObject({
      status: "declined",
      reason: { message: "I still need it." },
    })
  })

  it("says what is wrong with an invalid reason, and keeps the typed text", async () => {
    const asked = await ask(decision)
    const page = await browser.submit(await pageOf(asked), { do: "no", reason: `because ${"x".repeat(1_000)}` })
    expect(page.text).toContain('role="alert"')
    expect(page.text).toContain("\nbecause xxx")
    expect(await world.server.hub.get(asked.id)).toMatchObject({ status: "pending" })
  })

  it("accepts an answer that was sent as a field", async () => {
    const asked = await ask(decision)
    await browser.submit(await pageOf(asked), { do: "send", "field.confirmed": "yes" })
    expect(await world.server.hub.wait(asked)).toMatchObject({ content: { confirmed: "yes" } })
  })
})

describe("a form with only one yes-or-no field", () => {
  it("gets two buttons that are named after its title", async () => {
    const asked = await ask(form({ sure: yesNo({ title: "Delete the note" }) }))
    const page = await pageOf(asked)
    expect(buttonsOn(page)).toEqual(["Delete the note", "Do not delete"])
    await browser.submit(page, { do: "yes" })
    expect(await world.server.hub.wait(asked)).toMatchObject({ content: { sure: true } })
  })

  it("shows its title and description when the buttons do not contain them", async () => {
    const asked = await ask(form({ sure: yesNo({ title: "I have read it", description: "All <of> it." }) }))
    const page = await pageOf(asked)
    expect(buttonsOn(page)).toEqual(["Yes", "No"])
    expect(page.text).toContain("I have read it")
    expect(page.text).toContain("All &lt;of&gt; it.")
    await browser.submit(page, { do: "no" })
    expect(await world.server.hub.wait(asked)).toMatchObject({ content: { sure: false } })
  })
})

describe("a yes-or-no question with other fields", () => {
  const edited = form({ confirmed: choice(words), to: text({ title: "To", default: "bob" }) })

  it("sends the other fields with a Yes", async () => {
    const asked = await ask(edited)
    const page = await pageOf(asked)
    expect(page.text).toContain('value="bob"')
    await browser.submit(page, { do: "yes", "field.to": "carol" })
    expect(await world.server.hub.wait(asked)).toMatchObject({ content: { confirmed: "yes", to: "carol" } })
  })

  it("shows what is wrong with a field beside the field", async () => {
    const asked = await ask(edited)
    const page = await browser.submit(await pageOf(asked), { do: "yes", "field.to": "" })
    expect(page.text).toContain('aria-invalid="true"')
    expect(await world.server.hub.get(asked.id)).toMatchObject({ status: "pending" })
  })

  it("needs no other field for a No", async () => {
    const asked = await ask(edited)
    await browser.submit(await pageOf(asked), { do: "no", "field.to": "" })
    expect(await world.server.hub.wait(asked)).toEqual({ status: "declined" })
  })
})
