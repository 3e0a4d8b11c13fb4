// A stranger learns nothing about a link: unknown, foreign, expired and used links have the same page, status and
// number of reads. Only the addressed person sees the real state.

import { randomUUID } from "node:crypto"
import type { Storage } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import { createTestClock, type TestClock } from "@holdpoint/testing"
import type { Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { arrivePerson, ask, isCallback, type Person, reachCallback } from "./setup.ts"

let world: World
let clock: TestClock
const reads = { count: 0 }
beforeAll(async () => {
  clock = createTestClock(Date.now())
  world = await openWorld({ storage: counted(createMemoryStorage()), runtime: clock })
})
afterAll(() => world.close())

/** The same storage, with reads counted. */
function counted(storage: Storage): Storage {
  const isRead = (name: string): boolean => ["get", "list", "due", "read", "end"].includes(name)
  const watch = <T extends object>(part: T): T =>
    Object.fromEntries(
      Object.entries(part).map(([name, method]) => [
        name,
        (...given: unknown[]) => {
          if (isRead(name)) reads.count++
          return (method as (...all: unknown[]) => unknown)(...given)
        },
      ]),
    ) as T
  const { store, trail, records } = storage
  return { ...storage, store: watch(store), trail: watch(trail), records: (kind) => watch(records(kind)) }
}

const minute = 60_000

/** Links of alice in different states. */
async function linksOf(alice: Person): Promise<Readonly<Record<string, string>>> {
  const at = (id: string): string => `${world.server.publicUrl}/connect/${id}`
  const asked = (message: string) => ask(world, alice, { message, lifetimeMs: 30 * minute })
  const expired = await ask(world, alice, { message: "Expires.", lifetimeMs: minute })
  await clock.advance(2 * minute)
  const [open, begun, used, declined, withdrawn] = [
    await asked("Open."),
    await asked("Begun."),
    await asked("Used."),
    await asked("Declined."),
    await asked("Withdrawn."),
  ]
  await alice.browser.submit(await alice.browser.open(declined.link), { do: "no" })
  await world.server.hub.cancel(withdrawn.id)
  await alice.browser.open((await reachCallback(alice, world, used.link)).href)
  await reachCallback(alice, world, begun.link)
  const form = await world.server.hub.ask({
    message: "Which colour?",
    form: { type: "object", properties: { colour: { type: "string" } } },
    audience: { kind: "one", principal: world.person(alice.subject) },
    requester: { id: "painter" },
  })
  return {
    unknown: at(randomUUID()),
    foreign: open.link,
    begun: begun.link,
    expired: expired.link,
    used: used.link,
    declined: declined.link,
    withdrawn: withdrawn.link,
    form: at(form.id),
  }
}

interface Observed {
  readonly status: number
  readonly text: string
  readonly headers: readonly (readonly [string, string])[]
  readonly reads: number
}

async function observe(visit: () => Promise<Visited>): Promise<Observed> {
  reads.count = 0
  const { status, text, headers } = await visit()
  return { status, text, headers: [...headers].filter(([name]) => name !== "date"), reads: reads.count }
}

describe("to a stranger, links that are unknown, foreign, begun, expired, used, declined and withdrawn", () => {
  verifies("page.one-refusal", "have the same page, status, headers and number of reads", async () => {
    const alice = await arrivePerson(world, "alice")
    const mallory = await arrivePerson(world, "mallory")
    const links = await linksOf(alice)
    const own = await mallory.browser.open((await ask(world, mallory)).link)
    const csrf = /name="csrf" value="([^"]*)"/.exec(own.text)?.[1] ?? ""
    const post = (action: string) => ({
      method: "POST",
      body: new URLSearchParams({ csrf, do: action }),
      headers: { "sec-fetch-site": "same-origin" },
    })
    const ways: Readonly<Record<string, (link: string) => Promise<Visited>>> = {
      open: (link) => mallory.browser.ask(link),
      continue: (link) => mallory.browser.ask(`${link}/continue`),
      status: (link) => mallory.browser.ask(`${link}/status`),
      yes: (link) => mallory.browser.ask(link, post("continue")),
      no: (link) => mallory.browser.ask(link, post("no")),
      confirm: (link) => mallory.browser.ask(link, post("use")),
    }
    for (const [route, go] of Object.entries(ways)) {
      const unknown = await observe(() => go(links.unknown ?? ""))
      expect(unknown.status).toBe(404)
      for (const [what, link] of Object.entries(links))
        expect(await observe(() => go(link)), `${route}: ${what}`).toEqual(unknown)
    }
  })

  it("look the same in the inbox", async () => {
    const alice = await arrivePerson(world, "alice")
    const mallory = await arrivePerson(world, "mallory")
    const links = Object.values(await linksOf(alice)).map((link) => link.replace("/connect/", "/inbox/"))
    const all = []
    for (const link of links) all.push(await observe(() => mallory.browser.ask(link)))
    for (const one of all) expect(one).toEqual(all[0])
  })

  it("look the same to a visitor who is not signed in, except for their own address", async () => {
    const alice = await arrivePerson(world, "alice")
    for (const link of Object.values(await linksOf(alice))) {
      const visited = await fetch(link, { redirect: "manual" })
      expect(visited.status).toBe(303)
      const id = link.split("/").at(-1) ?? ""
      expect(visited.headers.get("location")).toBe(`/signin?to=${encodeURIComponent(`connect:${id}`)}`)
    }
  })
})

describe("to a stranger, callbacks whose state is unknown, foreign, used and expired", () => {
  verifies("page.one-refusal", "have the same page, status, headers and number of reads", async () => {
    const alice = await arrivePerson(world, "alice")
    const mallory = await arrivePerson(world, "mallory")
    const begin = async (message: string): Promise<URL> =>
      reachCallback(alice, world, (await ask(world, alice, { message })).link)
    const expired = await begin("Expires.")
    await clock.advance(11 * minute)
    const used = await begin("Used.")
    await alice.browser.open(used.href)
    const open = await begin("Open.")
    const openUrl = new URL(open)
    openUrl.searchParams.set("state", "A".repeat(43))
    const unknown = await observe(() => mallory.browser.ask(openUrl.href))
    expect([unknown.status, unknown.headers.find(([name]) => name === "location")?.[1]]).toEqual([
      303,
      openUrl.pathname,
    ])
    for (const callback of [open, used, expired])
      expect(await observe(() => mallory.browser.ask(callback.href))).toEqual(unknown)
  })
})

describe("the person whom a link is for", () => {
  it.each([
    ["expired", "This link has expired"],
    ["used", "Connected as"],
    ["declined", "You said no"],
    ["withdrawn", "withdrawn"],
  ])("sees that the link was %s", async (what, words) => {
    const alice = await arrivePerson(world, "alice")
    const page = await alice.browser.open((await linksOf(alice))[what] ?? "")
    expect(page.status).toBe(200)
    expect(page.text).toContain(words)
  })

  verifies("page.one-refusal", "cannot redeem a late answer of the provider, and can use a new link", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const late = await reachCallback(alice, world, link)
    await clock.advance(11 * minute)
    const before = world.notes.countTokens()
    const page = await alice.browser.open(late.href)
    expect(world.notes.countTokens()).toBe(before)
    expect(page.text).not.toContain("Connected as")
    const again = await alice.browser.submit(
      await alice.browser.open((await ask(world, alice)).link),
      { do: "continue" },
      { stopAt: isCallback },
    )
    expect((await alice.browser.open(again.url.href)).text).toContain("Connected as")
  })

  it("sees that a link has expired while its flow's record still exists, and nothing is redeemed", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const late = await reachCallback(alice, world, link)
    // The machine was asleep, so no timer has fired.
    clock.set(clock.now() + 11 * minute)
    const before = world.notes.countTokens()
    const page = await alice.browser.open(late.href)
    expect(page.text).toContain("This link has expired")
    expect(world.notes.countTokens()).toBe(before)
  })
})
