// Local mode: the person at this machine, in the one browser that claimed the link, and nobody from elsewhere.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { verifies } from "../../../../packages/holdpoint/test/verifies.ts"
import { startServer } from "../../src/serve/server.ts"
import { openJarBrowser } from "../pages/browser.ts"
import { newSecret, openWorld, type World } from "../pages/world.ts"
import { ask, isCallback, redeemedDuring } from "./setup.ts"

const secret = newSecret()

let world: World
beforeAll(async () => {
  world = await openWorld({ people: { from: "local", user: "alice", secret } })
})
afterAll(() => world.close())

const question = async (message: string) => {
  const { identity } = world.server
  if (!("principal" in identity)) throw new Error("this is not local mode")
  const owner = { kind: "person", ...identity.principal } as const
  return ask(world, { subject: "alice" }, { owner, message })
}

describe("in local mode", () => {
  verifies("identity.local", "a second browser is refused, also with the link, and learns nothing", async () => {
    const { link } = await question("First come.")
    const first = openJarBrowser()
    expect((await first.open(link)).status).toBe(200)
    const second = openJarBrowser()
    for (const path of ["", "/continue", "/status"]) expect((await second.open(`${link}${path}`)).status).toBe(404)
    expect((await second.open(link)).text).not.toContain("First come.")
    expect((await first.open(link)).status).toBe(200)
  })

  verifies("identity.local", "the page shows the code that the terminal shows", async () => {
    const { id, link } = await question("Which code?")
    const { identity } = world.server
    const page = await openJarBrowser().open(link)
    expect(page.text).toContain("codeOf" in identity ? identity.codeOf(id) : "no code")
  })

  it("the answer of the provider is taken from the browser that began, and from no other", async () => {
    const { link } = await question("Come back.")
    const first = openJarBrowser()
    const reached = await first.submit(await first.open(link), { do: "continue" }, { stopAt: isCallback })
    const redeemed = await redeemedDuring(world, async () => {
      expect((await openJarBrowser().open(reached.url.href)).status).toBe(404)
    })
    expect(redeemed).toBe(0)
    expect(await redeemedDuring(world, () => first.open(reached.url.href))).toBe(0)
    expect((await first.submit(await first.open(link), { do: "continue" })).text).toContain("Connected as")
  })

  it("a web page that makes a browser post is refused", async () => {
    const { link } = await question("Posted by a web page.")
    const browser = openJarBrowser()
    const page = await browser.open(link)
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
    expect((await browser.submit(page, { do: "continue" }, { headers })).status).toBe(403)
  })

  it.each([
    { host: "0.0.0.0" },
    { host: "::" },
    { host: "192.168.1.4", publicUrl: "http://127.0.0.1:8080" },
    { host: "127.0.0.1", publicUrl: "https://hub.example" },
  ])("the pages listen on loopback only: %j does not start (CVE-2025-49596)", async (where) => {
    const { storage, keys } = world
    const people = { from: "local", user: "alice", secret } as const
    await expect(startServer({ storage, keys, people, providers: [], port: 0, ...where })).rejects.toMatchObject({
      code: "invalid_config",
    })
  })

  it("the sign-in of alice and bob listens on loopback only, whatever the public address", async () => {
    const { storage, keys } = world
    const options = { storage, keys, providers: [], port: 0, host: "0.0.0.0", publicUrl: "http://localhost:8080" }
    await expect(startServer({ ...options, people: { from: "embedded" } })).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("can be reached from others"),
    })
  })
})
