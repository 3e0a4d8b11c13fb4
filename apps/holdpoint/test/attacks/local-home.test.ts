// The home page, inbox and links of local mode, addresses that cannot work, server events, and requests to this
// machine.

import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { newSecret, openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { sessionKind } from "@holdpoint/testkit/records"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer } from "../../src/serve/server.ts"

describe("the home page of local mode, whose address is guessable", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ people: { from: "local", user: "alice", secret: newSecret() } })
  })
  afterAll(() => world.close())

  const inbox = (key = ""): string => `${world.server.publicUrl}/inbox${key === "" ? "" : `?key=${key}`}`
  const key = (): string => {
    const { identity } = world.server
    return "keyOf" in identity ? identity.keyOf("home") : ""
  }

  /** The cookie's name, as another server on this machine would learn it. */
  const cookieName = async (): Promise<string> => {
    const claimed = await openJarBrowser().ask(inbox(key()))
    const [name = ""] = claimed.headers.getSetCookie()[0]?.split("=") ?? []
    for (const session of await world.storage.records(sessionKind).list({ tenant: "local", limit: 10 }))
      await world.storage.records(sessionKind).remove(session)
    return name
  }

  it("is not claimed with a made-up cookie instead of its key", async () => {
    for (const path of ["/inbox", "/account", "/user/page"]) {
      const asked = await openJarBrowser().ask(`${world.server.publicUrl}${path}`, {
        headers: { cookie: `${await cookieName()}=x` },
      })
      expect([asked.status, asked.headers.getSetCookie()]).toEqual([404, []])
    }
  })

  it("is not claimed with the cookie of a question", async () => {
    const { identity } = world.server
    if (!("claim" in identity)) throw new Error("this is not local mode")
    const name = await cookieName()
    // A browser claims a question with its own cookie, even if the cookie's value is invented.
    for (const question of ["some-question", "home:x"]) {
      const token = `home:x.${"x".repeat(43)}`
      expect(await identity.claim(question, token)).toBe(true)
      const held = question === "home:x" ? token.replace("home:x", "x") : token
      expect((await openJarBrowser().ask(inbox(), { headers: { cookie: `${name}=${held}` } })).status).toBe(404)
    }
  })

  it("cannot be claimed as if it were a question", async () => {
    for (const path of ["/inbox/home", "/connect/home", "/connect/home/status"]) {
      expect((await openJarBrowser().ask(`${world.server.publicUrl}${path}`)).status).toBe(404)
    }
    expect((await openJarBrowser().open(inbox(key()))).status).toBe(200)
  })
})

describe("the inbox of local mode", () => {
  it("can be claimed again by any browser after a restart, so a lost cookie locks its owner out only until then", async () => {
    const [storage, keys] = [createMemoryStorage(), withNewKey()]
    const claimIn = async (): Promise<number[]> => {
      const people = { from: "local", user: "alice", secret: newSecret() } as const
      const world = await openWorld({ people, storage, keys })
      try {
        const { identity, publicUrl } = world.server
        const link = `${publicUrl}/inbox?key=${"keyOf" in identity ? identity.keyOf("home") : ""}`
        return [(await openJarBrowser().open(link)).status, (await openJarBrowser().open(link)).status]
      } finally {
        await world.close()
      }
    }
    expect(await claimIn()).toEqual([200, 404])
    expect(await claimIn()).toEqual([200, 404])
  })
})

describe("a link of local mode", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ people: { from: "local", user: "alice", secret: newSecret() } })
  })
  afterAll(() => world.close())

  it.each(["image", "iframe", "empty", "script"])(
    "is not claimed, and its key stays valid, when a web page loads it as %s",
    async (destination) => {
      const { identity, vault, publicUrl } = world.server
      if (!("principal" in identity)) throw new Error("this is not local mode")
      const owner = { kind: "person", ...identity.principal } as const
      const { id } = await vault.ask(world.need("alice", { owner, message: `Loaded as ${destination}.` }))
      const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": destination }
      const link = `${publicUrl}/connect/${id}`
      const withKey = `${link}?key=${identity.keyOf(destination)}`
      for (const address of [link, withKey]) await openJarBrowser().open(address, { headers })
      const ahead = { "sec-fetch-dest": "document", "sec-purpose": "prefetch;prerender" }
      await openJarBrowser().open(withKey, { headers: ahead })
      const followed = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }
      const person = openJarBrowser()
      const page = await person.open(withKey, { headers: followed })
      expect((await person.open(`${publicUrl}/inbox`)).status).toBe(200)
      await person.submit(page, { do: "no" })
      expect((await world.server.hub.get(id))?.status).toBe("declined")
    },
  )
})

describe("a configuration that would work only in part", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  const issuer = "https://id.example"
  const people = {
    from: "providers",
    providers: [{ id: "people", name: "People", issuer, client: { id: "us" }, tenant: "acme" }],
  } as const
  const start = (more: object) => {
    const { storage, keys } = world
    return startServer({ storage, keys, people, providers: [], host: "127.0.0.1", port: 0, ...more })
  }

  const callback = (callbackUrl: string) => ({ publicUrl: "https://hub.example", consent: { callbackUrl } })

  it.each([
    ["with a public address that is not a URL", { publicUrl: "hub.example" }],
    ["with a public address that has a path", { publicUrl: "https://hub.example/holdpoint" }],
    ["with plain HTTP over a network", { publicUrl: "http://hub.example" }],
    ["with a public address that browsers write differently", { publicUrl: "https://hub.example:443" }],
    ["that listens everywhere without a public address", { host: "0.0.0.0" }],
    ["with a callback at another host", callback("https://other.example/oauth/callback")],
    ["with a callback address that has parameters", callback("https://hub.example/oauth/callback?to=us")],
  ])("%s does not start", async (_why, more) => {
    await expect(start(more)).rejects.toMatchObject({ code: "invalid_config" })
  })

  it.each([
    ["returnTargets.chat", { returnTargets: { chat: "https://chat.example" } }],
    ["returnTargets.chat.href", { returnTargets: { chat: { name: "the chat", href: "javascript:alert(1)" } } }],
    ["openers.chat", { openers: { chat: "https://chat.example/page" } }],
    ["openers.chat", { openers: { chat: "*" } }],
  ])("with a wrong address in %s does not start", async (path, pages) => {
    const refused = { code: "invalid_config", problems: [expect.objectContaining({ path })] }
    await expect(start({ publicUrl: "https://hub.example", pages })).rejects.toMatchObject(refused)
  })
})

describe("server events", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  it("are not streamed for a HEAD request", async () => {
    const browser = await world.signIn("alice")
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
    const before = timers()
    for (let attempt = 0; attempt < 20; attempt++)
      await browser.ask(`${world.server.publicUrl}/inbox/events`, { method: "HEAD" })
    expect(timers() - before).toBeLessThan(10)
  })
})

describe("this machine's own services", () => {
  it.each([
    ["are not requested in local mode when a provider's document names them", {}, 502],
    ["are requested in local mode when a setting allows it", { allowLoopback: true }, 200],
  ])("%s", async (_what, network, status) => {
    const world = await openWorld({ people: { from: "local", user: "alice", secret: newSecret() }, network })
    try {
      const { identity, vault } = world.server
      if (!("principal" in identity)) throw new Error("this is not local mode")
      const owner = { kind: "person", ...identity.principal } as const
      const { id } = await vault.ask(world.need("alice", { owner }))
      const browser = openJarBrowser()
      const page = await browser.open(`${world.server.publicUrl}/connect/${id}`)
      const reached = await browser.submit(
        page,
        { do: "continue" },
        { stopAt: ({ origin }) => origin === world.notes.issuer },
      )
      expect(reached.status).toBe(status)
    } finally {
      await world.close()
    }
  })
})
