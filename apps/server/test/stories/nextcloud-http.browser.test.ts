// The same over HTTP: people who sign in, programs that need their leave first, and the ways in by OAuth, whose
// authorization addresses are read to the last parameter.

import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Oidc, oidcClient, startOidc } from "../../../../packages/holdpoint/test/vault/providers/oidc.ts"
import { noteCanary } from "../../../../test/canaries/note.ts"
import { type Site, startSite } from "../attacks/setup.ts"
import { createProgram } from "../authorization/scene.ts"
import { dataOf, linkOf, type NextcloudProgram, textOf } from "./nextcloud-program.ts"
import { grantAt, grantInTab, type NextcloudStage, openNextcloudStage, signInAt } from "./nextcloud-world.ts"
import type { People } from "./people.ts"

let stage: NextcloudStage
/** Where people sign in. */
let oidc: Oidc
/** Where a program on alice's machine waits for the answer of the authorization server. */
let desk: Site
beforeAll(async () => {
  desk = await startSite((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Desk</title><h1>Back at the desk</h1>")
  })
  ;[stage, oidc] = await Promise.all([openNextcloudStage(), startOidc()])
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

/** From 401 to a token: alice signs in as she does here, and allows the program. */
async function openWithLeave(pages: string, page: Page, signIn: () => Promise<void>): Promise<NextcloudProgram> {
  const authProvider = createProgram(undefined, `${desk.url}/callback`)
  const way = { url: `${pages}/mcp`, fetch, authProvider }
  await expect(stage.reach({ kind: "v2 auto" }, way)).rejects.toThrow("Unauthorized")
  await page.goto(authProvider.sent.at(-1)?.href ?? "")
  await signIn()
  await page.getByRole("heading", { name: "Let Writer use Nextcloud tools?" }).waitFor({timeout: 4000}).catch(async (e) => { console.error(page.url(), await page.locator("body").innerText()); throw e })
  expect(await page.getByRole("main").innerText()).toContain("Use the Nextcloud tools in your name")
  await page.getByRole("button", { name: "Allow" }).click()
  await page.getByRole("heading", { name: "Back at the desk" }).waitFor()
  const answer = new URL(page.url()).searchParams
  noteCanary("code", answer.get("code") ?? "")
  await new StreamableHTTPClientTransport(new URL(way.url), { authProvider }).finishAuth(answer)
  return stage.reach({ kind: "v2 auto" }, way)
}

describe("people who sign in", () => {
  it("get their own notes once they have allowed the program and connected Nextcloud; a link is nobody else's", async () => {
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
