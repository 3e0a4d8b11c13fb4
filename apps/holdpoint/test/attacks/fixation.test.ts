// Cross-user session fixation, in every direction: the person who begins must finish, in the same browser and with the same
// session in which they pressed the button.

import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { notesProvider, openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { flowKind } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  another,
  arrivePerson,
  ask,
  call,
  codesOf,
  connectionsOf,
  expectUnusable,
  isCallback,
  type Person,
  reachCallback,
  reachProvider,
  redeemedDuring,
} from "./setup.ts"

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe("a forwarded link (COSF)", () => {
  it("shows the victim the generic page, and nothing is begun or activated", async () => {
    const mallory = await arrivePerson(world, "mallory")
    const alice = await arrivePerson(world, "alice")
    const { id, link } = await ask(world, mallory)
    await expectUnusable(await alice.browser.open(link), world, alice.browser)
    expect(await codesOf(world, id)).toEqual(["not_addressee"])
    expect(await connectionsOf(world, mallory)).toEqual([])
    expect(await connectionsOf(world, alice)).toEqual([])
  })

  it("does not open the pages behind the button either", async () => {
    const mallory = await arrivePerson(world, "mallory")
    const alice = await arrivePerson(world, "alice")
    const { id, link } = await ask(world, mallory)
    await reachProvider(mallory, world, link)
    for (const path of ["", "/continue", "/status"])
      await expectUnusable(
        await alice.browser.open(`${world.server.publicUrl}/connect/${id}${path}`),
        world,
        alice.browser,
      )
  })

  it("leads a visitor who is not signed in to the sign-in, and then to the generic page", async () => {
    const mallory = await arrivePerson(world, "mallory")
    const { link } = await ask(world, mallory)
    const victim = openJarBrowser()
    world.people.settings.user = "victim"
    const page = await victim.open(link)
    expect(page.hops.some((hop) => hop.startsWith(world.people.issuer))).toBe(true)
    await expectUnusable(page, world, victim)
  })
})

describe("a provider that does not say whose account it is", () => {
  const call = { test: { method: "GET", url: "https://example.com" }, identity: { from: "nothing" } } as const
  const base = { name: "Example", api: ["https://example.com"], ...call }
  let silent: World
  beforeAll(async () => {
    silent = await openWorld({
      providers: ({ notes }) => [
        notesProvider(notes, { identity: { from: "nothing" } }),
        { ...base, kind: "api_key", id: "key", header: { name: "X-Api-Key" } },
        { ...base, kind: "basic", id: "basic" },
      ],
    })
  })
  afterAll(() => silent.close())

  verifies(
    "consent.own-account",
    "by OAuth still gives the account to no other browser than the one that began",
    async () => {
      const mallory = await arrivePerson(silent, "mallory")
      const alice = await arrivePerson(silent, "alice")
      const { id, link } = await ask(silent, mallory)
      const captured = await reachProvider(mallory, silent, link)
      await expectUnusable(await alice.browser.open(captured.href), silent, alice.browser)
      expect(await codesOf(silent, id)).toEqual(["same_person"])
      expect(await connectionsOf(silent, mallory)).toEqual([])
    },
  )

  verifies(
    "consent.own-account",
    "takes a key or a password only from the person whom the link addresses",
    async () => {
      for (const provider of ["key", "basic"]) {
        const mallory = await arrivePerson(silent, "mallory")
        const alice = await arrivePerson(silent, "alice")
        const { link } = await ask(silent, mallory, { provider, scopes: [] })
        await expectUnusable(await alice.browser.open(link), silent, alice.browser)
        const page = await mallory.browser.open(link)
        const typed = { do: "continue", key: "hers", username: "alice", password: "hers" }
        expect((await alice.browser.submit(page, typed)).status).not.toBe(200)
        expect(await connectionsOf(silent, mallory)).toEqual([])
      }
    },
  )
})

describe("a forwarded address of the provider (COSF, CVE-2026-27124)", () => {
  verifies("consent.finished-by-who-began", "leads the victim to the generic page, and is never redeemed", async () => {
    const mallory = await arrivePerson(world, "mallory")
    const alice = await arrivePerson(world, "alice")
    const { id, link } = await ask(world, mallory)
    const captured = await reachProvider(mallory, world, link)
    world.notes.settings.user = "alice-at-notes"
    const redeemed = await redeemedDuring(world, async () => {
      await expectUnusable(await alice.browser.open(captured.href), world, alice.browser)
    })
    expect(redeemed).toBe(0)
    expect(await codesOf(world, id)).toEqual(["same_person"])
    expect(await connectionsOf(world, mallory)).toEqual([])
    expect(await connectionsOf(world, alice)).toEqual([])
  })

  it("does not become the attacker's when the attacker fetches the victim's callback", async () => {
    const mallory = await arrivePerson(world, "mallory")
    const alice = await arrivePerson(world, "alice")
    const hers = await ask(world, alice)
    const callback = await reachCallback(alice, world, hers.link)
    const redeemed = await redeemedDuring(world, async () => {
      await expectUnusable(await mallory.browser.open(callback.href), world, mallory.browser)
    })
    expect(redeemed).toBe(0)
    expect(await connectionsOf(world, mallory)).toEqual([])
    const ended = await alice.browser.open(callback.href)
    expect(ended.text).toContain("arrived in another browser")
    expect(await connectionsOf(world, alice)).toEqual([])
  })
})

describe("a refused callback", () => {
  const victims = [
    ["another person, who is signed in here", (): Promise<Person> => arrivePerson(world, "alice")],
    [
      "a visitor who is not signed in here",
      async (): Promise<Person> => ({ subject: "alice", browser: openJarBrowser() }),
    ],
  ] as const
  verifies.each("consent.refused-ends-it")(victims)(
    "of %s redeems nothing for the attacker who gets it back",
    async (_who, arriveVictim) => {
      const mallory = await arrivePerson(world, "mallory")
      const { id, link } = await ask(world, mallory)
      const captured = await reachProvider(mallory, world, link)
      const victim = await arriveVictim()
      world.notes.settings.user = "alice-at-notes"
      const refused = await victim.browser.open(captured.href)
      expect(refused.url.search).toBe("")
      const callback = refused.hops.find((hop) => hop.includes("code=")) ?? ""
      expect(isCallback(new URL(callback))).toBe(true)
      let lastText = ""
      const redeemed = await redeemedDuring(world, async () => {
        lastText = (await mallory.browser.open(callback)).text
      })
      expect(redeemed).toBe(0)
      expect(await connectionsOf(world, mallory)).toEqual([])
      expect(lastText).toContain("arrived in another browser")
      expect((await world.server.hub.get(id))?.status).toBe("accepted")
    },
  )

  it("of the same person's other browser is not redeemed in the first one, where they can start again", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const callback = await reachCallback(alice, world, link)
    const phone = await another(world, alice)
    await expectUnusable(await phone.open(callback.href), world, phone)
    expect(await redeemedDuring(world, () => alice.browser.open(callback.href))).toBe(0)
    const done = await alice.browser.open((await reachCallback(alice, world, link)).href)
    expect(done.text).toContain(`${alice.subject}-at-notes`)
  })

  it("does not end a connection that was made before", async () => {
    const mallory = await arrivePerson(world, "mallory")
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const callback = await reachCallback(alice, world, link)
    await alice.browser.open(callback.href)
    await expectUnusable(await mallory.browser.open(callback.href), world, mallory.browser)
    expect((await alice.browser.open(link)).text).toContain("Connected as")
    expect(await connectionsOf(world, alice)).toHaveLength(1)
  })
})

describe("a swapped link (the victim begins, the attacker finishes)", () => {
  it("does not bind the attacker's account to the victim", async () => {
    const mallory = await arrivePerson(world, "mallory")
    const alice = await arrivePerson(world, "alice")
    const hers = await call(world, alice)
    const captured = await reachProvider(alice, world, hers.link)
    world.notes.settings.user = "mallory-at-notes"
    const redeemed = await redeemedDuring(world, async () => {
      await expectUnusable(await mallory.browser.open(captured.href), world, mallory.browser)
    })
    expect(redeemed).toBe(0)
    expect(await connectionsOf(world, alice)).toEqual([])
    expect((await world.server.hub.get(hers.id))?.status).toBe("accepted")
    await world.server.hub.cancel(hers.id)
    expect(await hers.ended).toBeInstanceOf(Error)
  })

  it("shows the person which account was connected when they finish it themselves", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const done = await alice.browser.open((await reachCallback(alice, world, link)).href)
    expect(done.text).toContain("Connected as")
    expect(done.text).toContain(`${alice.subject}-at-notes`)
  })
})

describe("a callback", () => {
  verifies("consent.finished-by-who-began", "without the flow's cookie is not redeemed", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id, link } = await ask(world, alice)
    const callback = await reachCallback(alice, world, link)
    const jar = alice.browser.cookies(world.server.publicUrl)
    for (const name of [...jar.keys()]) if (name.includes("hp_flow")) jar.delete(name)
    const redeemed = await redeemedDuring(world, async () => {
      await expectUnusable(await alice.browser.open(callback.href), world, alice.browser)
    })
    expect(redeemed).toBe(0)
    expect(await codesOf(world, id)).toEqual(["same_browser"])
  })

  it("with a made-up cookie of that name is not redeemed", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const callback = await reachCallback(alice, world, link)
    const jar = alice.browser.cookies(world.server.publicUrl)
    for (const name of [...jar.keys()]) if (name.includes("hp_flow")) jar.set(name, "A".repeat(43))
    const redeemed = await redeemedDuring(world, () => alice.browser.open(callback.href))
    expect(redeemed).toBe(0)
  })

  it("without a session is not redeemed, and does not ask for a sign-in", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const callback = await reachCallback(alice, world, link)
    alice.browser.cookies(world.server.publicUrl).delete("hp_session")
    const redeemed = await redeemedDuring(world, async () => {
      const page = await alice.browser.open(callback.href)
      expect(page.status).toBe(404)
      expect(page.hops).toEqual([callback.href, `${callback.origin}${callback.pathname}`])
    })
    expect(redeemed).toBe(0)
  })

  verifies("consent.finished-by-who-began", "in another browser of the same person is not redeemed", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id, link } = await ask(world, alice)
    const callback = await reachCallback(alice, world, link)
    const phone = await another(world, alice)
    const redeemed = await redeemedDuring(world, async () => {
      await expectUnusable(await phone.open(callback.href), world, phone)
    })
    expect(redeemed).toBe(0)
    expect(await codesOf(world, id)).toEqual(["same_session"])
  })

  it("after signing out between the click and the answer is not redeemed", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const callback = await reachCallback(alice, world, link)
    const jar = alice.browser.cookies(world.server.publicUrl)
    const token = jar.get("hp_session") ?? ""
    const inbox = await alice.browser.open(`${world.server.publicUrl}/inbox`)
    const out = await alice.browser.submit({ ...inbox, text: signOutForm(inbox.text) }, {})
    expect(out.status).toBe(200)
    jar.set("hp_session", token)
    const redeemed = await redeemedDuring(world, async () => {
      expect((await alice.browser.open(callback.href)).status).toBe(404)
    })
    expect(redeemed).toBe(0)
  })

  it("after a new sign-in, as the same person in the same browser, is not redeemed", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const callback = await reachCallback(alice, world, link)
    await world.signIn(alice.subject, alice.browser)
    expect(await redeemedDuring(world, () => alice.browser.open(callback.href))).toBe(0)
  })
})

describe("a cookie before consent", () => {
  verifies(
    "consent.begins-with-the-click",
    "does not exist: no flow, state or cookie is made before the click",
    async () => {
      const alice = await arrivePerson(world, "alice")
      const { id, link } = await ask(world, alice)
      const before = [...alice.browser.cookies(world.server.publicUrl).keys()]
      const page = await alice.browser.open(link)
      expect([...alice.browser.cookies(world.server.publicUrl).keys()]).toEqual(before)
      expect(page.headers.getSetCookie()).toEqual([])
      expect(await world.storage.records(flowKind).list({ tenant: "acme", owner: id, limit: 10 })).toEqual([])
      const depart = await alice.browser.open(`${link}/continue`)
      expect(depart.url.pathname).toBe(`/connect/${id}`)
    },
  )

  it("does not work for another question: each click has its own cookie", async () => {
    const alice = await arrivePerson(world, "alice")
    const first = await ask(world, alice)
    const second = await ask(world, alice, { message: "Another question." })
    const callback = await reachCallback(alice, world, first.link)
    const jar = alice.browser.cookies(world.server.publicUrl)
    const old = [...jar].filter(([name]) => name.includes("hp_flow"))
    for (const [name] of old) jar.delete(name)
    await reachCallback(alice, world, second.link)
    const values = new Set([...jar].filter(([name]) => name.includes("hp_flow")).map(([, value]) => value))
    expect(values.size).toBe(1)
    for (const [name] of old) jar.set(name, [...values][0] ?? "")
    expect(await redeemedDuring(world, () => alice.browser.open(callback.href, { stopAt: isAfter }))).toBe(0)
  })
})

const isAfter = (url: URL): boolean => !isCallback(url)

/** The test browser sends the first form of a page, so all but the intended one are removed. */
const signOutForm = (text: string): string =>
  /<form[^>]*action="[^"]*signout"[^>]*>[\s\S]*?<\/form>/.exec(text)?.[0] ?? ""
