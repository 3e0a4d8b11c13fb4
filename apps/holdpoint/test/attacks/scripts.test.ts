// Text that would be a script if a page trusted it: from askers, clients, providers, identity providers and addresses.

import { openJarBrowser, type Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { arrivePerson, ask, isCallback, listenTo, reachCallback } from "./setup.ts"

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

function expectHarmless(...pages: readonly (Visited | string)[]): void {
  for (const page of pages) {
    const text = typeof page === "string" ? page : page.text
    expect(text).not.toMatch(/<script>alert|<img src=x|onerror=alert\(2\)>/)
    expect(text).not.toMatch(/(?:href|src|action|content)="[^"]*javascript:/i)
  }
}

describe("a script", () => {
  verifies("page.text-is-text", "in the names of asker, client and message is text on every page", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id, link } = await ask(world, alice, {
      requester: { id: "x", name: hostile },
      client: { name: hostile },
      message: hostile,
    })
    const page = await alice.browser.open(link)
    expect(page.text).toContain("&lt;script&gt;")
    const base = world.server.publicUrl
    const inbox = await alice.browser.open(`${base}/inbox`)
    const question = await alice.browser.open(`${base}/inbox/${id}`)
    const declined = await alice.browser.submit(page, { do: "no" })
    const account = await alice.browser.open(`${base}/account`)
    expectHarmless(page, inbox, question, declined, account)
  })

  verifies(
    "provider.says-nothing-here",
    "in `error_description` is never shown, nor is an unknown `error` (CVE-2026-1721)",
    async () => {
      const alice = await arrivePerson(world, "alice")
      const { link } = await ask(world, alice)
      for (const error of ["access_denied", hostile]) {
        const callback = await reachCallback(alice, world, link)
        callback.searchParams.delete("code")
        for (const name of ["error", "error_description", "error_uri"])
          callback.searchParams.set(name, name === "error" ? error : hostile)
        const page = await alice.browser.open(callback.href)
        expectHarmless(page)
        expect(page.text).not.toContain("alert(1)")
      }
    },
  )

  it("in the name of the account is text", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const page = await alice.browser.open(link)
    world.notes.settings.user = hostile
    const reached = await alice.browser.submit(page, { do: "continue" }, { stopAt: isCallback })
    const done = await alice.browser.open(reached.url.href)
    expect(done.text).toContain("Connected as")
    expect(done.text).toContain("&lt;script&gt;")
    const account = await alice.browser.open(`${world.server.publicUrl}/account`)
    expect(account.text).toContain("&lt;script&gt;")
    expectHarmless(done, account)
  })

  it("in the name of the person is text", async () => {
    const browser = await world.signIn(hostile)
    const inbox = await browser.open(`${world.server.publicUrl}/inbox`)
    expect(inbox.text).toContain("&lt;script&gt;")
    expectHarmless(inbox, await browser.open(`${world.server.publicUrl}/account`))
  })

  it("in any part of an address is not repeated on a page", async () => {
    const { browser } = await arrivePerson(world, "alice")
    const text = encodeURIComponent(hostile)
    const paths = [
      `/connect/${text}`,
      `/inbox/${text}`,
      `/nowhere/${text}`,
      `/signin?choose&problem=${text}&to=${text}`,
      `/signin/${text}?to=${text}`,
      `/oauth/callback/${text}?state=${text}&code=${text}&error=${text}`,
      `/oauth/provision?id=${text}`,
      `/signin/callback?state=${text}&error=${text}`,
      `/assets/${text}`,
    ]
    const listening = listenTo(world)
    try {
      for (const path of paths) await browser.open(`${world.server.publicUrl}${path}`)
    } finally {
      listening.stop()
    }
    expect(listening.sent.length).toBeGreaterThanOrEqual(paths.length)
    expectHarmless(...listening.sent)
    for (const text of listening.sent) expect(text).not.toContain("&lt;script&gt;")
  })

  it("in our API responses cannot run: they are JSON, and their headers say so", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const status = await alice.browser.ask(`${link}/status`)
    expect(status.headers.get("content-type")).toBe("application/json")
    expect(status.headers.get("x-content-type-options")).toBe("nosniff")
  })
})

describe("an address that would run a script (javascript:, data:)", () => {
  it("is accepted neither for a question nor as a return target", async () => {
    const audience = { kind: "one", principal: world.person("alice") } as const
    for (const url of ["javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:x"])
      await expect(
        world.server.hub.ask({ url, message: "Open.", audience, requester: { id: "x" } }),
      ).rejects.toMatchObject({ code: "unsafe_url" })
    const page = await openJarBrowser().open(`${world.server.publicUrl}/signin?to=javascript:alert(1)`)
    expectHarmless(page)
  })
})
