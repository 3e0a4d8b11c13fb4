// Keys of programs on the account page: one's own for every person, those of the tenant for administrators.

import type { Principal } from "@holdpoint/hub"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import type { JarBrowser, Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { arrivePerson, enterAs, newSubject } from "../attacks/setup.ts"

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const accountOf = (browser: JarBrowser): Promise<Visited> => browser.open(`${world.server.publicUrl}/account`)

/** The part of a page with the form that posts to this path. */
function at(page: Visited, action: string): Visited {
  const from = page.text.indexOf(`action="${action}"`)
  if (from === -1) throw new Error(`There is no form for ${action}.`)
  return { ...page, text: page.text.slice(page.text.lastIndexOf("<form", from)) }
}

async function make(browser: JarBrowser, fields: Readonly<Record<string, string>>) {
  const page = await browser.submit(at(await accountOf(browser), "/account/keys"), fields)
  const [key = ""] = /hp_[0-9a-f]{16}_[\w-]{43}/.exec(page.text) ?? []
  noteCanary("program_key", key)
  return { page, key }
}

const removePath = (page: Visited): string =>
  /action="(\/account\/keys\/[0-9a-f]{16}\/remove)"/.exec(page.text)?.[1] ?? ""

async function ask(key: string, audience: unknown) {
  const body = JSON.stringify({ message: "Go on?", confirm: true, audience })
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${world.server.publicUrl}/api/questions`, { method: "POST", headers, body })
  return { status: response.status, body: (await response.json()) as { readonly code?: string } }
}

const wireOf = ({ issuer, subject }: Principal) => ({ issuer, subject })
const admin = async () => {
  const principal = { ...world.person(newSubject("root")), roles: ["admin"] }
  return { principal, browser: await enterAs(world, principal) }
}

describe("a person", () => {
  it("makes a key that asks only them, sees it once, and withdraws it", async () => {
    const alice = await arrivePerson(world, "alice")
    const { page: created, key } = await make(alice.browser, { name: "My script", to: "anyone" })
    expect(created.status).toBe(200)
    expect(created.headers.get("cache-control")).toBe("no-store")
    expect((await ask(key, wireOf(world.person(alice.subject)))).status).toBe(201)
    expect((await ask(key, wireOf(world.person("bob")))).body.code).toBe("not_allowed")
    const page = await accountOf(alice.browser)
    expect(page.text).toContain("My script")
    expect(page.text).toContain(`${key.slice(0, 20)}…`)
    expect(page.text).not.toContain(key)
    expect(page.text).toContain("Last used")
    await alice.browser.submit(at(page, removePath(page)), {})
    expect((await ask(key, wireOf(world.person(alice.subject)))).status).toBe(401)
    expect((await accountOf(alice.browser)).text).not.toContain("My script")
  })

  it("can neither see nor withdraw another person's key", async () => {
    const [alice, bob] = [await arrivePerson(world, "alice"), await arrivePerson(world, "bob")]
    const { key } = await make(alice.browser, { name: "Hers" })
    const path = removePath(await accountOf(alice.browser))
    const page = await accountOf(bob.browser)
    expect(page.text).not.toContain("Hers")
    const forged = {
      ...page,
      text: `<form method="post" action="${path}">${/<input[^>]*name="csrf"[^>]*>/.exec(page.text)?.[0]}`,
    }
    expect((await bob.browser.submit(forged, {})).status).toBe(404)
    expect((await ask(key, wireOf(world.person(alice.subject)))).status).toBe(201)
  })

  it("is told what is wrong with a name, and finds their entries in the form", async () => {
    const alice = await arrivePerson(world, "alice")
    await make(alice.browser, { name: "ci" })
    const again = await make(alice.browser, { name: "ci" })
    expect([again.page.status, again.key]).toEqual([422, ""])
    expect(again.page.text).toContain("Another program has this name.")
    expect(again.page.text).toMatch(/<input type="text" name="name"[^>]* value="ci">/)
    expect((await make(alice.browser, { name: " " })).page.text).toContain("The name must not be empty.")
  })

  it("cannot make a key from a page of another site", async () => {
    const alice = await arrivePerson(world, "alice")
    const page = at(await accountOf(alice.browser), "/account/keys")
    const foreign = await alice.browser.submit(page, { name: "evil" }, { headers: { "sec-fetch-site": "cross-site" } })
    expect(foreign.status).toBe(403)
    expect((await alice.browser.submit(page, { name: "evil", csrf: "x" })).status).toBe(403)
    expect((await accountOf(alice.browser)).text).not.toContain("evil")
  })
})

describe("an administrator", () => {
  it("makes keys for a role and for anyone, and withdraws those of others", async () => {
    const root = await admin()
    const managers = await make(root.browser, { name: newSubject("managers"), to: "role", role: "manager" })
    expect((await ask(managers.key, { role: "manager" })).status).toBe(201)
    expect((await ask(managers.key, { role: "admin" })).body.code).toBe("not_allowed")
    const anyone = await make(root.browser, { name: newSubject("anyone"), to: "anyone" })
    expect((await ask(anyone.key, wireOf(world.person("bob")))).status).toBe(201)
    const wrong = await make(root.browser, { name: newSubject("wrong"), to: "role", role: "" })
    expect([wrong.page.status, wrong.page.text]).toEqual([422, expect.stringContaining("The role must not be empty.")])
    expect(wrong.page.text).toContain('<option value="role" selected>')
    const alice = await arrivePerson(world, "alice")
    const hers = await make(alice.browser, { name: newSubject("hers") })
    const page = await accountOf(root.browser)
    await root.browser.submit(at(page, `/account/keys/${hers.key.slice(3, 19)}/remove`), {})
    expect((await ask(hers.key, wireOf(world.person(alice.subject)))).status).toBe(401)
  })
})
