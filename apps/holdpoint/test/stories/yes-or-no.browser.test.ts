// A yes-or-no question in a real browser: each act has a button, Enter alone presses neither, and a No may have a
// reason.

import { choice, form, text } from "@holdpoint/hub"
import { verifies } from "@holdpoint/testkit/verifies"
import type { BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { tabTo } from "./people.ts"
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

const words = { yes: "Delete note", no: "Keep it" }
const edited = form({ confirmed: choice(words), to: text({ title: "To", default: "bob" }) })

async function open(path: "" | "/id", options: BrowserContextOptions = {}) {
  const asked = await stage.server.hub.ask({
    form: path === "" ? form({ confirmed: choice(words) }) : edited,
    message: "Delete “shopping”?",
    audience: stage.person("alice"),
    requester: { id: "notes", name: "Notes" },
  })
  const page = await stage.arriveAs("alice", options)
  await page.goto(`${stage.server.publicUrl}/inbox${path === "" ? "" : `/${asked.id}`}`)
  return { asked, page }
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

describe("a yes-or-no question in the inbox", () => {
  it("is answered by the button that names the act", async () => {
    const { asked, page } = await open("")
    await stage.look(page, "Inbox")
    await press(page, "Delete note")
    expect(await stage.server.hub.wait(asked)).toMatchObject({ content: { confirmed: "yes" } })
  })

  verifies("page.keyboard", "is answered with only the keyboard, with a reason", async () => {
    const { asked, page } = await open("")
    await tabTo(page, "Add a reason to “Keep it”")
    await page.keyboard.press("Enter")
    await tabTo(page, "Reason")
    await page.keyboard.type("Not yet.")
    await tabTo(page, "Keep it")
    await page.keyboard.press("Enter")
    expect(await stage.server.hub.wait(asked)).toMatchObject({ status: "declined", reason: { message: "Not yet." } })
  })
})

async function pressEnterEverywhere(javaScriptEnabled: boolean): Promise<void> {
  const { asked, page } = await open("/id", { javaScriptEnabled })
  if (javaScriptEnabled) await stage.look(page, "Notes asks")
  await page.getByLabel("To").press("Enter")
  await page.getByText("Add a reason to “Keep it”").click()
  await page.getByLabel("Reason").fill("No.")
  await page.getByLabel("Reason").press("Enter")
  stage.pass(1_000)
  await press(page, "Keep it")
  expect(await stage.server.hub.wait(asked)).toMatchObject({ status: "declined", reason: { message: "No." } })
}

describe("Enter in a field beside a yes-or-no question", () => {
  verifies("answer.no-stray-enter", "sends nothing", () => pressEnterEverywhere(true))
  verifies("answer.no-stray-enter", "sends nothing in a browser without scripts", () => pressEnterEverywhere(false))
})
