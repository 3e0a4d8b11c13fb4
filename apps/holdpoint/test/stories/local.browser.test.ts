// Local mode, without sign-in. Opening a link claims nothing, pressing its button does, and the page shows the code.

import { randomBytes } from "node:crypto"
import { paths } from "@holdpoint/hub"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { isCallback } from "../attacks/setup.ts"
import { openStage, type Stage } from "./world.ts"

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ people: { from: "local", user: "ally", secret: randomBytes(32) } })
})
afterAll(() => stage.close())
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  expect(stage.problems).toEqual([])
})

const codeOf = (id: string): string => stage.server.addresses.codeOf(id) ?? ""

describe("on the person's own machine", () => {
  it("the first browser to press the button connects, whatever opened the link before; others are refused", async () => {
    const { id, link, ended } = await stage.call("ally")
    stage.notes.settings.user = "ally-at-notes"
    // An agent or a link preview fetches the link, and another browser opens it.
    expect((await fetch(link)).status).toBe(200)
    const second = await stage.arrive()
    await second.goto(link)
    await second.getByRole("heading", { name: "Connect Example Notes?" }).waitFor()
    const page = await stage.arrive()
    await page.goto(link)
    await stage.look(page, "Connect Example Notes?")
    expect(codeOf(id)).toMatch(/^[A-Z0-9]{3}-[A-Z0-9]{3}$/)
    await page.getByText(codeOf(id), { exact: true }).waitFor()
    await page.getByRole("button", { name: "Continue to Example Notes" }).click()
    await page.getByRole("heading", { name: "Connected as ally-at-notes" }).waitFor()
    expect((await ended).account?.id).toBe("ally-at-notes")
    await page.reload()
    await page.getByRole("heading", { name: "Connected as ally-at-notes" }).waitFor()
    await second.getByRole("button", { name: "Continue to Example Notes" }).click()
    await second.getByRole("heading", { name: "In use in another browser" }).waitFor()
    expect(await second.content()).not.toContain(codeOf(id))
  })

  it("the person cancels a link that another program has claimed, and the next call's link works", async () => {
    const more = { scopes: ["notes.read", "notes.write"] }
    const { link } = await stage.call("ally", more)
    const program = openJarBrowser()
    await program.submit(await program.open(link), { do: "continue" }, { stopAt: isCallback })
    const page = await stage.arrive()
    await page.goto(link)
    await stage.look(page, "In use in another browser")
    await page.getByRole("button", { name: "Cancel it" }).click()
    await stage.look(page, "The question was cancelled")
    const again = await stage.call("ally", more)
    expect(again.link).not.toBe(link)
    await page.goto(again.link)
    await page.getByRole("button", { name: "Continue to Example Notes" }).click()
    await page.getByRole("heading", { name: "Connected as ally-at-notes" }).waitFor()
    expect((await again.ended).account?.id).toBe("ally-at-notes")
  })

  it("pages have no sign-out button", async () => {
    const { link } = await stage.call("ally", { scopes: ["notes.write"] })
    const page = await stage.arrive()
    await page.goto(link)
    await page.getByRole("heading", { name: "Connect Example Notes?" }).waitFor()
    expect(await page.getByRole("button", { name: /sign out/i }).count()).toBe(0)
  })

  it("the first browser with the terminal's key has an inbox and an account page", async () => {
    const { publicUrl, addresses } = stage.server
    const guess = await stage.arrive()
    await guess.goto(`${publicUrl}/inbox`)
    await guess.getByRole("heading", { name: "Open a question by its link" }).waitFor()

    const page = await stage.arrive()
    await page.goto(addresses.home(paths.inbox))
    await stage.look(page, "Inbox")
    expect(await page.getByText(/sign(ed)? (in|out)/i).count()).toBe(0)
    await page.getByRole("link", { name: "Account" }).click()
    await stage.look(page, "Account")
    expect(await page.getByText(/sign(ed)? (in|out)/i).count()).toBe(0)
    await page.getByText("Disconnect Example Notes").click()
    await page.getByRole("button", { name: "Yes, disconnect" }).click()
    await page.getByText("Example Notes was disconnected.").first().waitFor()
    await guess.goto(addresses.home(paths.account))
    await guess.getByRole("heading", { name: "Open a question by its link" }).waitFor()
  })
})

describe("on the person's own machine, with a screen", () => {
  const texts: string[] = []
  let desk: Stage
  beforeAll(async () => {
    const show = async (address: string): Promise<boolean> => texts.push(address) > 0
    desk = await openStage({ people: { from: "local", user: "ally", secret: randomBytes(32), show } })
  })
  afterAll(() => desk.close())

  it("a link is shown in the person's own browser, which later opens links without being asked", async () => {
    const { id, link, ended } = await desk.call("ally")
    desk.notes.settings.user = "ally-at-notes"
    const elsewhere = await desk.arrive()
    await elsewhere.goto(link)
    await desk.look(elsewhere, "Is it you?")
    expect(await elsewhere.getByRole("button").allInnerTexts()).toEqual(["Show it to me"])
    await elsewhere.getByRole("button", { name: "Show it to me" }).click()
    await desk.look(elsewhere, "Continue there")

    const page = await desk.arrive()
    await page.goto(texts[0] ?? "")
    await desk.look(page, "Connect Example Notes?")
    expect(page.url()).toBe(link)
    await page.getByText(desk.server.addresses.codeOf(id) ?? "", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Continue to Example Notes" }).click()
    await page.getByRole("heading", { name: "Connected as ally-at-notes" }).waitFor()
    expect((await ended).account?.id).toBe("ally-at-notes")
    await page.getByRole("link", { name: "your account" }).click()
    await page.getByRole("heading", { name: "Account" }).first().waitFor()

    const more = await desk.call("ally", { scopes: ["notes.read", "notes.write"] })
    await page.goto(more.link)
    await page.getByRole("heading", { name: /Example Notes\?$/ }).waitFor()
    await elsewhere.goto(more.link)
    await elsewhere.getByRole("heading", { name: "Is it you?" }).waitFor()
    expect(await desk.leave()).toEqual([])
    expect(desk.problems).toEqual([])
  })
})
