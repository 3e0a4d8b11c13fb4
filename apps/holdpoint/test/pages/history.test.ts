// The history shows each question with the person's answer and where it was given, or how else the question ended.
// The history never shows the content of an answer.

import type { Draft, Principal, Runtime } from "@holdpoint/hub"
import { choice, form, systemRuntime, text } from "@holdpoint/hub"
import type { JarBrowser, Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest"
import { newSubject } from "../attacks/setup.ts"

const minute = 60_000

let ahead = 0
const runtime: Runtime = { ...systemRuntime, now: () => Date.now() + ahead }

let world: World
beforeAll(async () => {
  world = await openWorld({ runtime })
})
afterAll(() => world.close())

let subject: string
let alice: Principal
let browser: JarBrowser
beforeEach(async () => {
  ahead = 0
  subject = newSubject("alice")
  alice = world.person(subject)
  browser = await world.signIn(subject)
})

const confirm = form({ confirmed: choice({ yes: "Delete note", no: "Keep it" }, { title: "Your answer" }) })

const ask = (more: Partial<Draft> = {}) =>
  world.server.hub.ask({
    ...{ form: confirm, message: "Delete “Shopping”?", audience: alice },
    ...{ requester: { id: "notes", name: "Notes" }, ...more },
  } as Draft)

const answer = (id: string, content: object) =>
  world.server.hub.answer(id, { by: alice, action: "accept", via: "web", ...content })

const wordsOn = ({ text }: Visited): string =>
  text
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replace(/\s+/g, " ")

async function history(): Promise<string> {
  const page = await browser.open(`${world.server.publicUrl}/account`)
  return wordsOn({ ...page, text: page.text.slice(page.text.indexOf('id="history"')) })
}

const pageOf = async (id: string): Promise<string> =>
  wordsOn(await browser.open(`${world.server.publicUrl}/inbox/${id}`))

describe("the history of a person", () => {
  verifies("page.history", "names the act that was chosen, its question, and where it was chosen", async () => {
    const [yes, no] = [await ask(), await ask({ message: "Delete “Recipes”?" })]
    await answer(yes.id, { content: { confirmed: "yes" } })
    await answer(no.id, { content: { confirmed: "no" }, via: "mcp 1b2c-session", by: alice })
    const listed = await history()
    expect(listed).toContain("You said “Delete note” to “Delete “Shopping”?” Asked by Notes, answered in the browser.")
    expect(listed).toContain(
      "You said “Keep it” to “Delete “Recipes”?” Asked by Notes, answered in the program that asked.",
    )
    expect(listed).not.toContain("session")
    expect(await pageOf(yes.id)).toContain("You said “Delete note”")
    expect(await pageOf(no.id)).toContain("You said “Keep it”")
  })

  verifies("page.history", "names the act even after the content of the answer was deleted", async () => {
    const { id } = await ask()
    await answer(id, { content: { confirmed: "no" } })
    await world.server.hub.wait(id)
    ahead += 2 * minute
    await world.server.hub.sweep()
    expect((await world.server.hub.get(id))?.content).toBeUndefined()
    expect(await history()).toContain("You said “Keep it” to “Delete “Shopping”?”")
  })

  verifies("page.history", "distinguishes a No, a deadline that passed and a withdrawn question", async () => {
    const [declined, late, withdrawn] = [
      await ask(),
      await ask({ message: "Delete “Late”?", lifetimeMs: minute }),
      await ask({ message: "Delete “Gone”?" }),
    ]
    await answer(declined.id, { action: "decline", reason: { code: "no", message: "I still need it." } })
    await world.server.hub.cancel(withdrawn.id)
    ahead += 2 * minute
    await world.server.hub.sweep()
    expect((await world.server.hub.get(late.id))?.status).toBe("expired")
    const listed = await history()
    expect(listed).toContain("You declined “Delete “Shopping”?”")
    expect(listed).toContain("Reason: “I still need it.”")
    expect(listed).toContain("“Delete “Late”?” was not answered in time")
    expect(listed).toContain("Notes withdrew “Delete “Gone”?”")
  })

  verifies("page.history", "says that a form was answered, without its content", async () => {
    const { id } = await ask({ form: form({ city: text({ title: "City" }) }), message: "Where to?" })
    await answer(id, { content: { city: "Grenoble-by-night" } })
    const listed = await history()
    expect(listed).toContain("You answered “Where to?”")
    expect(listed).not.toContain("Grenoble-by-night")
    expect(await pageOf(id)).not.toContain("Grenoble-by-night")
  })

  verifies("page.history", "does not attribute another person's answer to the person who reads it", async () => {
    const bob = world.person(newSubject("bob"))
    const { id } = await ask({ audience: { kind: "any", principals: [alice, bob] } })
    await answer(id, { by: bob, content: { confirmed: "yes" } })
    expect(await history()).toContain("Another person said “Delete note” to “Delete “Shopping”?”")
  })

  verifies("page.history", "names the account that was connected, once", async () => {
    world.notes.settings.user = `${subject}-at-notes`
    const asked = await world.server.vault.ask(world.need(subject))
    const link = asked.mode === "url" ? asked.url : ""
    await browser.submit(await browser.open(link), { do: "continue" })
    await expect.poll(async () => (await world.server.hub.get(asked.id))?.status, { timeout: 10_000 }).toBe("completed")
    const listed = await history()
    expect(listed.match(/connected Example Notes/g)).toHaveLength(1)
    expect(listed).toContain(`You connected Example Notes as ${subject}-at-notes Asked by Note taker`)
    expect(await pageOf(asked.id)).toContain(`You connected Example Notes as ${subject}-at-notes`)
  })
})
