// Keys and passwords, entered on our page: a wrong one is reported beside its field, a right one is stored and never
// shown.

import { apiKey, basic } from "@holdpoint/accounts/providers"
import { whereFocusIs } from "@holdpoint/testkit/server/web/in-page"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Site, startSite } from "../attacks/setup.ts"
import { openStage, type Stage } from "./world.ts"

const key = "weather-key-0123456789-wxyz"
const login = `Basic ${Buffer.from("ally:s3cret-enough").toString("base64")}`

let stage: Stage
let service: Site
beforeAll(async () => {
  service = await startSite((request, response) => {
    const { authorization } = request.headers
    const isGood = authorization === `Bearer ${key}` || authorization === login
    response.writeHead(isGood ? 200 : 401, { "content-type": "application/json" })
    response.end(JSON.stringify(isGood ? { id: "a1", email: "alice@weather.example" } : { error: "who?" }))
  })
  const test = `${service.url}/me`
  stage = await openStage({
    providers: () => [
      apiKey({ id: "weather", name: "Weather", test, account: { id: "id", name: ["email"] } }),
      basic({ id: "mail", name: "Mail", test }),
    ],
  })
})
afterAll(async () => {
  await stage.close()
  await service.close()
})
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  expect(stage.problems).toEqual([])
})

async function open(provider: string) {
  const call = await stage.call("alice", { provider, scopes: [] })
  const page = await stage.arriveAs("alice")
  await page.goto(call.link)
  return { ...call, page }
}

describe("a key", () => {
  it("that is wrong is reported beside its emptied field, and the right key connects", async () => {
    const { page, ended, link } = await open("weather")
    await stage.look(page, "Connect Weather?")
    const field = page.getByLabel("Key for Weather")
    expect(await field.getAttribute("type")).toBe("password")
    await field.fill("not-this-one")
    await page.keyboard.press("Enter")
    const words = "Weather does not accept it (status 401). Check that it is complete and still valid."
    await page.getByText(words).first().waitFor()
    await stage.look(page, "Connect Weather?")
    expect(await field.inputValue()).toBe("")
    expect(await field.getAttribute("aria-invalid")).toBe("true")
    expect(await page.locator(`#${await field.getAttribute("aria-describedby")}`).innerText()).toBe(words)
    // The error is announced, and the focus is in the wrong field.
    expect(await page.getByRole("alert").innerText()).toBe(words)
    expect(await page.evaluate(whereFocusIs)).toMatchObject({ id: "key" })

    await field.fill(key)
    await page.getByRole("button", { name: "Save key" }).click()
    await stage.look(page, "Connected as alice@weather.example")
    expect(page.url()).toBe(link)
    const connection = await ended
    expect((await connection.fetch(`${service.url}/forecast`)).status).toBe(200)
    await page.getByRole("link", { name: "your account" }).click()
    await stage.look(page, "Account")
    expect(await page.getByRole("main").innerText()).toContain("key ending in wxyz")
    expect(await page.content()).not.toContain(key)
  })
})

describe("a name and a password", () => {
  it("keep the name when the password is wrong, and connect when it is right", async () => {
    const { page, ended } = await open("mail")
    await page.getByLabel("User name").fill("ally")
    await page.getByLabel("Password").fill("s3cret-not")
    await page.getByRole("button", { name: "Save password" }).click()
    await page.getByText("Mail does not accept it").first().waitFor()
    await stage.look(page, "Connect Mail?")
    expect(await page.getByLabel("User name").inputValue()).toBe("ally")
    expect(await page.getByLabel("Password").inputValue()).toBe("")
    await page.getByLabel("Password").fill("s3cret-enough")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Connected as ally" }).waitFor()
    expect((await ended).account?.id).toBe("ally")
  })
})
