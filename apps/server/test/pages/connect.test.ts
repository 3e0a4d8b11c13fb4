// One link, one sign-in, one button: the connection is there and the waiting work goes on by itself.

import { afterAll, beforeAll, describe, expect } from "vitest"
import { verifies } from "../../../../packages/holdpoint/test/verifies.ts"
import { openWorld, type World } from "./world.ts"

describe("connecting an account", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  verifies("consent.from-link-to-call", "goes from the link to the waiting call, and on", async () => {
    const waiting = world.server.vault.connect(world.need("alice"))
    const [question] = await openQuestions("alice")
    const browser = await world.signIn("alice")
    const page = await browser.open(question?.mode === "url" ? question.url : "")
    expect(page.text).toContain("Read your notes")
    world.notes.settings.user = "alice-at-notes"
    const done = await browser.submit(page, { do: "continue" })
    expect(done.text).toContain("Connected as")
    expect(done.text).toContain("alice-at-notes")
    expect(done.url.search).toBe("")
    const connection = await waiting
    expect(connection.account).toEqual({ id: "alice-at-notes", name: "alice-at-notes" })
    const answer = await connection.fetch(`${world.notes.issuer}/me`)
    expect(answer.status).toBe(200)
    expect(world.problems).toEqual([])
  })

  const openQuestions = async (subject: string) => {
    for (;;) {
      const principal = world.person(subject)
      const found = await world.server.hub.list({ tenant: "acme", principal, state: "open", limit: 10 })
      if (found.length > 0) return found
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
})
