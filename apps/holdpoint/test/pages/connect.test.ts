// One link, one sign-in, one button: then the account is connected, and the waiting call continues.

import { oidc } from "@holdpoint/accounts/providers"
import { oidcClient } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { notesProvider, openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect } from "vitest"

const anyProvider = ({ issuer }: World["notes"]) =>
  oidc({ id: "any", name: "Any", issuer, clientId: oidcClient.id, clientSecret: oidcClient.secret })

describe("connecting an account", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ providers: ({ notes }) => [notesProvider(notes), anyProvider(notes)] })
    world.notes.allowRedirect(`${world.server.publicUrl}/oauth/callback/any`)
  })
  afterAll(() => world.close())

  verifies("consent.from-link-to-call", "goes from the link to the waiting call, which continues", async () => {
    const waiting = world.server.vault.connect(world.need("alice"))
    const [question] = await openQuestions("alice")
    const browser = await world.signIn("alice")
    const page = await browser.open(question?.mode === "url" ? question.url : "")
    expect(page.text).toContain("Read your notes")
    world.notes.settings.user = "alice-at-notes"
    const done = await browser.submit(page, { do: "continue" })
    expect(done.text).toContain("Connected as")
    expect(done.text).toContain("alice-at-notes")
    expect(done.url.search).toBe("")
    const connection = await waiting
    expect(connection.account).toEqual({ id: "alice-at-notes", name: "alice-at-notes" })
    const answer = await connection.fetch(`${world.notes.issuer}/me`)
    expect(answer.status).toBe(200)
    expect(world.problems).toEqual([])
  })

  verifies("provider.presets", "works with the preset for any OpenID Connect provider, and disconnects", async () => {
    const { vault, publicUrl } = world.server
    const bob = world.person("bob")
    const waiting = vault.connect(world.need("bob", { provider: "any", scopes: ["notes.read"] }))
    const [question] = await openQuestions("bob")
    const browser = await world.signIn("bob")
    const page = await browser.open(`${publicUrl}/connect/${question?.id}`)
    world.notes.settings.user = "bob-at-any"
    const done = await browser.submit(page, { do: "continue" })
    expect(done.text).toContain("Connected as")
    const connection = await waiting
    expect(connection.account).toEqual({ id: "bob-at-any", name: "bob-at-any@example.com" })
    expect((await connection.fetch(`${world.notes.issuer}/me`)).status).toBe(200)
    expect(await vault.disconnect(connection.id, { by: bob })).toEqual({ kind: "disconnected", upstream: "revoked" })
    expect(world.problems).toEqual([])
  })

  const openQuestions = async (subject: string) => {
    for (;;) {
      const principal = world.person(subject)
      const questions = await world.server.hub.list({ tenant: "acme", principal, state: "open", limit: 10 })
      if (questions.length > 0) return questions
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
})
