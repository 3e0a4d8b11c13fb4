// The account page: connected accounts, sessions, history, accounts of projects; and another account at the provider than
// before.

import { verifies } from "@holdpoint/testkit/verifies"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { openStage, type Stage } from "./world.ts"

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  expect(stage.problems).toEqual([])
})

async function openAccount(user: string, agent?: string): Promise<Page> {
  const page = await stage.arrive(agent === undefined ? {} : { userAgent: agent })
  await page.goto(`${stage.server.publicUrl}/account`)
  await stage.signIn(page, user)
  await page.getByRole("heading", { level: 1, name: "Account" }).waitFor()
  return page
}

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

describe("sessions", () => {
  verifies("page.account", "are listed, and a session that is ended elsewhere has to sign in again", async () => {
    const there = await openAccount("bob", firefox)
    const here = await openAccount("bob")
    await stage.look(here, "Account")
    const rows = here.getByRole("region", { name: "Where you are signed in" }).getByRole("listitem")
    expect(await rows.count()).toBe(2)
    expect(await rows.filter({ hasText: "this one" }).count()).toBe(1)
    await here.getByRole("button", { name: /End the session in .*Firefox/ }).click()
    await rows.filter({ hasText: "Firefox" }).waitFor({ state: "detached" })
    await there.reload()
    await there.getByRole("heading", { name: "Sign in to try it out" }).waitFor()
    await here.reload()
    expect(await rows.count()).toBe(1)
  })

  it("end when a person signs out, and the next person in the same browser has to sign in", async () => {
    const page = await openAccount("alice")
    await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click()
    await stage.look(page, "You are signed out")
    await page.goBack()
    await page.getByRole("heading", { name: "Sign in to try it out" }).waitFor()
    await page.goto(`${stage.server.publicUrl}/account`)
    await stage.signIn(page, "bob")
    await page.getByRole("banner").getByText("Bob").waitFor()
  })
})

describe("the history", () => {
  verifies("page.account", "shows a connection that was made and disconnected", async () => {
    const { link, ended } = await stage.call("bob")
    stage.notes.settings.user = "bob-at-notes"
    const page = await stage.arriveAs("bob")
    await page.goto(link)
    await page.getByRole("button", { name: "Continue to Example Notes" }).click()
    await page.getByRole("heading", { name: "Connected as bob-at-notes" }).waitFor()
    await (await ended).fetch(`${stage.notes.issuer}/me`)
    await page.getByRole("link", { name: "your account" }).click()
    const connected = page.getByRole("region", { name: "Connected accounts" })
    expect(await connected.innerText()).toContain("Read your notes")
    await page.getByText("Disconnect Example Notes").click()
    await page.getByRole("button", { name: "Yes, disconnect" }).click()
    await page.getByText("Example Notes was disconnected.").first().waitFor()
    expect(await connected.innerText()).toContain("Nothing is connected.")
    const history = await page.getByRole("region", { name: "History" }).innerText()
    expect(history).toContain("You connected Example Notes as bob-at-notes")
    expect(history).toContain("Asked by Note taker, answered in the browser.")
    expect(history).toContain("Example Notes was disconnected")
    await stage.look(page, "Account")
  })
})

describe("an account of a project", () => {
  const apollo = { kind: "project", tenant: "local", project: "Apollo" } as const

  verifies("connection.of-a-project", "is connected by an administrator, for all members of the project", async () => {
    const page = await stage.arriveAs("alice")
    await page.goto(`${stage.server.publicUrl}/account`)
    await page.getByText("Connect an account for a project").click()
    const form = page.locator('form[action="/account/projects"]')
    await form.getByLabel("Project").fill("!")
    await form.getByLabel("Scopes").fill("notes.read")
    await form.getByRole("button", { name: "Continue" }).click()
    await form.getByText("Use letters, digits, spaces, dots and hyphens").waitFor()
    await stage.look(page, "Account")
    expect(await form.getByLabel("Scopes").inputValue()).toBe("notes.read")
    await form.getByLabel("Project").fill("Apollo")
    await form.getByRole("button", { name: "Continue" }).click()
    await stage.look(page, "Connect Example Notes?")
    expect(await page.getByRole("main").innerText()).toContain("for the project Apollo")
    stage.notes.settings.user = "apollo-at-notes"
    await page.getByRole("button", { name: "Continue to Example Notes" }).click()
    await page.getByRole("heading", { name: "Connected as apollo-at-notes" }).waitFor()
    const connection = await stage.server.vault.find({ ...stage.need("alice"), owner: apollo })
    expect(connection?.account?.id).toBe("apollo-at-notes")
    await page.getByRole("link", { name: "your account" }).click()
    const projects = page.getByRole("region", { name: "Accounts of projects" })
    expect(await projects.innerText()).toContain("Apollo")
    await stage.look(page, "Account")
  })

  it("is neither offered nor shown to other people", async () => {
    const page = await stage.arriveAs("bob")
    await page.goto(`${stage.server.publicUrl}/account`)
    expect(await page.getByRole("heading", { name: "Accounts of projects" }).count()).toBe(0)
    expect(await page.getByRole("main").innerText()).not.toContain("Apollo")
  })
})

describe("an account that a program needs for a project", () => {
  it("is requested only from the administrators", async () => {
    const gemini = { kind: "project", tenant: "local", project: "Gemini" } as const
    const { link, ended } = await stage.call("alice", { owner: gemini })
    const bob = await stage.arriveAs("bob")
    await bob.goto(link)
    await bob.getByRole("heading", { name: "This link cannot be used" }).waitFor()
    await bob.goto(`${stage.server.publicUrl}/inbox`)
    await bob.getByText("No questions are waiting for you.").waitFor()

    const page = await stage.arriveAs("alice")
    await page.goto(`${stage.server.publicUrl}/inbox`)
    const [popup] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Review" }).click()])
    await popup.getByText("for the project Gemini").waitFor()
    stage.notes.settings.user = "gemini-at-notes"
    await popup.getByRole("button", { name: "Continue to Example Notes" }).click()
    await popup.getByRole("heading", { name: "Connected as gemini-at-notes" }).waitFor()
    expect((await ended).owner).toEqual(gemini)
  })
})

describe("a different account than before", () => {
  it("has to be confirmed: No keeps the old account, and Yes uses the new one", async () => {
    const first = await stage.call("alice")
    stage.notes.settings.user = "old-alice"
    const page = await stage.arriveAs("alice")
    await page.goto(first.link)
    const proceed = page.getByRole("button", { name: "Continue to Example Notes" })
    await proceed.click()
    await page.getByRole("heading", { name: "Connected as old-alice" }).waitFor()
    const old = await first.ended

    const more = await stage.call("alice", { scopes: ["notes.write"] })
    await page.goto(more.link)
    await page.getByText("old-alice").waitFor()
    stage.notes.settings.user = "new-alice"
    await proceed.click()
    await stage.look(page, "A different account than before")
    expect(await stage.server.vault.find(stage.need("alice", { scopes: ["notes.write"] }))).toBeUndefined()
    await page.getByRole("button", { name: "No, keep old-alice" }).click()
    await page.getByText("That was a different account, so it was not connected.").waitFor()
    expect((await old.fetch(`${stage.notes.issuer}/me`)).status).toBe(200)

    await proceed.click()
    await page.getByRole("button", { name: "Use new-alice" }).click()
    await page.getByRole("heading", { name: "Connected as new-alice" }).waitFor()
    expect((await more.ended).account?.id).toBe("new-alice")
  })
})
