// Links of local mode: many cookies at once, requests that claim nothing, and names that collide with the sign-in.

import { randomBytes, randomUUID } from "node:crypto"
import { defineIdentityProvider } from "@holdpoint/server/identity"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { newSecret, openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

describe("local mode, after a week of questions", () => {
  it("answers a browser that sends a cookie for each question, as many as browsers keep", async () => {
    const world = await openWorld({ people: { from: "local", user: "alice", secret: newSecret() } })
    try {
      const { identity, publicUrl } = world.server
      const browser = openJarBrowser()
      const jar = browser.cookies(publicUrl)
      for (let question = 0; question < 180; question++) {
        const token = `${Buffer.from(randomUUID()).toString("base64url")}.${randomBytes(32).toString("base64url")}`
        jar.set(`hp_claim_${randomUUID().replaceAll("-", "").slice(0, 16)}`, token)
      }
      const key = "keyOf" in identity ? identity.keyOf("home") : ""
      expect((await browser.open(`${publicUrl}/inbox?key=${key}`)).status).toBe(200)
    } finally {
      await world.close()
    }
  })
})

describe("a link of local mode", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ people: { from: "local", user: "alice", secret: newSecret() } })
  })
  afterAll(() => world.close())

  const ask = async (message: string): Promise<string> => {
    const { identity, vault, publicUrl } = world.server
    if (!("principal" in identity)) throw new Error("this is not local mode")
    const owner = { kind: "person", ...identity.principal } as const
    return `${publicUrl}/connect/${(await vault.ask(world.need("alice", { owner, message }))).id}`
  }

  it.each(["HEAD", "POST"])("is not claimed by a %s request, which never opens a page", async (method) => {
    const link = await ask(`First comes a ${method}.`)
    await openJarBrowser().ask(link, { method, headers: { "content-type": "application/x-www-form-urlencoded" } })
    expect((await openJarBrowser().open(link)).status).toBe(200)
  })

  it.each(["/continue", "/status"])("still opens in the browser that opened it at %s first", async (path) => {
    const link = await ask(`First comes ${path}.`)
    const browser = openJarBrowser()
    await browser.ask(`${link}${path}`)
    expect((await browser.open(link)).status).toBe(200)
  })
})

describe("an identity provider", () => {
  it("cannot have the name of a sign-in path, because no sign-in could begin there", () => {
    const people = { name: "People", issuer: "https://id.example", client: { id: "us" }, tenant: "acme" }
    expect(() => defineIdentityProvider({ ...people, id: "callback" })).toThrow(/callback/)
    expect(defineIdentityProvider({ ...people, id: "callback-people" }).id).toBe("callback-people")
  })
})
