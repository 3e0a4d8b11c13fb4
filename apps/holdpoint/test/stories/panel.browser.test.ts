// “Try it here”: what a newcomer without any MCP client sees, in a real browser, from the page to the result.

import { openBrowser } from "@holdpoint/testkit/browser"
import type { Browser, Page } from "playwright-core"
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { listNotes, type Newcomer, openPanel, type Panel, sayYes, seesNotes, story } from "./panel-world.ts"
import { pressSignIn, tabTo, withWitness } from "./people.ts"

let browser: Browser
let panel: Panel

beforeAll(async () => {
  browser = await openBrowser()
})
beforeEach(async () => {
  panel = await openPanel(browser)
})
afterEach(async () => {
  expect(await panel.leave()).toEqual([])
  expect(panel.problems).toEqual([])
  await panel.close()
})

const { look, arriveAtPrompt, connected } = story(() => panel)

describe("a newcomer lists their notes", () => {
  const asked = [
    { revision: "2026-07-28", declares: "both", wire: "result of tools/call · input_required" },
    { revision: "2025-11-25", declares: "both", wire: "elicitation/create" },
    { revision: "2025-11-25", declares: "later", wire: "error -32042 to tools/call" },
  ]
  it.each(asked)("on $revision ($declares): by prompt and popup, with the original call's result", async (row) => {
    const newcomer = await panel.visit()
    const { page, stage } = newcomer
    await newcomer.play(row.revision, row.declares)
    await listNotes(newcomer)
    await stage.getByRole("group", { name: "Sign in first" }).waitFor()
    await look(page)
    await newcomer.signIn()
    await stage.getByText("to read your notes").waitFor()
    expect(await stage.getByRole("group").innerText()).toContain(new URL(panel.demo.server.publicUrl).host)
    await look(page)
    const window = await newcomer.openPrompt()
    const closed = window.waitForEvent("close")
    await sayYes(window)
    await seesNotes(newcomer)
    await closed
    await look(page)
    await page.getByText("Messages on the wire").click()
    const log = await page.locator("#log-lines").innerText()
    expect(log).toContain("401: not signed in")
    expect(log).toContain(row.wire)
    expect(await page.getByText("Signed in as alice").isVisible()).toBe(true)
  })

  const byForm = [
    { revision: "2026-07-28", declares: "forms" },
    { revision: "2025-11-25", declares: "forms" },
    { revision: "2025-06-18", declares: undefined },
  ]
  it.each(byForm)("on $revision with only forms: by the address in the message, and a Yes", async (row) => {
    const newcomer = await arriveAtPrompt(row.revision, row.declares)
    const { stage } = newcomer
    const form = stage.getByRole("group", { name: "The server asks you" })
    await look(newcomer.page)
    const window = await newcomer.popup(() => form.getByRole("link").click())
    await form.getByRole("button", { name: "Yes", exact: true }).click()
    await sayYes(window)
    await seesNotes(newcomer)
  })

  it("as a client that cannot be asked: by a link in the result, and Try again without a notice", async () => {
    const newcomer = await arriveAtPrompt("none")
    const { page, stage } = newcomer
    const card = stage.getByRole("group", { name: "The server answered with a link" })
    const link = (await card.locator("code").innerText()).trim()
    // Opens the page in a tab that cannot report to the panel.
    const tab = await page.context().newPage()
    await tab.goto(link)
    await sayYes(tab)
    await tab.getByRole("heading", { name: "Connected as Alice Example" }).waitFor()
    expect(await card.isVisible()).toBe(true)
    await stage.getByRole("button", { name: "Try again" }).click()
    await seesNotes(newcomer)
  })

  it("without a question the next time; another person is asked", async () => {
    const newcomer = await connected()
    await listNotes(newcomer)
    await seesNotes(newcomer)
    expect(await newcomer.stage.locator(".prompt").count()).toBe(0)
    const { page } = newcomer
    await page.goto(`${panel.demo.server.publicUrl}/account`)
    await page.getByRole("button", { name: "Sign out" }).first().click()
    await page.goto(`${panel.demo.server.publicUrl}/try`)
    await listNotes(newcomer)
    await newcomer.signIn("bob")
    await newcomer.stage.getByText("to read your notes").waitFor()
  })

  it("without a question after a restart", async () => {
    const newcomer = await connected()
    await panel.restart()
    await newcomer.page.reload()
    await listNotes(newcomer)
    await seesNotes(newcomer)
    expect(await newcomer.stage.locator(".prompt").count()).toBe(0)
  })
})

describe("Cancel and Try again are available", () => {
  it("before signing in: nothing is called, and trying again asks again", async () => {
    const newcomer = await panel.visit()
    const { stage } = newcomer
    await listNotes(newcomer)
    const card = stage.getByRole("group", { name: "Sign in first" })
    await card.getByRole("button", { name: "Cancel" }).click()
    await stage.getByText("You did not sign in").waitFor()
    await stage.getByRole("button", { name: "Try again" }).click()
    await card.waitFor()
    await stage.locator(".call-head").getByRole("button", { name: "Cancel" }).click()
    await stage.getByRole("heading", { name: "Cancelled" }).waitFor()
  })

  it("at the prompt: Decline and Cancel end the call with a message", async () => {
    const newcomer = await arriveAtPrompt()
    const { stage } = newcomer
    await stage.getByRole("group").getByRole("button", { name: "Decline" }).click()
    await stage.getByRole("heading", { name: "The tool failed" }).waitFor()
    expect(await stage.innerText()).toMatch(/said no/)
    await stage.getByRole("button", { name: "Try again" }).click()
    await stage.getByRole("group").getByRole("button", { name: "Cancel" }).click()
    await stage.getByRole("heading", { name: "The tool failed" }).waitFor()
    await look(newcomer.page)
  })

  it("while the page is open: Cancel ends the call, and Try again continues with the same consent", async () => {
    const newcomer = await arriveAtPrompt("2025-11-25", "both")
    const { stage } = newcomer
    const card = stage.getByRole("group", { name: "asks you to open a page" })
    const first = await newcomer.openPrompt()
    await first.getByRole("heading", { name: "Connect Nextcloud" }).waitFor()
    await card.getByRole("button", { name: "Cancel" }).click()
    await stage.getByRole("heading", { name: "Cancelled" }).waitFor()
    expect(first.isClosed()).toBe(true)
    await stage.getByRole("button", { name: "Try again" }).click()
    await sayYes(await newcomer.openPrompt())
    await seesNotes(newcomer)
  })

  it("when the consent is declined on the page: the tool says so, and can be called again", async () => {
    const newcomer = await arriveAtPrompt()
    const window = await newcomer.openPrompt()
    await window.getByRole("button", { name: "No", exact: true }).click()
    await newcomer.stage.getByRole("heading", { name: "The tool failed" }).waitFor()
    expect(await newcomer.stage.innerText()).toMatch(/said no/)
    await newcomer.stage.getByRole("button", { name: "Try again" }).click()
    await sayYes(await newcomer.openPrompt())
    await seesNotes(newcomer)
  })
})

describe("with only a keyboard", () => {
  it("a person calls a tool, signs in, consents and reads the result", async () => {
    const newcomer = await panel.visit()
    await withWitness(newcomer.page.context(), () => byKeyboard(newcomer))
  })

  async function byKeyboard(newcomer: Newcomer): Promise<void> {
    const { page, stage } = newcomer
    const press = async (at: Page, words: string): Promise<void> => {
      await tabTo(at, words)
      await at.keyboard.press("Enter")
    }
    await press(page, "List my notes")
    await stage.getByRole("group").waitFor()
    // Moves on from the prompt's heading, which has the focus.
    await page.keyboard.press("Tab")
    const signIn = await newcomer.popup(() => press(page, "Sign in"))
    await pressSignIn(signIn, "alice")
    await stage.getByText("to read your notes").waitFor()
    const window = await newcomer.popup(() => press(page, "Open the page"))
    await window.getByRole("button", { name: "Continue to" }).waitFor()
    const [cloud] = await Promise.all([page.context().waitForEvent("page"), press(window, "Continue to")])
    await cloud.getByRole("button", { name: "Grant access as alice" }).waitFor()
    await press(cloud, "Grant access as alice")
    await seesNotes(newcomer)
    await press(page, "As JSON")
    expect(await stage.locator("pre").isVisible()).toBe(true)
  }
})
