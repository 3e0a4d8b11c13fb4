// A Nextcloud account by login flow v2: our page waits while the person grants access in a second tab at the server.

import { nextcloudLogin } from "@holdpoint/accounts/providers"
import { person } from "@holdpoint/nextcloud-stand-in"
import { createFakeNextcloud, type FakeNextcloud } from "@holdpoint/testkit/nextcloud/server"
import { verifies } from "@holdpoint/testkit/verifies"
import type { BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { openStage, type Stage } from "./world.ts"

let stage: Stage
let cloud: FakeNextcloud
beforeAll(async () => {
  // The addresses of the stage's identity provider, by which an account is known to be the person's own.
  const users = ["alice", "bob"].map((id) => person(id, { email: `${id}@example.com` }))
  cloud = await createFakeNextcloud({ path: "/cloud", users })
  stage = await openStage({ providers: () => [nextcloudLogin({ server: cloud.url })] })
})
afterAll(async () => {
  await stage.close()
  await cloud.close()
})
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  expect(stage.problems).toEqual([])
})

/** Goes to the waiting page. */
async function wait(subject: string, options: BrowserContextOptions = {}) {
  const call = await stage.call(subject, { provider: "nextcloud", scopes: [] })
  const page = await stage.arriveAs(subject, options)
  await page.goto(call.link)
  const opened = page.context().waitForEvent("page")
  // Without scripts no window opens.
  opened.catch(() => {})
  // Without scripts, the server judges whether a press came too soon.
  stage.pass(1_000)
  await page.getByRole("button", { name: "Continue to Nextcloud" }).click()
  await page.getByRole("heading", { name: "Say yes at Nextcloud" }).waitFor()
  const login = options.javaScriptEnabled === false ? page : await opened
  return { ...call, page, login }
}

/** Grants access at Nextcloud, in the tab that the page's own link opens. */
async function grantAt(page: Page, user: string): Promise<void> {
  const [tab] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: "Open Nextcloud" }).click(),
  ])
  await grantIn(tab, user)
}

async function grantIn(tab: Page, user: string): Promise<void> {
  await tab.getByRole("link", { name: "Log in" }).click()
  const name = tab.getByLabel("Account name")
  const grant = tab.getByRole("button", { name: "Grant access" })
  // An earlier user of this browser may still be signed in.
  await name.or(grant).waitFor()
  if (await name.isVisible()) {
    await name.fill(user)
    await tab.getByLabel("Password").fill(`${user}-Pass-2026`)
    await tab.getByRole("button", { name: "Log in" }).click()
  }
  await grant.click()
  await tab.getByText("Your client should now be connected").waitFor()
  await tab.close()
}

describe("Nextcloud", () => {
  verifies(
    ["consent.login-flow", "page.login-window"],
    "is connected in the window that Continue opens while our page waits, and is disconnected there too",
    async () => {
      const { page, ended, login } = await wait("alice")
      await stage.look(page, "Say yes at Nextcloud")
      expect(cloud.access("alice")).toEqual([])
      await login.getByRole("heading", { name: "Connect to your account" }).waitFor()
      // The provider cannot change the page that opened its window.
      expect(await login.evaluate("window.opener")).toBe(null)
      expect(await login.evaluate("document.referrer")).toBe("")
      await grantIn(login, "alice")
      await stage.look(page, "Connected as Alice Example (alice@")
      const connection = await ended
      expect((await connection.fetch(`${cloud.url}/ocs/v2.php/cloud/user?format=json`)).status).toBe(200)
      expect(cloud.access("alice")).toHaveLength(1)

      await page.getByRole("link", { name: "your account" }).click()
      await stage.look(page, "Account")
      await page.getByText("Disconnect Nextcloud").click()
      await page.getByRole("button", { name: "Yes, disconnect" }).click()
      await page.getByText("Nextcloud was disconnected.").waitFor()
      expect(cloud.access("alice")).toEqual([])
      expect(await page.getByRole("list").first().innerText()).not.toContain("Alice Example")
      await expect(connection.fetch(`${cloud.url}/ocs/v2.php/cloud/user?format=json`)).rejects.toThrow()
    },
  )

  it("is a link on the next page where windows are blocked", async () => {
    const page = await stage.arriveAs("bob")
    await page.addInitScript("window.open = () => null")
    await page.goto((await stage.call("bob", { provider: "nextcloud", scopes: [] })).link)
    await page.getByRole("button", { name: "Continue to Nextcloud" }).click()
    await page.getByRole("link", { name: "Open Nextcloud" }).waitFor()
    await page.getByRole("button", { name: "No, stop this" }).click()
    await page.getByRole("heading", { name: "Not connected" }).waitFor()
    expect(page.context().pages()).toHaveLength(1)
  })

  it("opens no window for a No, and closes the window when the page has an error to show", async () => {
    const call = await stage.call("bob", { provider: "nextcloud", scopes: [] })
    const page = await stage.arriveAs("bob")
    await page.goto(call.link)
    cloud.switches.maintenance = true
    await page.getByRole("button", { name: "Continue to Nextcloud" }).click()
    await page.getByRole("alert").waitFor()
    await expect.poll(() => page.context().pages().length).toBe(1)
    cloud.switches.maintenance = false
    await page.getByRole("button", { name: "No", exact: true }).click()
    await page.getByRole("heading", { name: "Not connected" }).waitFor()
    expect(page.context().pages()).toHaveLength(1)
    await expect(call.ended).rejects.toThrow()
    // The browser logs the status of the failed page, and the operator's report has the cause.
    expect((await stage.leave()).every((words) => words.includes("status of 502"))).toBe(true)
    expect(stage.problems.splice(0).every((words) => words.includes("beginning to connect"))).toBe(true)
  })

  verifies("page.without-scripts", "is connected without scripts, because the page reloads itself", async () => {
    const { page, ended } = await wait("bob", { javaScriptEnabled: false })
    await grantAt(page, "bob")
    await page.getByRole("heading", { name: "Connected as Bob Example (bob@" }).waitFor()
    expect((await ended).account?.id).toBe("bob")
  })

  it("continues to wait when the page is loaded again, and No ends it", async () => {
    const { page, ended, link } = await wait("alice")
    await page.goto(link)
    await page.getByRole("heading", { name: "Say yes at Nextcloud" }).waitFor()
    await page.getByRole("button", { name: "No, stop this" }).click()
    await page.getByRole("heading", { name: "Not connected" }).waitFor()
    await expect(ended).rejects.toThrow()
    expect(cloud.access("alice")).toEqual([])
  })

  it("is requested again when the server revokes the access, and the waiting call continues", async () => {
    const { page, ended } = await wait("alice")
    await grantAt(page, "alice")
    await page.getByRole("heading", { name: "Connected as Alice Example" }).waitFor()
    const connection = await ended
    cloud.world.tokens.clear()
    const later = connection.fetch(`${cloud.url}/ocs/v2.php/cloud/user?format=json`)
    await expect.poll(() => statusOf(connection.id)).toBe("needs_reauth")

    await page.goto(`${stage.server.publicUrl}/account`)
    await page.getByText("needs your consent again").waitFor()
    await stage.look(page, "Account")
    await page.getByRole("button", { name: "Connect again" }).click()
    await page.getByRole("button", { name: "Continue to Nextcloud" }).click()
    await grantAt(page, "alice")
    await page.getByRole("heading", { name: "Connected as Alice Example" }).waitFor()
    expect((await later).status).toBe(200)
    await page.goto(`${stage.server.publicUrl}/account`)
    expect(await page.getByText("needs your consent again").count()).toBe(0)
    const connected = page.getByRole("region", { name: "Connected accounts" })
    expect(await connected.getByRole("listitem").count()).toBe(1)
    // The replaced app password is revoked at the server.
    await expect.poll(() => cloud.access("alice").length).toBe(1)
  })

  const statusOf = async (id: string) => (await stage.server.vault.get(id))?.status
})
