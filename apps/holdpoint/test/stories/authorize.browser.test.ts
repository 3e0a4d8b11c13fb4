// A program on a person's machine requests access on their behalf: from the address that it opens in a real browser to
// its token.

import { createHash } from "node:crypto"
import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { tabTo } from "./people.ts"
import { openStage, type Stage } from "./world.ts"

const resource = "https://notes.example/mcp"
const verifier = "verifier-of-the-program-on-the-machine-of-alice"
noteCanary("verifier", verifier)

let stage: Stage
let program: HttpServer
/** The callbacks that the program received. */
const redirects: URL[] = []
beforeAll(async () => {
  program = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://127.0.0.1")
    if (url.pathname === "/callback") {
      redirects.push(url)
      noteCanary("code", url.searchParams.get("code"))
    }
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Desk</title><h1>Back at the desk</h1>")
  })
  await new Promise<void>((resolve) => program.listen(0, "127.0.0.1", resolve))
  stage = await openStage({
    authorization: {
      resources: [{ resource, name: "Notes", scopes: { "notes.read": "Read your notes" } }],
      clients: [{ clientId: "desk", name: "Desk", redirectUris: ["http://127.0.0.1/callback"] }],
    },
  })
})
afterAll(async () => {
  program.closeAllConnections()
  program.close()
  await stage.close()
})
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  expect(stage.problems).toEqual([])
})

const redirectUri = (): string => `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`

const address = (): string =>
  `${stage.server.publicUrl}/oauth/authorize?${new URLSearchParams({
    ...{ client_id: "desk", redirect_uri: redirectUri(), response_type: "code", state: "s", resource },
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  })}`

describe("alice", () => {
  verifies(
    "authority.from-call-to-token",
    "signs in, reads who asks for what, allows it with the keyboard, and the program gets its token",
    async () => {
      const page = await stage.arrive()
      await page.goto(address())
      await stage.signIn(page, "alice")
      await stage.look(page, "Let Desk use Notes?")
      const words = await page.getByRole("main").innerText()
      for (const text of ["Read your notes", "registered by the administrator of this server", "Signed in as Alice"])
        expect(words).toContain(text)
      await tabTo(page, "Allow")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Back at the desk" }).waitFor()
      const code = redirects.at(-1)?.searchParams.get("code") ?? ""
      expect(redirects.at(-1)?.searchParams.get("iss")).toBe(stage.server.publicUrl)
      const body = new URLSearchParams({
        ...{ grant_type: "authorization_code", client_id: "desk", redirect_uri: redirectUri(), code },
        code_verifier: verifier,
      })
      const response = await fetch(`${stage.server.publicUrl}/oauth/token`, { method: "POST", body })
      const tokens = (await response.json()) as Record<string, unknown>
      noteCanary("access_token", tokens.access_token)
      noteCanary("refresh_token", tokens.refresh_token)
      expect([response.status, tokens.scope]).toEqual([200, "notes.read"])
    },
  )

  it("says no, and the program gets access_denied", async () => {
    const page = await stage.arriveAs("alice")
    await page.goto(address())
    await page.getByRole("button", { name: "Deny" }).click()
    await page.getByRole("heading", { name: "Back at the desk" }).waitFor()
    expect(redirects.at(-1)?.searchParams.get("error")).toBe("access_denied")
  })

  it("finds bob signed in, signs him out, and continues as herself", async () => {
    const page = await stage.arrive()
    await page.goto(address())
    await stage.signIn(page, "bob")
    await page.getByRole("button", { name: "Not you? Sign out" }).click()
    await stage.look(page, "Sign in")
    await page.getByRole("link", { name: "Continue with" }).click()
    await stage.signIn(page, "alice")
    await stage.look(page, "Let Desk use Notes?")
    expect(await page.getByRole("main").innerText()).toContain("Signed in as Alice")
  })
})

describe("a link to the page", () => {
  it("shows nothing in another person's browser, and still works in the first one", async () => {
    const page = await stage.arriveAs("alice")
    await page.goto(address())
    await page.getByRole("heading", { name: "Let Desk use Notes?" }).waitFor()
    const other = await stage.arriveAs("bob")
    await other.goto(page.url())
    await stage.look(other, "This link cannot be used")
    await page.getByRole("button", { name: "Allow" }).click()
    await page.getByRole("heading", { name: "Back at the desk" }).waitFor()
  })
})
