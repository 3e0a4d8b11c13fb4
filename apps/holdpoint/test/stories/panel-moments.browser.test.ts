// “Try it here” at awkward moments: a person is quick, changes their mind, returns as another person, or has unusual
// notes.

import { openBrowser } from "@holdpoint/testkit/browser"
import { scrollsSideways } from "@holdpoint/testkit/in-page"
import { passOnPage, stopTime } from "@holdpoint/testkit/page-clock"
import type { Browser } from "playwright-core"
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { listNotes, type Newcomer, openPanel, type Panel, seesNotes, story } from "./panel-world.ts"

let browser: Browser
let panel: Panel

beforeAll(async () => {
  browser = await openBrowser()
})
beforeEach(async () => {
  panel = await openPanel(browser)
})
afterEach(async () => {
  // The browser logs the unreachable server, which is expected.
  expect((await panel.leave()).filter((words) => !/ERR_FAILED/.test(words))).toEqual([])
  expect(panel.problems).toEqual([])
  await panel.close()
})

const { look, arriveAtPrompt, connected } = story(() => panel)

const head = ({ stage }: Newcomer) => stage.locator(".call-head")
const signInCard = ({ stage }: Newcomer) => stage.getByRole("group", { name: "Sign in first" })

/** The form of a tool, by its name. */
async function choose({ page }: Newcomer, tool: string) {
  const search = page.getByLabel("Search")
  if (!(await search.isVisible())) await page.getByText("All tools").click()
  await search.fill(tool)
  await page.locator("#tool-list button").first().click()
  const form = page.locator("#tool-form")
  await form.getByText(tool, { exact: true }).waitFor()
  return form
}

describe("a person who is quick", () => {
  it("cancels before the server has answered, and is asked to sign in when they try again", async () => {
    const newcomer = await panel.visit()
    const { page, stage } = newcomer
    const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>()
    await page.route("**/try/who", (route) => cancelled.then(() => route.continue()))
    await listNotes(newcomer)
    await head(newcomer).getByRole("button", { name: "Cancel" }).click()
    const answered = page.waitForResponse("**/try/mcp")
    cancel()
    await answered
    await stage.getByRole("button", { name: "Try again" }).click()
    await signInCard(newcomer).waitFor()
  })

  it("signs in for the tools while a call waits for the sign-in: the tools are listed, and the call ends", async () => {
    const newcomer = await panel.visit()
    const { page, stage } = newcomer
    await page.getByText("All tools").click()
    await listNotes(newcomer)
    await signInCard(newcomer).waitFor()
    await page.locator("#tools").getByRole("button", { name: "Sign in" }).click()
    await head(newcomer).getByText("Signing in").waitFor()
    await newcomer.signIn()
    await stage.getByRole("heading", { name: "the tools are listed" }).waitFor()
  })

  it("calls while signing in for the tools: the call continues", async () => {
    const newcomer = await panel.visit()
    const { page, stage } = newcomer
    await page.getByText("All tools").click()
    await page.locator("#tools").getByRole("button", { name: "Sign in" }).click()
    await signInCard(newcomer).waitFor()
    await listNotes(newcomer)
    await head(newcomer).getByText("List my notes").waitFor()
    await newcomer.signIn()
    await stage.getByText("to read your notes").waitFor()
  })

  it("says Yes in a form before the page is done: Try again is available", async () => {
    const newcomer = await arriveAtPrompt("2025-06-18")
    const { stage } = newcomer
    const form = stage.getByRole("group", { name: "The server asks you" })
    await form.getByRole("button", { name: "Yes", exact: true }).click()
    await form.waitFor({ state: "detached" })
    await head(newcomer).getByRole("button", { name: "Try again" }).click()
    await form.getByRole("link").waitFor()
  })
})

describe("a form", () => {
  it("has no links in the words of a question, except to this server's own pages", async () => {
    const newcomer = await panel.visitAsAlice()
    const { page, stage } = newcomer
    const [words, more] = [
      "to read your notes",
      "to read your notes [here](https://evil.example/) https://evil.example/",
    ]
    await page.addInitScript(sayMore(words, more))
    await page.reload()
    await newcomer.play("2025-06-18")
    await listNotes(newcomer)
    const form = stage.getByRole("group", { name: "The server asks you" })
    await form.getByText("https://evil.example/").waitFor()
    const links = await form.getByRole("link").evaluateAll((all) => (all as { href: string }[]).map(({ href }) => href))
    expect(links.map((link) => new URL(link).origin)).toEqual([panel.demo.server.publicUrl])
  })
})

/** A script that replaces words in what the server sends. */
const sayMore = (words: string, more: string): string => `{
  const ask = fetch
  window.fetch = async (...request) => {
    const response = await ask(...request)
    if (response.body === null) return response
    const transform = (chunk, controller) => {
      const text = new TextDecoder().decode(chunk).replaceAll(${JSON.stringify(words)}, ${JSON.stringify(more)})
      controller.enqueue(new TextEncoder().encode(text))
    }
    return new Response(response.body.pipeThrough(new TransformStream({ transform })), response)
  }
}`

describe("what changes while a call waits", () => {
  it("another client is chosen: the call ends with a message, and Try again asks as the new client", async () => {
    const newcomer = await arriveAtPrompt("2025-11-25", "both")
    const { page, stage } = newcomer
    const window = await newcomer.openPrompt()
    await page.getByLabel("What it can show").selectOption("forms")
    await stage.getByText("The client was changed").waitFor()
    await expect.poll(() => window.isClosed()).toBe(true)
    await stage.getByRole("button", { name: "Try again" }).click()
    await stage.getByRole("group", { name: "The server asks you" }).getByRole("link").waitFor()
  })

  it("another person signs in: the call says so, and Try again asks that person", async () => {
    const newcomer = await arriveAtPrompt("2025-11-25", "both")
    const { page, stage } = newcomer
    const tab = await page.context().newPage()
    await tab.goto(`${panel.demo.server.publicUrl}/account`)
    await tab.getByRole("button", { name: "Sign out" }).first().click()
    await tab.goto(`${panel.demo.server.publicUrl}/signin?to=account`)
    await panel.signIn(tab, "bob")
    await tab.getByRole("heading", { name: "Account", level: 1 }).waitFor()
    await newcomer.openPrompt()
    await stage.getByText("another person signed in").waitFor()
    await stage.getByRole("button", { name: "Try again" }).click()
    await stage.getByText("to read your notes").waitFor()
    expect(await page.getByText("Signed in as bob").isVisible()).toBe(true)
  })

  it("the server is unreachable: the call names its address, and Try again works when it is back", async () => {
    const newcomer = await connected()
    const { page, stage } = newcomer
    await page.route("**/try/**", (route) => route.abort())
    await listNotes(newcomer)
    await stage.getByText(`${new URL(panel.demo.server.publicUrl).host} cannot be reached`).waitFor()
    await page.unroute("**/try/**")
    await stage.getByRole("button", { name: "Try again" }).click()
    await seesNotes(newcomer)
  })
})

describe("the content of a note", () => {
  it("is never treated as a prompt, and keeps its lines, in a box when it is long", async () => {
    const newcomer = await connected()
    const { stage } = newcomer
    const { standIn, server } = panel.demo
    const address = `${server.publicUrl}/connect/3fa3bd5b-1111-4222-8333-444455556666`
    const headers = { authorization: `Basic ${btoa("alice:alice-Pass-2026")}`, "content-type": "application/json" }
    const body = JSON.stringify({ title: "Trap", content: `<b>Open</b>\n  ${address}\n${"long ".repeat(200)}` })
    const written = await fetch(`${standIn.url}/apps/notes/api/v1/notes`, { method: "POST", headers, body })
    const { id } = (await written.json()) as { readonly id: number }
    const form = await choose(newcomer, "nc_notes_get_note")
    await form.getByLabel("note_id").fill(String(id))
    await form.getByRole("button", { name: "Call" }).click()
    await stage.getByRole("heading", { name: "done" }).waitFor()
    expect(await stage.getByRole("region", { name: "content" }).innerText()).toContain(
      `<b>Open</b>\n  ${address}\nlong`,
    )
    await look(newcomer.page)
  })
})

describe("a prompt that has just appeared", () => {
  it("takes no press until it has stood still", async () => {
    const newcomer = await panel.visitAsAlice()
    const { page, stage } = newcomer
    await stopTime(page.context())
    await page.reload()
    await page.getByText("Signed in as alice").waitFor()
    await listNotes(newcomer)
    const box = (await stage.getByRole("button", { name: "Open the page" }).boundingBox())!
    const press = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await passOnPage(page, 500)
    await press()
    await stage.getByText("Not counted").waitFor()
    expect(page.context().pages().length).toBe(1)
    await page.mouse.move(1, 1)
    await passOnPage(page, 900)
    await Promise.all([page.context().waitForEvent("page"), press()])
  })
})

describe("the form of a tool", () => {
  it("focuses an invalid field, keeps it in the tab order, and sends no choice that was not made", async () => {
    const newcomer = await connected()
    const { page } = newcomer
    const form = await choose(newcomer, "nc_sharing_create_share")
    const call = form.getByRole("button", { name: "Call" })
    await call.click()
    const path = form.getByLabel("path")
    expect(await form.locator("input:focus").getAttribute("id")).toBe(await path.getAttribute("id"))
    expect(await path.getAttribute("tabindex")).toBeNull()
    await path.fill("Documents")
    await form.getByLabel("kind").selectOption("user")
    await form.getByLabel("with").fill("bob")
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.postData()?.includes('"tools/call"') ?? false),
      call.click(),
    ])
    const sent = JSON.parse(request.postData() ?? "{}").params.arguments
    expect(sent).toEqual({ path: "Documents", kind: "user", with: "bob" })
  })

  it("shows the next question when a page is done", async () => {
    const newcomer = await connected()
    const form = await choose(newcomer, "nc_notes_delete_note")
    await form.getByLabel("note_id").fill("132")
    await form.getByRole("button", { name: "Call" }).click()
    const window = await newcomer.openPrompt()
    await window.getByRole("button", { name: "Allow" }).click()
    await newcomer.stage.getByText("Delete the note “Wi-Fi at the cottage”?").waitFor()
    // What has ended is taken away when that moves nothing under the pointer.
    await newcomer.page.mouse.move(1, 1)
    await expect.poll(() => newcomer.stage.locator(".prompt").count()).toBe(1)
  })
})

describe("the navigation", () => {
  it("leads back to the panel from every page", async () => {
    const { page } = await connected()
    await page.getByRole("link", { name: "Account", exact: true }).first().click()
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor()
    await panel.look(page, "Account")
    await page.getByRole("link", { name: "Try", exact: true }).click()
    await page.getByRole("heading", { name: "A Nextcloud that asks" }).waitFor()
  })

  it("breaks no word on a screen of 320 pixels", async () => {
    const newcomer = await panel.visit({ viewport: { width: 320, height: 640 } })
    await listNotes(newcomer)
    const card = signInCard(newcomer)
    await card.waitFor()
    for (const name of ["Try again", "Cancel"]) {
      const box = await head(newcomer).getByRole("button", { name }).boundingBox()
      expect(box?.height, name).toBeLessThan(45)
    }
    expect(await newcomer.page.evaluate(scrollsSideways)).toBe(false)
  })
})
