// Connecting an account in a real browser: one link, one sign-in, one button, and the waiting call continues.

import { toOwner } from "@holdpoint/accounts"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { pressSignIn, tabTo } from "./people.ts"
import { openStage, type Stage } from "./world.ts"

let stage: Stage
beforeAll(async () => {
  const app = { href: "https://app.example/tasks", name: "the task list" }
  stage = await openStage({ pages: { returnTargets: { app } } })
})
afterAll(() => stage.close())
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  expect(stage.problems).toEqual([])
  stage.notes.settings.decision = "yes"
})

describe("with only the keyboard", () => {
  verifies(
    "consent.from-link-to-call",
    "alice goes from the link to “Connected as”, and the waiting call continues",
    async () => {
      const { link, ended } = await stage.call("alice")
      stage.notes.settings.user = "alice-at-notes"
      const page = await stage.arrive()
      await page.goto(link)
      await stage.look(page, "Sign in to try it out")
      await pressSignIn(page, "alice")
      await stage.look(page, "Connect Example Notes?")
      const words = await page.getByRole("main").innerText()
      expect(words).toContain("Note taker asks to use your account at Example Notes")
      expect(words).toContain("Read your notes")
      expect(words).toContain("Signed in as Alice")
      await tabTo(page, "Continue to Example Notes")
      await page.keyboard.press("Enter")
      await stage.look(page, "Connected as alice-at-notes")
      expect(page.url()).toBe(link)

      const connection = await ended
      expect(connection.account?.id).toBe("alice-at-notes")
      expect(await (await connection.fetch(`${stage.notes.issuer}/me`)).json()).toMatchObject({ sub: "alice-at-notes" })
    },
  )
})

describe("a link that reached another person", () => {
  const directions = [
    ["alice", "bob"],
    ["bob", "alice"],
  ] as const
  it.each(directions)("to %s does nothing for %s, and still works for its addressee", async (rightful, other) => {
    const { link, ended } = await stage.call(rightful, { scopes: ["notes.read", "notes.write"] })
    const theirs = await stage.arriveAs(other)
    await theirs.goto(link)
    await stage.look(theirs, "This link cannot be used")
    const foreign = await theirs.content()
    await theirs.goto(`${stage.server.publicUrl}/connect/00000000-0000-4000-8000-000000000000`)
    expect(await theirs.content()).toBe(foreign)

    stage.notes.settings.user = `${rightful}-at-notes`
    const page = await stage.arriveAs(rightful)
    await page.goto(link)
    await page.getByRole("button", { name: "Continue to Example Notes" }).click()
    await page.getByRole("heading", { name: `Connected as ${rightful}-at-notes` }).waitFor()
    expect((await ended).account?.id).toBe(`${rightful}-at-notes`)
    await theirs.goto(link)
    expect(await theirs.content()).toBe(foreign)
  })
})

describe("the provider's address, which bob sent to alice", () => {
  verifies(
    "consent.refused-ends-it",
    "leads her to a clean address; the callback she sends back connects nothing, but bob's next try does",
    async () => {
      const { id, link, ended } = await stage.call("bob", { account: "bob-alone" })
      const bob = await stage.arriveAs("bob")
      await bob.goto(link)
      const atProvider = (url: URL): boolean => url.origin === stage.notes.issuer
      await bob.route(atProvider, (route) => route.abort())
      const leaving = bob.waitForRequest((request) => atProvider(new URL(request.url())))
      await bob.getByRole("button", { name: "Continue to Example Notes" }).click()
      const forwarded = (await leaving).url()

      const alice = await stage.arriveAs("alice")
      await alice.goto(`${stage.server.publicUrl}/inbox`)
      await alice.getByRole("heading", { level: 1 }).waitFor()
      stage.notes.settings.user = "alice-at-notes"
      const arriving = alice.waitForRequest((request) => request.url().includes("/oauth/callback/notes?code="))
      await alice.goto(forwarded)
      await stage.look(alice, "This link cannot be used")
      expect(alice.url()).toBe(`${stage.server.publicUrl}/oauth/callback/notes`)

      await bob.unroute(atProvider)
      await bob.goto((await arriving).url())
      await stage.look(bob, "Connect Example Notes?")
      expect(bob.url()).toBe(link)
      expect(await bob.getByRole("alert").innerText()).toContain("arrived in another browser")
      const accounts = (await stage.server.vault.list(toOwner(stage.person("bob")))).map(({ account }) => account?.id)
      expect(accounts).not.toContain("alice-at-notes")
      expect((await stage.server.hub.get(id))?.status).toBe("accepted")

      stage.notes.settings.user = "bob-alone"
      await bob.getByRole("button", { name: "Continue to Example Notes" }).click()
      await stage.look(bob, "Connected as bob-alone")
      expect((await ended).account?.id).toBe("bob-alone")
    },
  )
})

describe("on the connect page", () => {
  it("a person who is not the signed-in one signs out, signs in, and returns to the question", async () => {
    const { link, ended } = await stage.call("alice", { account: "not-me" })
    stage.notes.settings.user = "not-me"
    const page = await stage.arrive()
    await page.goto(link)
    await stage.signIn(page, "alice")
    await page.getByRole("button", { name: "Not you? Sign out" }).click()
    await stage.look(page, "Sign in")
    await page.getByRole("link", { name: "Continue with" }).click()
    await stage.signIn(page, "alice")
    await page.getByRole("button", { name: "Continue to Example Notes" }).click()
    await page.getByRole("heading", { name: "Connected as not-me" }).waitFor()
    expect((await ended).account?.id).toBe("not-me")
  })

  const returns = [
    ["app", 1],
    ["https://evil.example", 0],
  ] as const
  it.each(returns)("a person who came from %s gets a link back only if it is known", async (returnTo, links) => {
    const { link, ended } = await stage.call("alice", { account: returnTo, returnTo })
    stage.notes.settings.user = returnTo
    const page = await stage.arriveAs("alice")
    await page.goto(link)
    await page.getByRole("button", { name: "Continue to Example Notes" }).click()
    await page.getByRole("heading", { name: "Connected as" }).waitFor()
    await ended
    const back = page.getByRole("link", { name: "Back to the task list" })
    expect(await back.count()).toBe(links)
    if (links === 1) expect(await back.getAttribute("href")).toBe("https://app.example/tasks")
    expect(await page.locator('a[href*="evil"]').count()).toBe(0)
  })
})
