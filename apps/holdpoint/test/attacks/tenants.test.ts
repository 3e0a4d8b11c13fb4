// Access by tenants, roles, projects, and strangers who know an id: who may see, use and end a question or connection.

import { randomUUID } from "node:crypto"
import type { Owner } from "@holdpoint/accounts"
import type { Principal } from "@holdpoint/hub"
import { form, yesNo } from "@holdpoint/hub"
import type { JarBrowser, Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { sessionKind } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  arrivePerson,
  ask,
  connectionsOf,
  enterAs,
  expectUnusable,
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

const at = (path: string): string => `${world.server.publicUrl}${path}`

/** Posts with the person's own token, to any path. */
async function post(
  browser: JarBrowser,
  path: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Visited> {
  const own = await browser.open(at("/account"))
  const csrf = /name="csrf" value="([^"]*)"/.exec(own.text)?.[1] ?? ""
  const body = new URLSearchParams({ csrf, ...fields })
  return browser.ask(at(path), { method: "POST", body, headers: { "sec-fetch-site": "same-origin" } })
}

async function connected(name: string) {
  const person = await arrivePerson(world, name)
  const { id, link } = await ask(world, person)
  await person.browser.open((await reachCallback(person, world, link)).href)
  const [connection] = await connectionsOf(world, person)
  if (connection === undefined) throw new Error("not connected")
  return { ...person, question: id, connection }
}

describe("a question in the inbox of another person", () => {
  verifies(
    "trail.records-refusals",
    "shows nothing and takes no answer, and each attempt is in the trail",
    async () => {
      const [alice, bob] = await Promise.all([arrivePerson(world, "alice"), arrivePerson(world, "bob")])
      const { hub } = world.server
      const draft = { message: "Deploy?", form: form({ ok: yesNo() }), requester: { id: "deployer" } }
      const { id } = await hub.ask({ ...draft, audience: world.person(alice.subject) })
      const path = `/inbox/${id}`
      const opened = await bob.browser.open(at(path))
      const unknown = await bob.browser.open(at(`/inbox/${randomUUID()}`))
      expect([opened.status, opened.text]).toEqual([unknown.status, unknown.text])
      await post(bob.browser, path, { do: "decline" })
      expect(await hub.get(id)).toMatchObject({ status: "pending", revision: 1 })
      const entries = await hub.trail({ id, limit: 100 })
      const refused = entries.filter(({ kind }) => kind === "refused")
      expect(refused).toHaveLength(2)
      for (const { detail } of refused)
        expect(detail).toMatchObject({ code: "not_addressee", by: { subject: bob.subject } })
    },
  )
})

describe("a person with the same name in another tenant", () => {
  verifies("identity.tenants-apart", "sees no question, no connection and no session of the other person", async () => {
    const alice = await connected("alice")
    const { link, id } = await ask(world, alice, { message: "Open." })
    const twin = await enterAs(world, { ...world.person(alice.subject), tenant: "globex" })
    await expectUnusable(await twin.open(link), world, twin)
    await expectUnusable(await twin.open(at(`/inbox/${id}`)), world, twin)
    await expectUnusable(await twin.open(at(`/account/connections/${alice.connection.id}/disconnect`)), world, twin)
    const account = await twin.open(at("/account"))
    expect(account.text).not.toContain("Example Notes")
    expect(account.text).not.toContain(`${alice.subject}-at-notes`)
    // Only sessions other than the current one can be ended there.
    expect(account.text).not.toMatch(/"\/account\/sessions\/[^/"]+\/end"/)
    expect((await twin.open(at("/inbox"))).text).not.toContain("Open.")
  })

  it("cannot return with a provider's answer for the other person", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const callback = await reachCallback(alice, world, link)
    const twin = await enterAs(world, { ...world.person(alice.subject), tenant: "globex" })
    for (const [name, value] of alice.browser.cookies(world.server.publicUrl))
      if (name.includes("hp_flow")) twin.cookies(world.server.publicUrl).set(name, value)
    expect(await redeemedDuring(world, () => twin.open(callback.href))).toBe(0)
  })

  it("is a different person under another issuer, too", async () => {
    const alice = await connected("alice")
    const { link } = await ask(world, alice, { message: "Open." })
    const namesake = await enterAs(world, { ...world.person(alice.subject), issuer: "https://other.example" })
    await expectUnusable(await namesake.open(link), world, namesake)
    await expectUnusable(
      await namesake.open(at(`/account/connections/${alice.connection.id}/disconnect`)),
      world,
      namesake,
    )
  })
})

describe("a stranger who knows the id of a connection", () => {
  it("cannot disconnect it, and gets the same page for every id (account-link ownership, GHSA-g38m)", async () => {
    const alice = await connected("alice")
    const mallory = await arrivePerson(world, "mallory")
    for (const id of [alice.connection.id, "11111111-1111-4111-8111-111111111111"]) {
      await expectUnusable(await post(mallory.browser, `/account/connections/${id}/disconnect`), world, mallory.browser)
      await expectUnusable(
        await mallory.browser.open(at(`/account/connections/${id}/disconnect`)),
        world,
        mallory.browser,
      )
      await expectUnusable(await post(mallory.browser, `/account/connections/${id}/reconnect`), world, mallory.browser)
    }
    expect((await world.server.vault.get(alice.connection.id))?.status).toBe("active")
  })

  it("cannot point a question at it: a consent never changes another person's connection", async () => {
    const alice = await connected("alice")
    const mallory = await arrivePerson(world, "mallory")
    const { subject, issuer } = world.person(mallory.subject)
    const question = await world.server.hub.ask({
      url: (id) => at(`/connect/${id}`),
      message: "Connect.",
      audience: { kind: "one", principal: world.person(mallory.subject) },
      requester: { id: "x" },
      context: {
        ...{ trigger: "credential_required", provider: "notes", scopes: "notes.read", connection: alice.connection.id },
        ...{ owner: "person", ownerIssuer: issuer, ownerSubject: subject },
      },
    })
    // Mallory has the same account at the provider, which must not make her count as alice.
    const page = await mallory.browser.open(at(`/connect/${question.id}`))
    expect(page.text).not.toContain(`${alice.subject}-at-notes`)
    world.notes.settings.user = `${alice.subject}-at-notes`
    const reached = await mallory.browser.submit(page, { do: "continue" }, { stopAt: isCallback })
    expect((await mallory.browser.open(reached.url.href)).text).toContain("Connected as")
    expect(await world.server.vault.get(alice.connection.id)).toEqual(alice.connection)
    expect(await connectionsOf(world, mallory)).toHaveLength(1)
  })

  it("cannot end the owner's sessions", async () => {
    const alice = await arrivePerson(world, "alice")
    const mallory = await arrivePerson(world, "mallory")
    const [session] = await world.storage
      .records(sessionKind)
      .list({ tenant: "acme", limit: 200 })
      .then((all) => all.filter(({ principal }) => principal.subject === alice.subject))
    await post(mallory.browser, `/account/sessions/${session?.id}/end`)
    // Does not follow redirects, because the identity provider would sign her in again silently.
    expect((await alice.browser.ask(at("/inbox"))).status).toBe(200)
  })

  it("does not stop the owner from disconnecting it, here and at the provider", async () => {
    const alice = await connected("alice")
    const handle = await world.server.vault.use(alice.connection.id)
    const { authorization = "" } = (await handle.credentials()).headers
    expect((await post(alice.browser, `/account/connections/${alice.connection.id}/disconnect`)).status).toBe(200)
    const after = await world.server.vault.get(alice.connection.id)
    expect(after?.status).toBe("revoked")
    expect(after?.sealed).toBeUndefined()
    await expect(handle.fetch(`${world.notes.issuer}/me`)).rejects.toMatchObject({ code: "connection_revoked" })
    expect((await fetch(`${world.notes.issuer}/me`, { headers: { authorization } })).status).toBe(401)
  })
})

describe("what belongs to a project", () => {
  const project: Owner = { kind: "project", tenant: "acme", project: "apollo" }
  const admin = (tenant: string): Principal => ({ ...world.person(newSubject("admin")), tenant, roles: ["admin"] })

  verifies(
    "connection.of-a-project",
    "is requested only from administrators of its tenant (role audience)",
    async () => {
      const { link } = await ask(world, { subject: "unused" }, { owner: project, message: "For Apollo." })
      for (const principal of [
        world.person(newSubject("alice")),
        { ...world.person(newSubject("alice")), roles: ["editor", "Admin", "admin "] },
        admin("globex"),
      ]) {
        const stranger = await enterAs(world, principal)
        await expectUnusable(await stranger.open(link), world, stranger)
      }
      const browser = await enterAs(world, admin("acme"))
      expect((await browser.open(link)).text).toContain("apollo")
    },
  )

  it("is connected by the administrator who began, and not by another one who returns with the callback", async () => {
    const { link } = await ask(world, { subject: "unused" }, { owner: project, message: "Once more." })
    const [first, second] = [await enterAs(world, admin("acme")), await enterAs(world, admin("acme"))]
    world.notes.settings.user = "apollo-at-notes"
    const reached = await first.submit(await first.open(link), { do: "continue" }, { stopAt: isCallback })
    for (const [name, value] of first.cookies(world.server.publicUrl))
      if (name.includes("hp_flow")) second.cookies(world.server.publicUrl).set(name, value)
    expect(await redeemedDuring(world, () => second.open(reached.url.href))).toBe(0)
    expect(await redeemedDuring(world, () => first.open(reached.url.href))).toBe(0)
    expect((await first.submit(await first.open(link), { do: "continue" })).text).toContain("Connected as")
    const [connection] = await world.server.vault.list(project)
    expect(connection?.owner).toEqual(project)
  })

  it("is set up on the page only by administrators", async () => {
    const fields = { project: "zeus", provider: "notes", scopes: "notes.read" }
    const alice = await arrivePerson(world, "alice")
    await expectUnusable(await post(alice.browser, "/account/projects", fields), world, alice.browser)
    const browser = await enterAs(world, admin("acme"))
    const posted = await post(browser, "/account/projects", fields)
    expect(posted.status).toBe(303)
    expect(posted.headers.get("location")).toMatch(/^\/connect\//)
  })

  it("is disconnected only by administrators of its tenant", async () => {
    const { link } = await ask(world, { subject: "unused" }, { owner: project, message: "For Apollo again." })
    const owner = await enterAs(world, admin("acme"))
    expect((await owner.submit(await owner.open(link), { do: "continue" })).text).toContain("Connected as")
    const [connection] = await world.server.vault.list(project)
    const path = `/account/connections/${connection?.id}/disconnect`
    for (const principal of [world.person(newSubject("alice")), admin("globex")]) {
      const stranger = await enterAs(world, principal)
      await expectUnusable(await post(stranger, path), world, stranger)
    }
    expect((await world.server.vault.get(connection?.id ?? ""))?.status).toBe("active")
    await post(await enterAs(world, admin("acme")), path)
    expect((await world.server.vault.get(connection?.id ?? ""))?.status).toBe("revoked")
  })
})
