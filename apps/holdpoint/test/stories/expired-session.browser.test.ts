// A page whose session has expired, with an identity provider on another site: its requests lead to the sign-in, and
// the browser's policies allow that.

import { form, text } from "@holdpoint/hub"
import { type Oidc, oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openStage, type Stage } from "./world.ts"

let stage: Stage
let people: Oidc
beforeAll(async () => {
  people = await startOidc()
  const provider = {
    ...{ id: "people", name: "People", issuer: people.issuer, tenant: "acme" },
    client: { id: oidcClient.id, secret: oidcClient.secret },
  }
  stage = await openStage({ people: { from: "providers", providers: [provider] } })
  people.allowRedirect(`${stage.server.publicUrl}/signin/callback`)
})
afterAll(async () => {
  await stage.close()
  await people.close()
})

/** The only message that the page may log: the refusal. */
const turnedAway = /status of 401/

async function endEverySession(): Promise<void> {
  const { identity } = stage.server
  if ("endAll" in identity) await identity.endAll(alice())
}

const alice = () => ({ tenant: "acme", issuer: people.issuer, subject: "alice" })

describe("a page whose session has ended", () => {
  it("leads to the sign-in when a form on it is sent, and back", async () => {
    const page = await stage.arrive()
    await page.goto(`${stage.server.publicUrl}/account`)
    await page.getByRole("heading", { level: 1, name: "Account" }).waitFor()
    await endEverySession()
    await page.getByRole("button", { name: "Sign out everywhere" }).click()
    await stage.look(page, "Sign in")
    await page.getByRole("link", { name: "Continue with People" }).click()
    await page.getByRole("heading", { level: 1, name: "Account" }).waitFor()
    expect(await stage.leave()).toEqual([])
    expect(stage.problems).toEqual([])
  })

  it("gets no more events, and signs in again when a question is asked", async () => {
    const page = await stage.arrive()
    const live = page.waitForResponse((response) => response.url().endsWith("/inbox/events"))
    await page.goto(`${stage.server.publicUrl}/inbox`)
    await live
    await endEverySession()
    const asked = { message: "Are you there?", audience: alice(), requester: { id: "door", name: "Door" } }
    await stage.server.hub.ask({ ...asked, form: form({ name: text({ title: "Name" }) }) })
    // The page went to the identity provider and returned signed in.
    await page.getByText("Are you there?").waitFor()
    for (const complaint of await stage.leave()) expect(complaint).toMatch(turnedAway)
    expect(stage.problems).toEqual([])
  })
})
