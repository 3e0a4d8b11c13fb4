// The stand-in's pages in a real browser, on a phone, light and dark: a person gets through without obstacles.

import { complaintsOn } from "@holdpoint/testkit/axe"
import { openBrowser } from "@holdpoint/testkit/browser"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { scrollsSideways } from "@holdpoint/testkit/in-page"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type RunningStandIn, startStandIn } from "../src/index.ts"

let browser: Browser
let cloud: RunningStandIn
beforeAll(async () => {
  browser = await openBrowser()
  cloud = await startStandIn({ path: "/cloud", hints: true, onSecret: ({ kind, value }) => noteCanary(kind, value) })
})
afterAll(async () => {
  await cloud.close()
})

async function look(page: Page, heading: string): Promise<void> {
  await page.getByRole("heading", { name: heading }).waitFor()
  expect(await complaintsOn(page)).toEqual([])
  expect(await page.evaluate(scrollsSideways)).toBe(false)
}

it.each(["light", "dark"] as const)("login flow v2 works on a phone in %s mode", async (colorScheme) => {
  const answer = await fetch(`${cloud.url}/index.php/login/v2`, {
    method: "POST",
    headers: { "user-agent": `Holdpoint-with-a-name-that-does-not-end-${"x".repeat(60)}` },
  })
  const { login } = (await answer.json()) as { login: string }
  const context = await browser.newContext({ colorScheme, viewport: { width: 320, height: 640 } })
  const page = await context.newPage()
  await page.goto(login)
  await look(page, "Connect to your account")
  await page.getByRole("link", { name: "Log in" }).click()
  await look(page, "Login – Nextcloud")
  await page.getByLabel("Account name").fill("bob")
  await page.getByLabel("Password").fill("wrong")
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("alert").waitFor()
  await look(page, "Login – Nextcloud")
  expect(await page.getByLabel("Account name").inputValue()).toBe("bob")
  await page.getByLabel("Password").fill("bob-Pass-2026")
  await page.keyboard.press("Enter")
  await look(page, "Account access")
  await page.getByRole("button", { name: "Grant access" }).click()
  await look(page, "Account connected")
  await context.close()
  expect(cloud.access("bob").at(-1)?.name).toContain("Holdpoint")
})
