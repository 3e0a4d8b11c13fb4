// Every address of the pages, including the older names, and the one exact redirect address for providers that allow only one.

import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { notesProvider, openWorld, type World, type WorldOptions } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, describe, expect } from "vitest"

let world: World
afterEach(() => world.close())

/** Connects through the one redirect address, and checks where the provider redirected. */
async function connectBy(options: WorldOptions, callback: string): Promise<void> {
  world = await openWorld({ ...options, providers: ({ notes }) => [notesProvider(notes, { redirect: "single" })] })
  const { vault, hub, publicUrl } = world.server
  world.notes.allowRedirect(`${publicUrl}${callback}`)
  const alice = await world.signIn("alice")
  const waiting = vault.connect(world.need("alice"))
  const asked = await firstQuestion(hub)
  const page = await alice.open(`${publicUrl}/connect/${asked}`)
  const done = await alice.submit(page, { do: "continue" })
  expect(done.hops.some((hop) => hop.startsWith(`${publicUrl}${callback}?`))).toBe(true)
  expect(done.text).toContain("Connected as")
  expect((await waiting).provider).toBe("notes")
  expect(world.problems).toEqual([])
}

/** No other process takes a port of this address between two uses of it. */
const ownHost = "127.0.7.1"

/** An address that has to be known before the server is started. */
async function holdAddress(): Promise<[string, { close(): Promise<void> }]> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, ownHost, resolve))
  const { port } = server.address() as AddressInfo
  return [`http://${ownHost}:${port}`, { close: () => new Promise((resolve) => server.close(() => resolve())) }]
}

async function firstQuestion(hub: World["server"]["hub"]): Promise<string> {
  for (;;) {
    const [first] = await hub.list({ tenant: "acme", state: "open", limit: 1 })
    if (first !== undefined) return first.id
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe("a provider that allows one redirect address", () => {
  verifies("consent.one-address-each", "redirects to /oauth/callback, where its state identifies the flow", () =>
    connectBy({}, "/oauth/callback"),
  )

  verifies("consent.one-address-each", "redirects to the configured address", async () => {
    const [publicUrl, hold] = await holdAddress()
    const { port } = new URL(publicUrl)
    await hold.close()
    const consent = { callbackUrl: `${publicUrl}/elicitation/back` }
    await connectBy({ host: ownHost, port: Number(port), consent }, "/elicitation/back")
  })
})

describe("providers that share one redirect address", () => {
  verifies("consent.one-address-each", "are refused unless their responses name the issuer", async () => {
    world = await openWorld({ providers: ({ notes }) => [shared(notes, "silent"), shared(notes, "frank")] })
    const { vault, publicUrl } = world.server
    const alice = await world.signIn("alice")
    const reach = async (provider: string) => {
      const { id } = await vault.ask(world.need("alice", { provider }))
      const page = await alice.open(`${publicUrl}/connect/${id}`)
      return alice.submit(page, { do: "continue" })
    }
    const silent = await reach("silent")
    expect(silent.status).toBe(502)
    expect(silent.text).toContain("shares its redirect address")
    expect((await reach("frank")).text).toContain("frank is connected")
  })
})

/** Only one of them declares that it sends `iss`. */
const shared = (notes: World["notes"], id: "silent" | "frank") =>
  notesProvider(notes, {
    ...{ id, name: id, redirect: "single", discovery: "none", baseScopes: [], identity: { from: "nothing" } },
    endpoints: {
      authorization: `${notes.issuer}/auth`,
      token: `${notes.issuer}/token`,
      namesIssuer: id === "frank",
    },
  })

describe("the addresses of other servers", () => {
  verifies("page.other-names", "redirect to the pages that replace them", async () => {
    world = await openWorld()
    const { vault, publicUrl } = world.server
    const alice = await world.signIn("alice")
    const { id } = await vault.ask(world.need("alice"))
    const at = async (path: string) => (await alice.open(`${publicUrl}${path}`)).url.pathname
    expect(await at(`/oauth/provision?id=${id}`)).toBe(`/connect/${id}`)
    expect(await at(`/oauth/authorize-nextcloud?state=${id}`)).toBe(`/connect/${id}`)
    expect(await at("/oauth/provision")).toBe("/account")
    expect((await alice.open(`${publicUrl}/user/page`)).text).toContain("Connected accounts")
    for (const path of ["/oauth/callback-nextcloud", "/oauth/callback/nextcloud", "/oauth/callback"])
      expect((await alice.open(`${publicUrl}${path}?state=unknown&code=unknown`)).status).toBe(404)
    expect((await alice.open(`${publicUrl}/oauth/login-callback?state=unknown`)).url.pathname).toBe("/signin")
  })
})
