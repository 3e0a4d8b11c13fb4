// The page on which a person lets a program act in their name, and attacks on it.

import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { type JarBrowser, openJarBrowser, type Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { newSecret } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { startServer } from "../../src/serve/server.ts"
import { authorizeUrl, clientId, isBack, openScene, redirectUri, type Scene } from "./scene.ts"

let scene: Scene
beforeAll(async () => {
  const clients = [{ clientId: "desk", name: "Desk", redirectUris: ["http://127.0.0.1/callback"] }]
  scene = await openScene({ clients })
})
afterAll(() => scene.close())
afterEach(() => expect(scene.problems).toEqual([]))

const begin = async (browser: JarBrowser, more: Readonly<Record<string, string>> = {}): Promise<Visited> =>
  browser.open(authorizeUrl(scene, more), { stopAt: isBack })

const allow = (browser: JarBrowser, page: Visited): Promise<Visited> =>
  browser.submit(page, { do: "allow" }, { stopAt: isBack })

/** A separate client metadata document for each test, because earlier consents are remembered. */
let counted = 0
const newClient = (more: Readonly<Record<string, unknown>> = {}) => {
  const id = `https://writer.example/client-${++counted}.json`
  scene.documents.set(id, { client_id: id, client_name: "Writer", redirect_uris: [redirectUri], ...more })
  return { client_id: id }
}

describe("the consent page", () => {
  verifies(
    "authority.consent-per-client",
    "names the program, its scopes, where the answer goes, and who is asked",
    async () => {
      const browser = await scene.signIn("alice")
      const { text, headers, status, url } = await begin(browser, { ...newClient(), scope: "notes.read notes.write" })
      expect([status, url.pathname.split("/")[1]]).toEqual([200, "authorize"])
      for (const words of ["Let “Writer” use Example Notes?", "“Writer”", "as it calls itself", "writer.example"])
        expect(text).toContain(words)
      for (const words of [
        "Read your notes",
        "Change your notes",
        "Signed in as <strong>Alice</strong>",
        scene.mcp.host,
      ])
        expect(text).toContain(words)
      expect(headers.get("x-frame-options")).toBe("DENY")
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
      expect(headers.get("cache-control")).toBe("no-store")
      expect(headers.get("referrer-policy")).toBe("no-referrer")
    },
  )

  it("warns of a program on the machine, which any other could claim to be", async () => {
    const browser = await scene.signIn("alice")
    const { text } = await begin(browser, { client_id: "desk", redirect_uri: "http://127.0.0.1:5001/callback" })
    for (const words of ["Let Desk use", "registered by the administrator of this server", "127.0.0.1:5001"])
      expect(text).toContain(words)
    expect(text).toContain("only if you have just started this yourself")
    expect(text).not.toContain("as it calls itself")
  })

  it.each([
    ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    [undefined, "writer.example"],
    ["Trusted\u202egnp.exe", "writer.example"],
    ["x".repeat(500), "writer.example"],
  ])("safely shows a program that calls itself %s", async (client_name, displayName) => {
    const browser = await scene.signIn("alice")
    const { text } = await begin(browser, newClient({ client_name }))
    expect(text).toContain(`Let “${displayName}” use`)
    expect(text).not.toContain("<script>alert")
    expect(text).not.toContain("\u202e")
  })

  it("asks for a sign-in first, and lets another person answer instead", async () => {
    const browser = openJarBrowser()
    scene.people.settings.user = "alice"
    const asked = newClient()
    const page = await begin(browser, asked)
    expect(page.hops.some((hop) => hop.includes("/signin"))).toBe(true)
    expect(page.text).toContain("<strong>Alice</strong>")
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? ""
    const to = `authorize:${page.url.pathname.split("/")[2]}`
    const out = await browser.submit({ ...page, text: '<form method="post" action="/signout">' }, { csrf, to })
    expect(out.text).toContain("A program asks to act in your name.")
    scene.people.settings.user = "bob"
    browser.cookies(scene.people.issuer).clear()
    const signInPath = /href="(\/signin\/people[^"]*)"/.exec(out.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
    const again = await browser.open(new URL(signInPath, scene.server.publicUrl).href)
    expect(again.text).toContain("<strong>Bob</strong>")
    expect((await allow(browser, again)).url.searchParams.has("code")).toBe(true)
  })

  it("redirects back from a separate page, because form-action would block it", async () => {
    const browser = await scene.signIn("alice")
    const page = await begin(browser, newClient())
    const isOnItsWay = (url: URL): boolean => url.pathname.endsWith("/continue")
    const answered = await browser.submit(page, { do: "allow" }, { stopAt: isOnItsWay })
    expect((await browser.ask(answered.url.href)).status).toBe(200)
    const { url, hops } = await browser.open(answered.url.href, { stopAt: isBack })
    expect(hops.slice(-3).map((hop) => new URL(hop).pathname.replace(/[\w-]{20,}/, "ID"))).toEqual([
      "/authorize/ID/continue",
      "/oauth/authorize/ID",
      "/callback",
    ])
    expect(url.searchParams.get("iss")).toBe(scene.server.publicUrl)
    expect((await browser.open(page.url.href)).status).toBe(404)
  })

  it("is identical for a stranger and for a request that does not exist", async () => {
    const page = await begin(await scene.signIn("alice"), newClient())
    const stranger = await scene.signIn("bob")
    const foreign = await stranger.open(page.url.href)
    const unknown = await stranger.open(`${scene.server.publicUrl}/authorize/${"x".repeat(43)}`)
    expect([foreign.status, unknown.status]).toEqual([404, 404])
    expect(foreign.text).toBe(unknown.text)
  })
})

describe("a consent that a person gave before", () => {
  it("is not asked for again until the program wants more or insists", async () => {
    const asked = newClient()
    const browser = await scene.signIn("alice")
    await allow(browser, await begin(browser, asked))
    const again = await begin(await scene.signIn("alice"), asked)
    expect(again.url.searchParams.has("code")).toBe(true)
    const more = await begin(await scene.signIn("alice"), { ...asked, scope: "notes.read notes.write" })
    expect(more.text).toMatch(/Change your notes <span class="tag">new<\/span>/)
    expect(more.text).not.toMatch(/Read your notes <span class="tag">new<\/span>/)
    const insisting = await begin(await scene.signIn("alice"), { ...asked, prompt: "consent" })
    expect(insisting.text).toContain("Let “Writer” use")
    const other = await begin(await scene.signIn("bob"), asked)
    expect(other.text).toContain("Let “Writer” use")
  })

  it("is asked for every time by a program that redirects to loopback", async () => {
    const asked = { client_id: "desk", redirect_uri: "http://127.0.0.1:43117/callback" }
    const browser = await scene.signIn("alice")
    expect((await allow(browser, await begin(browser, asked))).url.searchParams.has("code")).toBe(true)
    expect((await begin(browser, asked)).text).toContain("Let Desk use")
  })

  it("does not count for a program that requires a fresh sign-in", async () => {
    const asked = newClient()
    const browser = await scene.signIn("alice")
    await allow(browser, await begin(browser, asked))
    const page = await begin(browser, { ...asked, prompt: "login" })
    expect(page.url.pathname).toBe("/signin")
  })
})

describe("on the account page", () => {
  verifies("authority.revocation", "a person sees which programs act in their name, and stops them", async () => {
    const asked = newClient({ client_name: "Stoppable" })
    const browser = await scene.signIn("carol")
    await allow(browser, await begin(browser, asked))
    const account = await browser.open(`${scene.server.publicUrl}/account`)
    for (const words of ["Programs that act in your name", "Stoppable", "writer.example, uses Example Notes"])
      expect(account.text).toContain(words)
    const [path = ""] = /\/account\/programs\/[\w-]+\/withdraw/.exec(account.text) ?? []
    const others = await scene.signIn("dave")
    const foreign = await others.open(`${scene.server.publicUrl}/account`)
    expect(foreign.text).not.toContain("Stoppable")
    await others.submit({ ...foreign, text: formTo(path, foreign) }, {})
    expect((await begin(browser, asked)).url.searchParams.has("code")).toBe(true)
    expect((await browser.submit({ ...account, text: formTo(path, account) }, { csrf: "forged" })).status).toBe(403)
    const after = await browser.submit({ ...account, text: formTo(path, account) }, {})
    expect(after.text).not.toContain("Stoppable")
    expect((await begin(browser, asked)).text).toContain("Let “Stoppable” use")
  })

  const formTo = (path: string, { text }: Visited): string =>
    `<form method="post" action="${path}">${/<input type="hidden" name="csrf" value="[^"]*">/.exec(text)?.[0]}`
})

describe("an attacker", () => {
  it("with the link of another person's request sees nothing and decides nothing", async () => {
    const theirs = await scene.signIn("alice")
    const page = await begin(theirs, newClient())
    const mallory = await scene.signIn("mallory")
    const own = await begin(mallory, newClient())
    const tried = await mallory.submit(
      { ...own, url: page.url, text: own.text.replaceAll(own.url.pathname, page.url.pathname) },
      { do: "allow" },
    )
    expect(tried.status).toBe(404)
    expect((await theirs.open(page.url.href)).text).toContain("Let “Writer” use")
  })

  verifies(
    "authority.browser-bound",
    "gets no code by having another person open a request that the attacker began",
    async () => {
      const mallory = await scene.signIn("mallory")
      const begun = await begin(mallory, newClient())
      const alice = await scene.signIn("alice")
      expect((await alice.open(begun.url.href)).status).toBe(404)
      const id = begun.url.pathname.split("/")[2]
      for (const path of [`/authorize/${id}/continue`, `/oauth/authorize/${id}`])
        expect(
          (await alice.open(`${scene.server.publicUrl}${path}`, { stopAt: isBack })).url.searchParams.has("code"),
        ).toBe(false)
      const resumed = await mallory.open(`${scene.server.publicUrl}/oauth/authorize/${id}`, { stopAt: isBack })
      expect(resumed.url.searchParams.has("code")).toBe(false)
    },
  )

  const forged: readonly (readonly [string, Readonly<Record<string, string>>, Readonly<Record<string, string>>])[] = [
    ["without the token of the form", { csrf: "" }, {}],
    ["with another token", { csrf: "x".repeat(43) }, {}],
    ["from another site", {}, { "sec-fetch-site": "cross-site" }],
    ["from a sibling host", {}, { "sec-fetch-site": "same-site" }],
    ["from another origin", {}, { origin: "https://evil.example" }],
  ]
  it.each(forged)("cannot have the form posted %s", async (_name, fields, headers) => {
    const browser = await scene.signIn("alice")
    const page = await begin(browser, newClient())
    const posted = await browser.submit(page, { do: "allow", ...fields }, { headers, stopAt: isBack })
    expect(posted.status).toBe(403)
    expect((await browser.open(page.url.href)).text).toContain("Let “Writer” use")
  })

  it("cannot answer for a person who has since signed out", async () => {
    const browser = await scene.signIn("alice")
    const page = await begin(browser, newClient())
    browser.cookies(scene.server.publicUrl).delete("hp_session")
    scene.people.settings.user = "bob"
    const posted = await browser.submit(page, { do: "allow" }, { stopAt: isBack })
    expect(posted.url.searchParams.has("code")).toBe(false)
  })

  it("cannot have an answer sent to a foreign address, and a page of ours tells the person why", async () => {
    const page = await begin(openJarBrowser(), { redirect_uri: "https://evil.example/callback" })
    expect(page.status).toBe(400)
    expect(page.text).toContain("wants its answer sent to an address that is not its own")
    expect(page.text).toContain("holdpoint.css")
    expect(page.text).not.toContain("evil")
  })

  it("cannot redeem a stolen code, neither as its program nor as another one", async () => {
    const browser = await scene.signIn("alice")
    const back = await allow(browser, await begin(browser, newClient()))
    for (const client_id of [clientId, "desk"]) {
      const body = new URLSearchParams({
        ...{ grant_type: "authorization_code", code: back.url.searchParams.get("code") ?? "", client_id },
        ...{ redirect_uri: redirectUri, code_verifier: "v".repeat(43) },
      })
      const response = await fetch(`${scene.server.publicUrl}/oauth/token`, { method: "POST", body })
      expect(response.status).toBe(400)
    }
  })
})

describe("in local mode", () => {
  it("there is no authorization server, and a configuration that wants one is refused with the reason", async () => {
    const storage = createMemoryStorage()
    const resources = [{ resource: "http://127.0.0.1:1/mcp", name: "Notes", scopes: { all: "Everything" } }]
    const started = startServer({
      ...{ storage, keys: withNewKey(), providers: [], host: "127.0.0.1", port: 0 },
      ...{ people: { from: "local", user: "me", secret: newSecret() }, authorization: { resources } },
    })
    await expect(started).rejects.toThrow("needs people who sign in")
    await storage.close()
  })
})
