// The rest of the page “Try it here”: any tool with its arguments, the lines for other clients, and the appearance.

import { openBrowser } from "@holdpoint/testkit/browser"
import { openEverything, scrollsSideways } from "@holdpoint/testkit/in-page"
import { lookAt, picturedIn, sizes, takePicture, triedLooks } from "@holdpoint/testkit/looks"
import { verifies } from "@holdpoint/testkit/verifies"
import type { Browser, Page } from "playwright-core"
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { listNotes, openPanel, type Panel, sayYes, seesNotes, story } from "./panel-world.ts"

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

const { look, connected } = story(() => panel)

const why = '"why":{"type":"string","title":"Why"}'

describe("any tool", () => {
  it("is found by search, called with a form, and asks before it deletes", async () => {
    const newcomer = await connected()
    const { page, stage } = newcomer
    await page.getByText("All tools").click()
    await page.getByLabel("Search").fill("delete note")
    await page.getByRole("button", { name: "Delete a note" }).click()
    await look(page)
    const form = page.locator("#tool-form")
    await form.getByRole("button", { name: "Call" }).click()
    expect(await form.locator("input:invalid").count()).toBe(1)
    await form.getByLabel("note_id").fill("132")
    await form.getByRole("button", { name: "Call" }).click()
    const window = await newcomer.openPrompt()
    await window.getByRole("button", { name: "Allow" }).click()
    const card = stage.getByRole("group", { name: "The server asks you" })
    await card.getByText("Delete the note “Wi-Fi at the cottage”?").waitFor()
    await look(page)
    expect(await card.getByRole("button").allInnerTexts()).toEqual(["Delete note", "Keep it"])
    await card.getByRole("button", { name: "Keep it" }).click()
    await stage.getByText(/said no/).waitFor()
    await stage.getByRole("button", { name: "Try again" }).click()
    await card.getByRole("button", { name: "Delete note" }).click()
    await stage.getByRole("heading", { name: "done" }).waitFor()
    await listNotes(newcomer)
    await seesNotes(newcomer)
    expect(await stage.getByRole("cell", { name: "Wi-Fi at the cottage" }).count()).toBe(0)
  })

  verifies("answer.no-stray-enter", "is not approved by Enter, neither on arrival nor in a field", async () => {
    const newcomer = await connected("2026-07-28", "both")
    const { page, stage } = newcomer
    // The server asks for a text in addition to the decision.
    const sent: string[] = []
    await page.route("**/try/mcp", async (route) => {
      sent.push(route.request().postData() ?? "")
      const response = await route.fetch()
      const changed = (await response.text()).replace('"properties":{"confirmed"', `"properties":{${why},"confirmed"`)
      await route.fulfill({ response, body: changed })
    })
    await page.getByText("All tools").click()
    await page.getByLabel("Search").fill("nc_notes_delete_note")
    await page.locator("#tool-list button").first().click()
    await page.locator("#tool-form").getByLabel("note_id").fill("132")
    await page.locator("#tool-form").getByRole("button", { name: "Call" }).click()
    const window = await newcomer.openPrompt()
    await window.getByRole("button", { name: "Allow" }).click()
    const card = stage.getByRole("group", { name: "The server asks you" })
    await card.getByLabel("Why").waitFor()
    await page.keyboard.press("Enter")
    await card.getByLabel("Why").fill("x")
    await card.getByLabel("Why").press("Enter")
    await card.getByRole("button", { name: "Keep it" }).click()
    await stage.getByText(/said no/).waitFor()
    expect(sent.filter((body) => body.includes('"confirmed"'))).toEqual([])
  })

  it("is listed before any call, after a sign-in", async () => {
    const newcomer = await panel.visit()
    const { page, stage } = newcomer
    await page.getByText("All tools").click()
    await page.locator("#tools").getByRole("button", { name: "Sign in" }).click()
    await stage.locator(".call-head").getByRole("button", { name: "Cancel" }).click()
    await stage.getByRole("heading", { name: "Cancelled" }).waitFor()
    await page.locator("#tools").getByRole("button", { name: "Sign in" }).click()
    await newcomer.signIn()
    await stage.getByRole("heading", { name: "the tools are listed" }).waitFor()
    expect(await page.locator("#tool-list h4").allInnerTexts()).toEqual(expect.arrayContaining(["notes", "calendar"]))
  })

  it("has a form that follows its schema: numbers, booleans, lines, and JSON", async () => {
    const newcomer = await connected()
    const { page, stage } = newcomer
    await page.getByText("All tools").click()
    const form = page.locator("#tool-form")
    const choose = async (name: string): Promise<void> => {
      await page.getByLabel("Search").fill(name)
      await page.locator("#tool-list button").first().click()
      await form.getByText(name).waitFor()
    }
    const sent = async (): Promise<unknown> => {
      const [request] = await Promise.all([
        page.waitForRequest((one) => one.postData()?.includes('"tools/call"') ?? false),
        form.getByRole("button", { name: "Call" }).click(),
      ])
      return JSON.parse(request.postData() ?? "{}").params.arguments
    }
    await choose("nc_notes_create_note")
    await form.getByLabel("title").fill("Fresh")
    await form.getByLabel("content").fill("# Fresh")
    await form.getByRole("radiogroup", { name: "favorite" }).getByLabel("No", { exact: true }).check()
    expect(await sent()).toEqual({ title: "Fresh", content: "# Fresh", favorite: false })
    await choose("nc_tables_insert_row")
    await form.getByLabel("table_id").fill("1")
    await form.getByLabel("values").fill("{ no JSON")
    await form.getByRole("button", { name: "Call" }).click()
    expect(await form.locator("textarea:invalid").count()).toBe(1)
    await form.getByLabel("values").fill('{ "Title": "One" }')
    expect(await sent()).toEqual({ table_id: 1, values: { Title: "One" } })
    await choose("nc_calendar_find_availability")
    await form.getByLabel("attendees").fill("bob@example.org\n\ncarol@example.org")
    await form.getByLabel("duration_minutes").fill("30")
    await form.getByLabel("timezone").fill("Europe/Zurich")
    const attendees = ["bob@example.org", "carol@example.org"]
    expect(await sent()).toEqual({ attendees, duration_minutes: 30, timezone: "Europe/Zurich", limit: 50 })
    await stage.locator(".call-head").getByRole("button", { name: "Cancel" }).click()
  })

  it("starts a new session when the server has forgotten the old one", async () => {
    const newcomer = await connected("2025-11-25")
    const { page, stage } = newcomer
    await page.route("**/try/mcp", (route) => route.fulfill({ status: 404, body: "{}" }), { times: 1 })
    await listNotes(newcomer)
    await stage.getByRole("heading", { name: "That did not work" }).waitFor()
    await stage.getByRole("button", { name: "Try again" }).click()
    await seesNotes(newcomer)
  })

  it("that returns a picture shows it", async () => {
    const newcomer = await connected()
    const { page, stage } = newcomer
    await page.getByText("All tools").click()
    await page.getByLabel("Search").fill("read file")
    await page.locator("#tool-list button").first().click()
    await page.locator("#tool-form").getByLabel("path").fill("Photos/Sunset.png")
    await page.locator("#tool-form").getByRole("button", { name: "Call" }).click()
    await sayMore(await newcomer.openPrompt())
    await stage.getByRole("img").waitFor()
  })
})

async function sayMore(window: Page): Promise<void> {
  await window.getByRole("button", { name: "Allow" }).click()
}

describe("the lines for other clients", () => {
  it("are copied, each by a button", async () => {
    const { page } = await panel.visit({ permissions: ["clipboard-read", "clipboard-write"] })
    await page.getByRole("button", { name: "Copy the line for Codex" }).click()
    await page.getByRole("button", { name: "Copy the line for Codex" }).getByText("Copied").waitFor()
    const copied = await page.evaluate("navigator.clipboard.readText()")
    expect(copied).toBe(`codex mcp add nextcloud --url ${panel.demo.mcpUrl}`)
  })
})

describe("the pictures", () => {
  const screens = { ...sizes, desktop: { width: 1280, height: 900 } }

  it("of the page, its prompt and its result have no accessibility errors, light and dark, small and large", async () => {
    const newcomer = await panel.visit()
    const { page } = newcomer
    const see = async (name: string): Promise<void> => {
      for (const at of triedLooks) {
        await lookAt(page, at, screens)
        await look(page)
        expect(await page.evaluate(scrollsSideways), name).toBe(false)
        const isPictured = picturedIn(name).includes(at)
        if (isPictured) await takePicture(page, { name, look: at, below: 80_000, fullPage: name === "try" })
      }
    }
    await see("try")
    await listNotes(newcomer)
    await newcomer.signIn()
    await newcomer.stage.getByText("to read your notes").waitFor()
    await see("try-prompt")
    await sayYes(await newcomer.openPrompt())
    await seesNotes(newcomer)
    await see("try-result")
    await page.getByText("All tools").click()
    await page.getByLabel("Search").fill("note")
    await page.getByRole("button", { name: "Write a new note" }).click()
    await see("try-tools")
    await page.evaluate(openEverything)
    for (const at of triedLooks) {
      await lookAt(page, at, screens)
      await look(page)
      expect(await page.evaluate(scrollsSideways)).toBe(false)
    }
  })
})
