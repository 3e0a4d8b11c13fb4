// The only thing that an unchecked program can do before a person is asked: show one of our pages.

import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { authorizeUrl, isBack, openScene, type Scene } from "./scene.ts"

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())
afterEach(() => expect(scene.problems).toEqual([]))

it("an invalid request does not redirect the browser, and the page names the program's address", async () => {
  const state = `"><script>alert(1)</script>`
  for (const more of [{ prompt: "none" }, { scope: "everything" }, { response_type: "token" }]) {
    const page = await openJarBrowser().open(authorizeUrl(scene, { ...more, state }), { stopAt: isBack })
    expect([page.status, page.url.origin]).toEqual([400, scene.server.publicUrl])
    expect(page.text).toContain("This request cannot be answered")
    expect(page.text).toContain("Back to writer.example")
    expect(page.text).not.toMatch(/http-equiv="refresh"|<script>alert/)
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
  }
})

it("too many anonymous requests do not end a sign-in in progress", async () => {
  const busy = await openScene({ requestsPerMinute: 1 })
  try {
    const browser = await busy.signIn("alice")
    const page = await browser.open(authorizeUrl(busy), { stopAt: isBack })
    const other = await openJarBrowser().open(authorizeUrl(busy), { stopAt: isBack })
    expect(other.text).toContain("too many requests at the moment")
    const back = await browser.submit(page, { do: "allow" }, { stopAt: isBack })
    expect(back.url.searchParams.has("code")).toBe(true)
  } finally {
    await busy.close()
  }
})
