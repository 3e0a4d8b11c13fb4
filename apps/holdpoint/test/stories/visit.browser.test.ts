// A third-party page in a real browser: one link, our page that names its host, one yes, and the asker's report that it
// is done.

import { visitDraft } from "@holdpoint/server/http"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Site, startSite } from "../attacks/setup.ts"
import { pressSignIn, tabTo } from "./people.ts"
import { openStage, type Stage } from "./world.ts"

let stage: Stage
/** The shop, on another site. */
let shop: Site
const referrers: (string | undefined)[] = []
beforeAll(async () => {
  shop = await startSite((request, response) => {
    if (request.url?.startsWith("/pay") === true) referrers.push(request.headers.referer)
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
    response.end("<!doctype html><html lang=en><title>Shop</title><h1>Pay here</h1>")
  })
  stage = await openStage()
})
afterAll(async () => {
  await stage.close()
  await shop.close()
})
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  expect(stage.problems).toEqual([])
  expect(referrers.splice(0).filter((referrer) => referrer !== undefined)).toEqual([])
})

async function ask(key: string) {
  const { hub, addresses, publicUrl } = stage.server
  const asked = {
    message: "The hotel wants a deposit of 180 €.",
    address: `${shop.url}/pay?invoice=${key}`,
    audience: stage.person("alice"),
    requester: { id: "invoices", name: "Invoice robot" },
  }
  const { id } = await hub.ask(visitDraft({ ...asked, key }, addresses))
  return { id, address: asked.address, link: `${publicUrl}/visit/${id}`, ended: hub.wait(id) }
}

const host = (): string => new URL(shop.url).host

describe("with only the keyboard", () => {
  verifies(
    ["page.visit", "page.visit-confirmed-by-asker", "page.keyboard"],
    "alice sees where the link leads, goes there and comes back, and her page says when it is done",
    async () => {
      const { id, link, address, ended } = await ask("keyboard")
      const page = await stage.arrive()
      await page.goto(link)
      await stage.look(page, "Sign in to try it out")
      await pressSignIn(page, "alice")
      await stage.look(page, `Open ${host()}?`)
      const words = await page.getByRole("main").innerText()
      for (const part of ["Invoice robot asks", "180 €", address, "is not part of this server", "your own machine"])
        expect(words).toContain(part)
      await tabTo(page, `Open ${host()}`)
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Pay here" }).waitFor()
      expect(page.url()).toBe(address)
      expect((await stage.server.hub.get(id))?.status).toBe("accepted")

      await page.goto(link)
      await stage.look(page, `Finish it at ${host()}`)
      await tabTo(page, "Open it again")
      const [again] = await Promise.all([page.waitForEvent("popup"), page.keyboard.press("Enter")])
      await again.getByRole("heading", { name: "Pay here" }).waitFor()
      expect(await again.evaluate("window.opener")).toBeNull()
      await stage.server.hub.complete(id)
      await stage.look(page, "It is done")
      expect(await ended).toEqual({ status: "completed" })
    },
  )

  it("alice declines, and the address is not opened", async () => {
    const { link, ended } = await ask("no")
    const page = await stage.arriveAs("alice")
    await page.goto(link)
    await page.getByRole("heading", { name: `Open ${host()}?` }).waitFor()
    await tabTo(page, "No")
    await page.keyboard.press("Enter")
    await stage.look(page, "You said no")
    expect((await ended).status).toBe("declined")
    expect(shop.asked.filter((line) => line.includes("invoice=no"))).toEqual([])
  })
})

describe("from the inbox", () => {
  verifies(
    ["page.visit-out-of-the-question", "page.inbox-follows"],
    "its window opens the asker's page, which cannot reach back, and the inbox shows the end",
    async () => {
      const { id, address } = await ask("inbox")
      const page = await stage.arriveAs("alice")
      await page.goto(`${stage.server.publicUrl}/inbox`)
      const review = page.locator(`[data-popup="${id}"]`)
      const [popup] = await Promise.all([page.waitForEvent("popup"), review.click()])
      await popup.getByRole("button", { name: `Open ${host()}` }).click()
      await popup.getByRole("heading", { name: "Pay here" }).waitFor()
      expect(popup.url()).toBe(address)
      expect(await popup.evaluate("[window.opener, document.referrer]")).toEqual([null, ""])
      await stage.server.hub.complete(id)
      await page.locator(`[data-question="${id}"]`).waitFor({ state: "detached" })
    },
  )
})

describe("without scripts", () => {
  verifies(
    "page.without-scripts",
    "alice opens the address, and the page shows the outcome after it refreshes itself",
    async () => {
      const { id, link, address } = await ask("scriptless")
      const page = await stage.arriveAs("alice", { javaScriptEnabled: false })
      await page.goto(link)
      stage.pass(1_000)
      await page.getByRole("button", { name: `Open ${host()}` }).click()
      await page.waitForURL(address)
      await page.goto(link)
      expect(await page.locator('meta[http-equiv="refresh"]').getAttribute("content")).toBe("5")
      await stage.server.hub.fail(id, { code: "page_failed", message: "No money." })
      // The page refreshes by itself.
      await page.getByRole("heading", { name: "This did not work" }).waitFor()
      expect(await page.getByRole("main").innerText()).toContain("“No money.”")
    },
  )
})
