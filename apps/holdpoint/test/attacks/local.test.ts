// Local mode: only the person at this machine, in the one browser that claimed the link.

import { randomUUID } from "node:crypto"
import { form, systemRuntime, yesNo } from "@holdpoint/hub"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { newSecret, openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { sessionKind } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer } from "../../src/serve/server.ts"
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
  verifies(
    "identity.local",
    "opening a link claims nothing: the person can press the button in any browser",
    async () => {
      const { link } = await question("Fetched before.")
      // An agent's fetch, a link preview, another browser, a page of another question.
      expect((await fetch(link)).status).toBe(200)
      for (const address of [link, link.replace("/connect/", "/visit/"), link.replace("/connect/", "/inbox/")])
        await openJarBrowser().open(address)
      const person = openJarBrowser()
      const done = await person.submit(await person.open(link), { do: "continue" })
      expect(done.text).toContain("Connected as")
    },
  )

  verifies(
    "identity.local",
    "a second browser is refused once the first has pressed the button, and learns nothing",
    async () => {
      const { link } = await question("First come.")
      const [first, second] = [openJarBrowser(), openJarBrowser()]
      const early = await second.open(link)
      const begun = await first.submit(await first.open(link), { do: "continue" }, { stopAt: isCallback })
      for (const path of ["", "/continue", "/status"]) {
        const refused = await second.open(`${link}${path}`)
        expect(refused.status).toBe(409)
        expect(refused.text).not.toContain("First come.")
      }
      expect((await second.submit(early, { do: "continue" })).status).toBe(409)
      expect((await first.open(begun.url.href)).text).toContain("Connected as")
    },
  )

  it("exactly one of 20 browsers that press the button at the same time gets in", async () => {
    const { link } = await question("All at once.")
    const browsers = Array.from({ length: 20 }, () => openJarBrowser())
    const pages = await Promise.all(browsers.map((browser) => browser.open(link)))
    const pressed = await Promise.all(
      browsers.map((browser, at) => browser.submit(pages[at]!, { do: "continue" }, { stopAt: isCallback })),
    )
    expect(pressed.filter(({ url }) => isCallback(url))).toHaveLength(1)
    expect(pressed.filter(({ status }) => status === 409)).toHaveLength(19)
  })

  it("a person who finds the link in use by another browser can end it, and the next call gets a new link", async () => {
    const { link } = await question("Pressed by something else.")
    const other = openJarBrowser()
    await other.submit(await other.open(link), { do: "continue" }, { stopAt: isCallback })
    const person = openJarBrowser()
    const refused = await person.open(link)
    expect(refused.text).toContain("another browser")
    expect((await question("Pressed by something else.")).link).toBe(link)
    expect((await person.submit(refused, { do: "end" })).status).toBe(200)
    const again = await question("Pressed by something else.")
    expect(again.link).not.toBe(link)
    const done = await person.submit(await person.open(again.link), { do: "continue" })
    expect(done.text).toContain("Connected as")
  })

  it("a link cannot be ended by a web page, or by a browser that was not refused", async () => {
    const { id, link } = await question("Still wanted.")
    const first = openJarBrowser()
    const page = await first.open(link)
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
    const door = `${world.server.publicUrl}/browser`
    expect((await first.ask(door, { method: "POST", headers, body: new URLSearchParams({ do: "end" }) })).status).toBe(
      403,
    )
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? ""
    const body = new URLSearchParams({ do: "end", to: `connect:${id}`, csrf })
    await first.ask(door, { method: "POST", body, headers: { "sec-fetch-site": "same-origin" } })
    expect((await world.server.hub.get(id))?.status).toBe("pending")
  })

  it("addresses without a question store nothing in the database", async () => {
    const countStored = async (): Promise<number> =>
      (await world.storage.records(sessionKind).list({ dueBefore: Number.MAX_SAFE_INTEGER, limit: 500 })).length
    const before = await countStored()
    const { publicUrl } = world.server
    for (const page of ["connect", "visit", "inbox"])
      for (const id of [randomUUID(), "x", "junk"]) {
        const browser = openJarBrowser()
        const visited = await browser.open(`${publicUrl}/${page}/${id}`)
        expect(visited.status).toBe(404)
        const body = new URLSearchParams({ do: "continue", csrf: "x" })
        await browser.ask(`${publicUrl}/${page}/${id}`, { method: "POST", body })
      }
    expect(await countStored()).toBe(before)
  })

  it("a browser that came by a link sees what happened to its question, and no link to pages that it may not open", async () => {
    const { id } = await question("What happened?")
    const { publicUrl } = world.server
    const browser = openJarBrowser()
    const page = await browser.open(`${publicUrl}/inbox/${id}`)
    expect(page.text).toContain(`/inbox/${id}/timeline`)
    const timeline = await browser.open(`${publicUrl}/inbox/${id}/timeline`)
    expect([timeline.status, timeline.text]).toEqual([200, expect.stringContaining("What happened?")])
    for (const { text } of [page, timeline]) expect(text).not.toMatch(/href="\/(inbox|account)"/)
    for (const path of ["inbox", "account"]) {
      const refused = await browser.open(`${publicUrl}/${path}`)
      expect([refused.status, refused.text]).toEqual([404, expect.stringContaining("Open a question by its link")])
      expect(refused.text).not.toMatch(/href="\/(inbox|account)"/)
    }
  })

  verifies("identity.local", "the page shows the code that the terminal shows", async () => {
    const { id, link } = await question("Which code?")
    const { identity } = world.server
    const page = await openJarBrowser().open(link)
    expect(page.text).toContain("codeOf" in identity ? identity.codeOf(id) : "no code")
  })

  it("the provider's answer is accepted only in the browser that began", async () => {
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
      message: expect.stringContaining("can be reached from other"),
    })
  })
})

describe("a program on the person's machine that has the link and plain HTTP", () => {
  const links: string[] = []
  let guarded: World
  // Advances the clock between tests, because the server opens only a few windows in a certain time.
  let ahead = 0
  const runtime = { ...systemRuntime, now: () => Date.now() + ahead }
  beforeAll(async () => {
    const show = async (address: string): Promise<boolean> => links.push(address) > 0
    guarded = await openWorld({ people: { from: "local", user: "alice", secret: newSecret(), show }, runtime })
  })
  afterAll(() => guarded.close())
  beforeEach(() => {
    links.splice(0)
    ahead += 10_000
  })

  const principal = () => {
    const { identity } = guarded.server
    if (!("principal" in identity)) throw new Error("this is not local mode")
    return identity.principal
  }
  const confirmation = async () => {
    const audience = { kind: "one", principal: principal() } as const
    const requester = { id: "agent", name: "Agent" }
    const schema = form({ confirmed: yesNo({ title: "Delete it" }) })
    return guarded.server.hub.ask({ message: "Delete “Taxes”?", form: schema, audience, requester })
  }
  const consent = (message: string) =>
    ask(guarded, { subject: "alice" }, { owner: { kind: "person", ...principal() }, message })

  verifies("identity.local-agent", "neither connects an account nor reads who asks for what", async () => {
    const { id, link } = await consent("Secret plans.")
    const agent = openJarBrowser()
    for (const path of ["", "/continue", "/status"]) {
      const page = await agent.open(`${link}${path}`)
      expect([page.status, page.text.includes("Secret plans.")]).toEqual([403, false])
      for (const act of ["continue", "no", "use", "end", "show"]) {
        await agent.submit(page, { do: act })
        const pressed = { method: "POST", body: new URLSearchParams({ do: act, csrf: csrfIn(page.text) }) }
        expect((await agent.ask(link, pressed)).status).toBe(403)
      }
    }
    expect((await guarded.server.hub.get(id))?.status).toBe("pending")
    expect(await guarded.server.vault.list({ kind: "person", ...principal() })).toEqual([])
  })

  verifies(
    "identity.local-agent",
    "confirms no deletion, and reaches neither the inbox nor the account page",
    async () => {
      const { id } = await confirmation()
      const { publicUrl } = guarded.server
      const agent = openJarBrowser()
      for (const path of [`/inbox/${id}`, `/visit/${id}`, "/inbox", "/account"]) {
        const page = await agent.open(`${publicUrl}${path}`)
        expect(page.status).toBe(403)
        const body = new URLSearchParams({ confirmed: "true", do: "accept", csrf: csrfIn(page.text) })
        expect((await agent.ask(`${publicUrl}/inbox/${id}`, { method: "POST", body })).status).toBe(403)
      }
      expect((await guarded.server.hub.get(id))?.status).toBe("pending")
    },
  )

  verifies(
    "identity.local-agent",
    "can have the page shown to the person, in a browser with a key that the program never gets",
    async () => {
      const { link } = await consent("Shown to the person.")
      const agent = openJarBrowser()
      const asked = await agent.submit(await agent.open(link), { do: "show" })
      expect(asked.status).toBe(200)
      const [address = "", ...more] = links
      expect(more).toEqual([])
      const key = new URL(address).searchParams.get("key") ?? ""
      expect(key).toMatch(/^[\w-]{43}\.[\w-]{43}$/)
      expect(`${asked.text}${[...asked.headers].flat().join()}`).not.toContain(key)
      const person = openJarBrowser()
      const page = await person.open(address)
      expect([page.url.href, page.text.includes("Shown to the person.")]).toEqual([link, true])
      // The key is used up, and the person's browser does not need another key.
      expect((await agent.open(address)).status).toBe(403)
      expect((await person.submit(page, { do: "continue" })).text).toContain("Connected as")
      const { id } = await confirmation()
      const { publicUrl } = guarded.server
      await person.submit(await person.open(`${publicUrl}/inbox/${id}`), { confirmed: "true", do: "accept" })
      expect((await guarded.server.hub.get(id))?.status).toBe("completed")
      expect((await person.open(`${publicUrl}/account`)).status).toBe(200)
    },
  )

  it("cannot have a page shown from another site, or with another browser's form", async () => {
    const { link } = await consent("Not from elsewhere.")
    const [agent, other] = [openJarBrowser(), openJarBrowser()]
    const page = await agent.open(link)
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
    expect((await agent.submit(page, { do: "show" }, { headers })).status).toBe(403)
    await other.open(link)
    expect((await other.submit(page, { do: "show" })).status).toBe(403)
    expect(links).toEqual([])
  })

  it("cannot have a page of another site shown", async () => {
    const agent = openJarBrowser()
    const page = await agent.open(`${guarded.server.publicUrl}/inbox`)
    await agent.submit(page, { do: "show", to: "https://evil.example/" })
    expect(links.every((address) => address.startsWith(`${guarded.server.publicUrl}/inbox?key=`))).toBe(true)
  })
})

describe("when the page cannot be shown after all", () => {
  it("the link is enough, as on a machine without a screen", async () => {
    const people = { from: "local", user: "alice", secret: newSecret(), show: async () => false } as const
    const blind = await openWorld({ people })
    try {
      const owner = { kind: "person", tenant: "local", issuer: "local", subject: "alice" } as const
      const { link } = await ask(blind, { subject: "alice" }, { owner, message: "No screen here." })
      const person = openJarBrowser()
      const page = await person.submit(await person.open(link), { do: "show" })
      expect(page.text).toContain("No screen here.")
      expect((await person.submit(page, { do: "continue" })).text).toContain("Connected as")
    } finally {
      await blind.close()
    }
  })
})

const csrfIn = (page: string): string => /name="csrf" value="([^"]*)"/.exec(page)?.[1] ?? ""
