// Callbacks from a provider: replayed, altered, mixed up, injected, or many at once. Each is judged before anything is
// sent to a token endpoint.

import { notesProvider, openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { flowKind } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  arrivePerson,
  ask,
  call,
  codesOf,
  connectionsOf,
  expectUnusable,
  type Person,
  reachCallback,
  redeemedDuring,
  type Site,
  startSite,
} from "./setup.ts"

let world: World
/** The attacker's authorization server: connected like any other, until it swaps the addresses. */
let evil: Site
let swapTo = ""
beforeAll(async () => {
  evil = await startSite((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://evil")
    const to = new URL(swapTo)
    to.searchParams.set("state", searchParams.get("state") ?? "")
    to.searchParams.set("code_challenge", searchParams.get("code_challenge") ?? "")
    response.writeHead(request.method === "POST" ? 200 : 302, { location: to.href }).end()
  })
  world = await openWorld({
    providers: ({ notes }) => [notesProvider(notes), evilProvider(notes), silentProvider(notes), plainProvider(notes)],
  })
})
afterAll(async () => {
  await world.close()
  await evil.close()
})

const evilProvider = (notes: World["notes"]) =>
  notesProvider(notes, {
    id: "files",
    name: "Example Files",
    discovery: "none",
    issuer: "https://files.example",
    api: [evil.url],
    endpoints: { authorization: `${evil.url}/authorize`, token: `${evil.url}/token` },
  })

/** Does not identify the account, and allows one redirect address only. */
const silentProvider = (notes: World["notes"]) =>
  notesProvider(notes, { id: "silent", name: "Example Silence", redirect: "single", identity: { from: "nothing" } })

/** Issues no ID token, so that no nonce distinguishes one attempt from another. */
const plainProvider = (notes: World["notes"]) =>
  notesProvider(notes, {
    ...{ id: "plain", name: "Example Plain", redirect: "single", baseScopes: [], identity: { from: "nothing" } },
  })

const changed = (url: URL, change: (parameters: URLSearchParams) => void): string => {
  const next = new URL(url)
  change(next.searchParams)
  return next.href
}

async function begun(provider = "notes"): Promise<{ alice: Person; id: string; callback: URL }> {
  const alice = await arrivePerson(world, "alice")
  const { id, link } = await ask(world, alice, { provider })
  return { alice, id, callback: await reachCallback(alice, world, link) }
}

/** Calls the handler of a callback directly, because HTTP would put requests in sequence. */
function arriveAt({ browser }: Person, { searchParams, origin, pathname }: URL, context?: string) {
  const cookies = browser.cookies(world.server.publicUrl)
  const nameOf = (id: string): string => `hp_flow_${id.replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 16)}`
  return world.server.vault.consent.arrive({
    parameters: searchParams,
    address: `${origin}${pathname}`,
    ...(context === undefined ? {} : { context }),
    visitor: async ({ by, session }) => ({ principal: by, session }),
    browser: ({ id }) => cookies.get(nameOf(id)),
  })
}

describe("mixed-up providers (COAT)", () => {
  verifies(
    "consent.one-address-each",
    "never get an honest provider's code at the token endpoint of another",
    async () => {
      const alice = await arrivePerson(world, "alice")
      const { id, link } = await ask(world, alice, { provider: "files" })
      const honest = new URL(`${world.notes.issuer}/auth`)
      const asked = { client_id: "client", response_type: "code", scope: "openid", code_challenge_method: "S256" }
      for (const [name, value] of Object.entries(asked)) honest.searchParams.set(name, value)
      honest.searchParams.set("redirect_uri", `${world.server.publicUrl}/oauth/callback/notes`)
      swapTo = honest.href
      const callback = await reachCallback(alice, world, link)
      expect(callback.pathname).toBe("/oauth/callback/notes")
      expect(callback.searchParams.has("code")).toBe(true)
      const own = encodeURIComponent(`${world.server.publicUrl}/oauth/callback/files`)
      expect(evil.asked.at(-1)).toContain(`redirect_uri=${own}`)
      await expectUnusable(await alice.browser.open(callback.href), world, alice.browser)
      expect(evil.asked.filter((line) => line.startsWith("POST"))).toEqual([])
      expect(await codesOf(world, id)).toEqual(["same_address"])
    },
  )

  it("are distinguished by `iss` too, when the code arrives at the right address (mix-up)", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice, { provider: "files" })
    swapTo = `${world.server.publicUrl}/oauth/callback/files?code=stolen&iss=${encodeURIComponent(world.notes.issuer)}`
    const callback = await reachCallback(alice, world, link)
    const page = await alice.browser.open(callback.href)
    expect(page.text).toContain("from a different provider")
    expect(evil.asked.filter((line) => line.startsWith("POST"))).toEqual([])
  })
})

describe("a context that only the address names (CORF)", () => {
  verifies(
    "consent.one-address-each",
    "is not trusted: the state of one provider does not work at the address of another",
    async () => {
      const { alice, id, callback } = await begun()
      callback.pathname = "/oauth/callback/files"
      const redeemed = await redeemedDuring(world, async () => {
        await expectUnusable(await alice.browser.open(callback.href), world, alice.browser)
      })
      expect(redeemed).toBe(0)
      expect(await codesOf(world, id)).toEqual(["same_address"])
    },
  )

  it("is compared with the stored one even when the address is the same", async () => {
    const { alice, callback } = await begun()
    const arrived = await arriveAt(alice, callback, "files")
    expect(arrived).toEqual({ kind: "unusable", check: "same_context" })
  })

  it("does not work at the address that providers share, either", async () => {
    const { alice, callback } = await begun()
    callback.pathname = "/oauth/callback"
    const redeemed = await redeemedDuring(world, async () => {
      await expectUnusable(await alice.browser.open(callback.href), world, alice.browser)
    })
    expect(redeemed).toBe(0)
  })
})

describe("a replayed callback", () => {
  it("is redeemed once, and shows the result again", async () => {
    const { alice, callback } = await begun()
    const cookies = new Map(alice.browser.cookies(world.server.publicUrl))
    const redeemed = await redeemedDuring(world, async () => {
      await alice.browser.open(callback.href)
      for (const [name, value] of cookies) alice.browser.cookies(world.server.publicUrl).set(name, value)
      const again = await alice.browser.open(callback.href)
      expect(again.text).toContain("Connected as")
    })
    expect(redeemed).toBe(1)
    expect(await connectionsOf(world, alice)).toHaveLength(1)
  })

  verifies(
    "consent.redeemed-once",
    "leads to one token request when 20 arrive at the same time (code redemption race, GHSA-7w99)",
    async () => {
      const { alice, callback } = await begun()
      const redeemed = await redeemedDuring(world, async () => {
        const all = await Promise.all(Array.from({ length: 20 }, () => alice.browser.ask(callback.href)))
        // After the first request has cleared the cookie, the others count as another browser's. None gets a server
        // error.
        for (const { status } of all) expect([303, 404]).toContain(status)
      })
      expect(redeemed).toBe(1)
      expect(await connectionsOf(world, alice)).toHaveLength(1)
    },
  )

  it("leads to one token request when 20 are judged at the same moment", async () => {
    const { alice, callback } = await begun()
    const redeemed = await redeemedDuring(world, () =>
      Promise.all(Array.from({ length: 20 }, () => arriveAt(alice, callback))),
    )
    expect(redeemed).toBe(1)
    expect(await connectionsOf(world, alice)).toHaveLength(1)
  })
})

describe("state", () => {
  it("has at least 128 random bits, is new for each click, and is stored as a hash", async () => {
    const first = await begun()
    const second = await begun()
    const states = [first, second].map(({ callback }) => callback.searchParams.get("state") ?? "")
    expect(new Set(states).size).toBe(2)
    for (const state of states) {
      expect(Buffer.from(state, "base64url").length).toBeGreaterThanOrEqual(16)
      expect(await world.storage.records(flowKind).get(state)).toBeUndefined()
    }
  })

  it.each<[string, (parameters: URLSearchParams) => void]>([
    ["missing", (parameters) => parameters.delete("state")],
    ["empty", (parameters) => parameters.set("state", "")],
    ["made up", (parameters) => parameters.set("state", "A".repeat(43))],
    ["sent twice", (parameters) => parameters.append("state", parameters.get("state") ?? "")],
    ["sent twice with different values", (parameters) => parameters.append("state", "A".repeat(43))],
  ])("that is %s leads to the generic page, and nothing is redeemed", async (_what, change) => {
    const { alice, callback } = await begun()
    const redeemed = await redeemedDuring(world, async () => {
      await expectUnusable(await alice.browser.open(changed(callback, change)), world, alice.browser)
    })
    expect(redeemed).toBe(0)
  })

  it.each(["notes", "plain"])(
    "from another flow of the same person does not make its code usable: %s",
    async (provider) => {
      const alice = await arrivePerson(world, "alice")
      const first = await ask(world, alice, { provider })
      const second = await ask(world, alice, { provider, message: "Another question." })
      const one = await reachCallback(alice, world, first.link)
      const two = await reachCallback(alice, world, second.link)
      const mixed = changed(one, (parameters) => parameters.set("state", two.searchParams.get("state") ?? ""))
      const page = await alice.browser.open(mixed)
      expect(page.text).not.toContain("Connected as")
      expect(await connectionsOf(world, alice)).toEqual([])
    },
  )

  it("is used up by the first answer, even when that answer is refused", async () => {
    const { alice, callback } = await begun()
    const wrong = changed(callback, (parameters) => parameters.set("iss", "https://evil.example"))
    const cookies = new Map(alice.browser.cookies(world.server.publicUrl))
    const redeemed = await redeemedDuring(world, async () => {
      await alice.browser.open(wrong)
      for (const [name, value] of cookies) alice.browser.cookies(world.server.publicUrl).set(name, value)
      await alice.browser.open(callback.href)
    })
    expect(redeemed).toBe(0)
    expect(await connectionsOf(world, alice)).toEqual([])
  })
})

describe("a code", () => {
  it.each(["notes", "plain"])(
    "of the attacker's own consent is not redeemed for the victim (code injection): %s",
    async (provider) => {
      const mallory = await arrivePerson(world, "mallory")
      const { link } = await ask(world, mallory, { provider })
      const theirs = await reachCallback(mallory, world, link)
      const { alice, callback } = await begun(provider)
      const injected = changed(callback, (parameters) => parameters.set("code", theirs.searchParams.get("code") ?? ""))
      const page = await alice.browser.open(injected)
      expect(page.text).not.toContain("Connected as")
      expect(await connectionsOf(world, alice)).toEqual([])
    },
  )

  it("that is sent twice is not redeemed", async () => {
    const { alice, callback } = await begun()
    const twice = changed(callback, (parameters) => parameters.append("code", "another"))
    expect(await redeemedDuring(world, () => alice.browser.open(twice))).toBe(0)
    expect(await connectionsOf(world, alice)).toEqual([])
  })

  it("is always requested with PKCE S256 and a nonce", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const atProvider = (url: URL): boolean => url.origin === world.notes.issuer
    const page = await alice.browser.open(link)
    const { url } = await alice.browser.submit(page, { do: "continue" }, { stopAt: atProvider })
    expect(url.searchParams.get("code_challenge_method")).toBe("S256")
    expect(url.searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/)
    expect(url.searchParams.get("nonce")).toMatch(/^[\w-]{43}$/)
    expect(url.searchParams.get("redirect_uri")).toBe(`${world.server.publicUrl}/oauth/callback/notes`)
  })
})

describe("`iss`", () => {
  it.each<[string, (parameters: URLSearchParams) => void, string]>([
    ["swapped", (parameters) => parameters.set("iss", "https://evil.example"), "different provider"],
    ["different by a slash", (parameters) => parameters.set("iss", `${parameters.get("iss")}/`), "different provider"],
    ["missing although promised", (parameters) => parameters.delete("iss"), "does not name its provider"],
  ])(
    "that is %s is refused with its reason before anything is redeemed, and the person can try again",
    async (_what, change, words) => {
      const { alice, id, callback } = await begun()
      const redeemed = await redeemedDuring(world, async () => {
        const page = await alice.browser.open(changed(callback, change))
        expect(page.text).toContain(words)
      })
      expect(redeemed).toBe(0)
      const again = await reachCallback(alice, world, `${world.server.publicUrl}/connect/${id}`)
      expect((await alice.browser.open(again.href)).text).toContain("Connected as")
    },
  )

  it("is not needed for the issuer check: an error of another provider is not believed", async () => {
    const { alice, callback } = await begun()
    const denied = changed(callback, (parameters) => {
      parameters.delete("code")
      parameters.set("error", "access_denied")
      parameters.set("iss", "https://evil.example")
    })
    const page = await alice.browser.open(denied)
    expect(page.text).toContain("different provider")
    expect(page.text).not.toContain("You said no")
  })
})

describe("an altered id", () => {
  it("of a link leads to the generic page, even when one character is altered", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id } = await ask(world, alice)
    const last = id.at(-1) === "0" ? "1" : "0"
    for (const other of [`${id.slice(0, -1)}${last}`, id.toUpperCase(), `${id}0`, "..", "%00", "a".repeat(5_000)]) {
      const page = await alice.browser.open(`${world.server.publicUrl}/connect/${other}`)
      if (other === ".." || other === id) continue
      await expectUnusable(page, world, alice.browser)
    }
  })

  it("gives no rights: the visitor must be the person whom the question is for", async () => {
    const mallory = await arrivePerson(world, "mallory")
    const alice = await arrivePerson(world, "alice")
    const { id, link } = await call(world, alice)
    const own = await mallory.browser.open((await ask(world, mallory)).link)
    const posted = await mallory.browser.submit(
      { ...own, text: own.text.replaceAll(own.url.pathname, `/connect/${id}`) },
      { do: "continue" },
    )
    await expectUnusable(posted, world, mallory.browser)
    expect((await alice.browser.open(link)).status).toBe(200)
    await world.server.hub.cancel(id)
  })
})

describe("consents at the same time", () => {
  it.each(["notes", "silent"])("of one person make one connection, whichever returns first: %s", async (provider) => {
    const alice = await arrivePerson(world, "alice")
    const { id, link, ended } = await call(world, alice, { provider })
    const callbacks: URL[] = []
    for (let click = 0; click < 3; click++) callbacks.push(await reachCallback(alice, world, link))
    expect(new Set(callbacks.map(({ searchParams }) => searchParams.get("state"))).size).toBe(3)
    await Promise.all(callbacks.map(({ href }) => alice.browser.ask(href)))
    expect(await ended).toHaveProperty("id")
    expect(await connectionsOf(world, alice)).toHaveLength(1)
    expect((await world.server.hub.get(id))?.status).toBe("completed")
  })

  it("that return at the same moment make at most one connection, and the person can try again", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice, { provider: "silent" })
    const callbacks: URL[] = []
    for (let click = 0; click < 3; click++) callbacks.push(await reachCallback(alice, world, link))
    await Promise.all(callbacks.map((callback) => arriveAt(alice, callback)))
    expect((await connectionsOf(world, alice)).length).toBeLessThanOrEqual(1)
    const page = await alice.browser.open(link)
    if (!page.text.includes("is connected")) await alice.browser.open((await reachCallback(alice, world, link)).href)
    expect(await connectionsOf(world, alice)).toHaveLength(1)
  })
})
