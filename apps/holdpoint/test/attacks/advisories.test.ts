// The attacks of published advisories that no other file of this folder covers.

import type { Owner } from "@holdpoint/accounts"
import type { Principal } from "@holdpoint/hub"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { flowKind } from "@holdpoint/testkit/records"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  arrivePerson,
  ask,
  connectionsOf,
  enterAs,
  isCallback,
  newSubject,
  reachCallback,
  redeemedDuring,
} from "./setup.ts"

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe("a flow", () => {
  it("without its verifier is not redeemed (CVE-2025-4144)", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id, link } = await ask(world, alice)
    const callback = await reachCallback(alice, world, link)
    const [flow] = await world.storage.records(flowKind).list({ tenant: "acme", owner: id, limit: 1 })
    if (flow?.sealed === undefined) throw new Error("no flow was stored")
    const binding = { tenant: flow.tenant, owner: flow.elicitation, record: flow.id }
    const { verifier: _verifier, ...rest } = world.sealer.open(binding, flow.sealed)
    await world.storage
      .records(flowKind)
      .replace({ ...flow, version: flow.version + 1, sealed: world.sealer.seal(binding, rest) })
    expect(await redeemedDuring(world, () => alice.browser.open(callback.href))).toBe(0)
    expect(await connectionsOf(world, alice)).toEqual([])
  })

  it("that was moved to another question in the database is not redeemed", async () => {
    const alice = await arrivePerson(world, "alice")
    const first = await ask(world, alice)
    const second = await ask(world, alice, { message: "Another question." })
    const callback = await reachCallback(alice, world, first.link)
    const [flow] = await world.storage.records(flowKind).list({ tenant: "acme", owner: first.id, limit: 1 })
    if (flow === undefined) throw new Error("no flow was stored")
    await world.storage.records(flowKind).replace({ ...flow, version: flow.version + 1, elicitation: second.id })
    await alice.browser.open(second.link)
    const redeemed = await redeemedDuring(world, async () => {
      expect((await alice.browser.open(callback.href)).status).toBeGreaterThanOrEqual(400)
    })
    expect(redeemed).toBe(0)
    world.problems.length = 0
  })

  it("that one administrator began cannot be finished, confirmed or restarted by another (CVE-2026-45337)", async () => {
    const owner: Owner = { kind: "project", tenant: "acme", project: "hermes" }
    const admin = (): Principal => ({ ...world.person(newSubject("admin")), roles: ["admin"] })
    const [first, second] = [await enterAs(world, admin()), await enterAs(world, admin())]
    const { id, link } = await ask(world, { subject: "unused" }, { owner })
    const seenBefore = await second.open(link)
    world.notes.settings.user = "hermes-at-notes"
    const reached = await first.submit(await first.open(link), { do: "continue" }, { stopAt: isCallback })
    const begunAgain = await second.submit(seenBefore, { do: "continue" }, { stopAt: isCallback })
    expect(begunAgain.url.pathname).toBe(`/connect/${id}`)
    expect((await second.open(`${link}/continue`)).url.pathname).toBe(`/connect/${id}`)
    await second.submit(seenBefore, { do: "use" })
    expect(await redeemedDuring(world, () => second.open(reached.url.href))).toBe(0)
    expect(await world.server.vault.list(owner)).toEqual([])
    const again = await first.submit(await first.open(link), { do: "continue" })
    expect(again.text).toContain("Connected as")
    expect(await world.server.vault.list(owner)).toHaveLength(1)
  })
})

describe("dots, slashes and percent signs", () => {
  it("in an address reach no file and bypass no check (CVE-2026-29045, CVE-2026-24473)", async () => {
    const paths = [
      "/assets/..%2f..%2fpackage.json",
      "/assets/%2e%2e%2fholdpoint.css",
      "/assets/..%5c..%5cpackage.json",
      "/assets//etc/passwd",
      "/assets/holdpoint.css%00.html",
      "/%61ccount",
      "/account%2f",
      "//account",
      "/account/",
      "/inbox%2fevents",
      "/connect/..%2faccount",
      "/oauth/callback/..%2f..%2faccount",
      "/ACCOUNT",
    ]
    for (const path of paths) {
      const answer = await openJarBrowser().ask(`${world.server.publicUrl}${path}`)
      expect([303, 400, 404], path).toContain(answer.status)
      expect(answer.text).not.toContain('"dependencies"')
      if (answer.status === 303) expect(answer.headers.get("location")).toMatch(/^\/signin\?to=/)
    }
  })
})
