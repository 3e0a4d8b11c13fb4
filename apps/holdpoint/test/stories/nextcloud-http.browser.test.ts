// The Nextcloud server over HTTP: people sign in, programs need their permission first, and access is by OAuth, whose
// authorization addresses are checked to the last parameter.

import { type Oidc, oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Site, startSite } from "../attacks/setup.ts"
import { createProgram } from "../authorization/scene.ts"
import { dataOf, linkOf, type NextcloudProgram, textOf } from "./nextcloud-program.ts"
import { grantAt, grantInTab, type NextcloudStage, openNextcloudStage, signInAt } from "./nextcloud-world.ts"
import type { People } from "./people.ts"

let stage: NextcloudStage
/** The identity provider. */
let oidc: Oidc
/** Where a program on alice's machine waits for the callback of the authorization server. */
let desk: Site
beforeAll(async () => {
  desk = await startSite((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Desk</title><h1>Back at the desk</h1>")
  })
  ;[stage, oidc] = await Promise.all([openNextcloudStage(), startOidc({ emailDomain: "example.org" })])
})
afterAll(async () => {
  await stage.close()
  await oidc.close()
  await desk.close()
})
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  stage.cloud.world.tokens.clear()
})

/** Opens a program that gets a token after a 401: alice signs in, and allows the program. */
async function openWithLeave(pages: string, page: Page, signIn: () => Promise<void>): Promise<NextcloudProgram> {
  const authProvider = createProgram(undefined, `${desk.url}/callback`)
  const target = { url: `${pages}/mcp`, fetch, authProvider }
  await expect(stage.reach({ kind: "v2 auto" }, target)).rejects.toThrow("Unauthorized")
  await page.goto(authProvider.sent.at(-1)?.href ?? "")
  await signIn()
  await page.getByRole("heading", { name: "Let “Writer” use Nextcloud tools?" }).waitFor()
  expect(await page.getByRole("main").innerText()).toContain("Use the Nextcloud tools in your name")
  await page.getByRole("button", { name: "Allow" }).click()
  await page.getByRole("heading", { name: "Back at the desk" }).waitFor()
  const answer = new URL(page.url()).searchParams
  noteCanary("code", answer.get("code") ?? "")
  await new StreamableHTTPClientTransport(new URL(target.url), { authProvider }).finishAuth(answer)
  return stage.reach({ kind: "v2 auto" }, target)
}

describe("people who sign in", () => {
  it("get their own notes after they allow the program and connect Nextcloud; no other person can use the link", async () => {
    const { name } = stage
    const pages = await stage.serve({
      OIDC_DISCOVERY_URL: `${oidc.issuer}/.well-known/openid-configuration`,
      OIDC_CLIENT_ID: oidcClient.id,
      OIDC_CLIENT_SECRET: oidcClient.secret,
    })
    oidc.allowRedirect(`${pages}/signin/callback`)
    const people = stage.people(pages)
    const page = await people.arrive()
    oidc.settings.user = "alice"
    const program = await openWithLeave(pages, page, async () => {})
    const listed = program.call("nc_notes_list_notes")
    const asked = await program.prompt(1)
    expect(asked.message).toBe(`Nextcloud tools asks you to connect ${name}, to read your notes.`)

    const bob = await people.arrive()
    oidc.settings.user = "bob"
    await bob.goto(linkOf(asked))
    await people.look(bob, "This link cannot be used")

    await page.goto(linkOf(asked))
    await people.look(page, `Connect ${name}?`)
    await page.getByRole("button", { name: `Continue to ${name}` }).click()
    await grantInTab(page, "alice")
    await people.look(page, "Connected as Alice Example")
    const notes = await listed
    expect(notes, textOf(notes)).toMatchObject({ isError: false })
    expect(program.prompts).toHaveLength(1)
  })
})

/** Presses the button, and returns the address to which it redirects the browser. */
async function departure(page: Page): Promise<URL> {
  const [address] = await Promise.all([
    authorization(page),
    page.getByRole("button", { name: `Continue to ${stage.name}` }).click(),
  ])
  return address
}

/** Resolves with the next request to Nextcloud's authorization endpoint. */
async function authorization(page: Page): Promise<URL> {
  const request = await page.waitForRequest((one) => one.url().startsWith(`${stage.cloud.url}/`))
  const address = new URL(request.url())
  for (const kind of ["state", "nonce"] as const) noteCanary(kind, address.searchParams.get(kind))
  return address
}

/** Expects exactly these parameters, each once. */
function expectParameters({ searchParams }: URL, wanted: Readonly<Record<string, unknown>>): void {
  expect([...searchParams.keys()].sort()).toEqual(Object.keys(wanted).sort())
  expect(Object.fromEntries(searchParams)).toEqual(wanted)
}

/** At least 128 bits in base64url. */
const random = expect.stringMatching(/^[\w-]{22,}$/)

/** Expects that a callback for another browser's request has no effect. */
async function expectRefused(people: People, page: Page, answer: URL): Promise<void> {
  await page.goto(answer.href)
  await people.look(page, "This link cannot be used")
}

describe("OAuth 2 of Nextcloud's core", () => {
  it("gets only parameters that it knows, and its answer counts only in the browser that asked", async () => {
    const { cloud, name } = stage
    const client = { clientId: "client-of-the-core-oauth-app", clientSecret: "secret-of-the-core-oauth-app" }
    noteCanary("client_secret", client.clientSecret)
    const pages = await stage.serve({
      NEXTCLOUD_OAUTH_CLIENT_ID: client.clientId,
      NEXTCLOUD_OAUTH_CLIENT_SECRET: client.clientSecret,
    })
    const redirectUri = `${pages}/oauth/callback/nextcloud`
    cloud.world.clients.add({ id: 1, name: "Nextcloud tools", redirectUri, ...client })
    const program = await stage.reach({ kind: "v2 auto" }, { url: `${pages}/mcp`, fetch })
    const listed = program.call("nc_notes_list_notes")
    const link = linkOf(await program.prompt(1))
    const people = stage.people(pages)
    const page = await people.arrive()
    await page.goto(link)
    await people.look(page, `Connect ${name}?`)
    const first = await departure(page)
    expect(first.pathname).toBe("/index.php/apps/oauth2/authorize")
    const wanted = { client_id: client.clientId, response_type: "code", redirect_uri: redirectUri, state: random }
    expectParameters(first, wanted)
    await page.getByRole("link", { name: "Log in" }).waitFor()
    await page.goto(link)
    const second = await departure(page)
    expectParameters(second, wanted)
    const states = [first, second].map((one) => one.searchParams.get("state"))
    expect(new Set(states).size).toBe(2)

    await page.getByRole("link", { name: "Log in" }).waitFor()
    const answer = new URL(cloud.authorize(second.href, "alice"))
    await expectRefused(people, await people.arrive(), answer)
    const swapped = new URL(answer)
    swapped.searchParams.set("state", "a".repeat(states[1]?.length ?? 0))
    await expectRefused(people, page, swapped)
    expect(await isWaiting(listed)).toBe(true)

    await page.goto(link)
    await departure(page)
    await grantAt(page, "alice")
    await people.look(page, "Connected as Alice Example (alice@")
    const notes = await listed
    expect(notes, textOf(notes)).toMatchObject({ isError: false })
    expect(program.prompts).toHaveLength(1)
  })
})

describe("OpenID Connect of Nextcloud", () => {
  it("signs people in and gives access, with PKCE, a nonce and a requested refresh token", async () => {
    const { cloud, name } = stage
    const client = cloud.registerOidcClient({ name: "Nextcloud tools", redirectUris: [] })
    const pages = await stage.serve({
      OIDC_DISCOVERY_URL: `${cloud.url}/.well-known/openid-configuration`,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
    })
    const redirectUri = `${pages}/oauth/callback/nextcloud`
    client.redirectUris = [`${pages}/signin/callback`, redirectUri]
    const people = stage.people(pages)
    const page = await people.arrive()
    const toSignIn = authorization(page)
    const program = await openWithLeave(pages, page, () => signInAt(page, "alice"))
    const pkce = { code_challenge: expect.stringMatching(/^[\w-]{43}$/), code_challenge_method: "S256" }
    const usual = { client_id: client.id, response_type: "code", state: random, nonce: random, ...pkce }
    const signingIn = await toSignIn
    expectParameters(signingIn, {
      ...usual,
      redirect_uri: `${pages}/signin/callback`,
      scope: expect.stringMatching(/^openid\b/),
    })

    const listed = program.call("nc_notes_list_notes")
    const link = linkOf(await program.prompt(1))
    await page.goto(link)
    await people.look(page, `Connect ${name}?`)
    const connecting = await departure(page)
    expectParameters(connecting, {
      ...usual,
      redirect_uri: redirectUri,
      scope: "openid profile email offline_access",
    })
    for (const secret of ["state", "nonce", "code_challenge"])
      expect(connecting.searchParams.get(secret)).not.toBe(signingIn.searchParams.get(secret))
    // She is already signed in there.
    await people.look(page, "Connected as alice")
    const notes = await listed
    expect(notes, textOf(notes)).toMatchObject({ isError: false })
    expect(dataOf(notes)).toMatchObject({ total: expect.any(Number) })
  })
})

/** Whether the call still waits after all pending work is done. */
const isWaiting = (call: Promise<unknown>): Promise<boolean> =>
  Promise.race([call.then(() => false), new Promise<boolean>((resolve) => setImmediate(() => resolve(true)))])
