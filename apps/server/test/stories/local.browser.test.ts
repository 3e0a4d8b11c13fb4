// Local mode: nobody signs in. The first browser that opens the link has it, and shows the code of the terminal.

import { randomBytes } from "node:crypto"
import { paths } from "@holdpoint/sdk"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
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

describe("on one's own machine", () => {
  it("the first browser claims the link and connects, and a second one is refused before and after", async () => {
    const { id, link, ended } = await stage.call("ally")
    stage.notes.settings.user = "ally-at-notes"
    const page = await stage.arrive()
    await page.goto(link)
    await stage.look(page, "Connect Example Notes?")
    expect(codeOf(id)).toMatch(/^[A-Z0-9]{3}-[A-Z0-9]{3}$/)
    await page.getByText(codeOf(id), { exact: true }).waitFor()
    const second = await stage.arrive()
    await second.goto(link)
    await stage.look(second, "This link cannot be used")
    expect(await second.content()).not.toContain(codeOf(id))

    await page.getByRole("button", { name: "Continue to Example Notes" }).click()
    await page.getByRole("heading", { name: "Connected as ally-at-notes" }).waitFor()
    expect((await ended).account?.id).toBe("ally-at-notes")
    await page.reload()
    await page.getByRole("heading", { name: "Connected as ally-at-notes" }).waitFor()
    await second.reload()
    await second.getByRole("heading", { name: "This link cannot be used" }).waitFor()
  })

  it("offers nobody to sign out where nobody signs in", async () => {
    const { link } = await stage.call("ally", { scopes: ["notes.write"] })
    const page = await stage.arrive()
    await page.goto(link)
    await page.getByRole("heading", { name: "Connect Example Notes?" }).waitFor()
    expect(await page.getByRole("button", { name: /sign out/i }).count()).toBe(0)
  })

  it("has an inbox and an account page for the browser that comes first with the key of the terminal", async () => {
    const { publicUrl, addresses } = stage.server
    const guess = await stage.arrive()
    await guess.goto(`${publicUrl}/inbox`)
    await guess.getByRole("heading", { name: "This link cannot be used" }).waitFor()

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
    await guess.getByRole("heading", { name: "This link cannot be used" }).waitFor()
  })
})
