// Login flow v2 connects the approving account to the person who began, like a device flow: bob sends alice the
// address, and she approves. Nextcloud's page shows a name and a code, and the own-account rule checks the account.

import { type LoginFlowProvider, toOwner } from "@holdpoint/accounts"
import { nextcloudLogin } from "@holdpoint/accounts/providers"
import type { Principal } from "@holdpoint/hub"
import { person, type RunningStandIn, startStandIn } from "@holdpoint/nextcloud-stand-in"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import type { JarBrowser, Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, describe, expect, it } from "vitest"
import { ask, codesOf, connectionsOf, enterAs } from "./setup.ts"

let world: World
let cloud: RunningStandIn
afterEach(async () => {
  await world.close()
  await cloud.close()
})

async function open(rule: Pick<LoginFlowProvider, "ownAccount"> = {}): Promise<void> {
  const named = (id: string) => person(id, { email: `${id}@example.com` })
  // People sign in as “bob.id”, so that only their e-mail address shows whose account it is.
  const people = ["alice", "bob"].map((id) => ({ ...named(`${id}.id`), id, loginName: id }))
  const users = [...people, person("nameless", { email: "" }), person("carol.id", { email: "" })]
  cloud = await startStandIn({ users, onSecret: ({ kind, value }) => noteCanary(kind, value) })
  const provider = { ...nextcloudLogin({ server: cloud.url, id: "notes" }), ...rule }
  world = await openWorld({ providers: () => [provider], consent: { times: { firstPollMs: 10 } } })
}

interface Begun {
  readonly subject: string
  readonly id: string
  readonly link: string
  readonly browser: JarBrowser
  /** The waiting page, with the address at Nextcloud. */
  readonly waiting: Visited
  readonly login: string
}

const begin = async (subject: string): Promise<Begun> => beginAs(world.person(subject), await world.signIn(subject))

async function beginAs(principal: Principal, browser: JarBrowser): Promise<Begun> {
  const { subject } = principal
  const { id, link } = await ask(world, { subject }, { owner: toOwner(principal) })
  const waiting = await browser.submit(await browser.open(link), { do: "continue" })
  const login = /href="([^"]*\/login\/v2\/flow\/\w+)"/.exec(waiting.text)?.[1] ?? ""
  expect(login).toContain(cloud.url)
  return { subject, id, link, browser, waiting, login }
}

/** Approves the login flow as this account. Returns the next page of the person who began the flow. */
async function grantBy(account: string, begun: Begun): Promise<Visited> {
  cloud.grant(begun.login, account)
  const status = async () => (await begun.browser.ask(`${begun.link}/status`)).text
  await expect.poll(status, { interval: 50 }).not.toContain("waiting")
  return begun.browser.open(begun.link)
}

const active = async (subject: string) =>
  (await connectionsOf(world, { subject }))
    .filter(({ status }) => status === "active")
    .map(({ account }) => account?.id)

const appPasswordsOf = (account: string) => async () => cloud.access(account).length

describe("bob, who sent alice the address of his login flow", () => {
  verifies("consent.own-account", "does not get her account, and her grant is revoked", async () => {
    await open()
    const bob = await begin("bob.id")
    const page = await grantBy("alice", bob)
    expect(page.text).toContain("treated as another person’s")
    expect(await active("bob.id")).toEqual([])
    expect(await codesOf(world, bob.id)).toEqual(["other_persons_account"])
    await expect.poll(appPasswordsOf("alice")).toBe(0)
  })

  verifies(
    "consent.own-account",
    "has to confirm the account where the administrator allows other accounts",
    async () => {
      await open({ ownAccount: "confirm" })
      const bob = await begin("bob.id")
      const page = await grantBy("alice", bob)
      expect(page.text).toContain("Is this your account?")
      expect(page.text).toContain("bob.id@example.com")
      expect(page.text).toContain("Alice.id Example (alice@")
      expect(await active("bob.id")).toEqual([])
      await bob.browser.submit(page, { do: "keep" })
      expect(await active("bob.id")).toEqual([])
      await expect.poll(appPasswordsOf("alice")).toBe(0)
    },
  )

  it("gets it without confirmation where the administrator has switched the rule off", async () => {
    await open({ ownAccount: "off" })
    const bob = await begin("bob.id")
    expect((await grantBy("alice", bob)).text).toContain("Connected as")
    expect(await active("bob.id")).toEqual(["alice"])
  })
})

/** Grants one of these accounts, and presses everything that the page offers. */
async function tryAll(begun: Begun, account: string): Promise<string> {
  const page = await grantBy(account, begun)
  const next = await begun.browser.submit(page, { do: "use" }).catch(() => page)
  return `${page.text}${next.text}`
}

describe("an account that cannot be compared", () => {
  verifies(
    "consent.own-account",
    "without an e-mail address at Nextcloud is refused, and its access revoked",
    async () => {
      await open()
      const bob = await begin("bob.id")
      expect(await tryAll(bob, "nameless")).toContain("has to set up OAuth for")
      expect(await active("bob.id")).toEqual([])
      expect(await codesOf(world, bob.id)).toEqual(["unproven_account"])
      await expect.poll(appPasswordsOf("nameless")).toBe(0)
    },
  )

  verifies(
    "consent.own-account",
    "is refused where only the ids are equal, because another person may have the id at Nextcloud",
    async () => {
      await open()
      for (const account of ["alice", "carol.id"]) {
        const asker = await begin(account)
        await tryAll(asker, account)
        expect(await active(account)).toEqual([])
        expect(await codesOf(world, asker.id)).toEqual(["unproven_account"])
        await expect.poll(appPasswordsOf(account)).toBe(0)
      }
    },
  )

  it("is refused where the identity provider has not verified the person's address", async () => {
    await open()
    const unverified = { tenant: "acme", issuer: "https://other.example", subject: "bob.id" }
    const bob = await beginAs(unverified, await enterAs(world, unverified))
    await tryAll(bob, "bob")
    const connections = await world.server.vault.list(toOwner(unverified))
    expect(connections.map(({ status }) => status)).not.toContain("active")
    expect(await codesOf(world, bob.id)).toEqual(["unproven_account"])
  })
})

describe("an account", () => {
  it("with the same verified e-mail address is connected without another question", async () => {
    await open()
    expect((await grantBy("bob", await begin("bob.id"))).text).toContain("Connected as")
    expect(await active("bob.id")).toEqual(["bob"])
  })

  it("with the same id is connected without another question where people sign in with that Nextcloud", async () => {
    await open()
    const carol = { tenant: "acme", issuer: cloud.url, subject: "carol.id" }
    expect((await grantBy("carol.id", await beginAs(carol, await enterAs(world, carol)))).text).toContain(
      "Connected as",
    )
  })

  verifies(
    "consent.own-account",
    "whose id a person has at another identity provider is connected only after that person has confirmed it",
    async () => {
      await open({ ownAccount: "confirm" })
      // At the identity provider, another person has the id that alice has at Nextcloud.
      expect((await grantBy("alice", await begin("alice"))).text).toContain("Is this your account?")
      expect(await active("alice")).toEqual([])
      // The same without an e-mail address to compare.
      expect((await grantBy("carol.id", await begin("carol.id"))).text).toContain("Is this your account?")
      expect(await active("carol.id")).toEqual([])
    },
  )

  verifies(
    "consent.own-account",
    "that cannot be compared is used after the person has confirmed it, where the administrator allows that",
    async () => {
      await open({ ownAccount: "confirm" })
      const bob = await begin("bob.id")
      const page = await grantBy("nameless", bob)
      expect(page.text).toContain("Is this your account?")
      expect(await active("bob.id")).toEqual([])
      expect((await world.server.hub.get(bob.id))?.status).toBe("accepted")
      expect((await bob.browser.submit(page, { do: "use" })).text).toContain("Connected as")
      expect(await active("bob.id")).toEqual(["nameless"])
    },
  )

  verifies(
    "consent.own-account",
    "that another person has connected here is not connected by a second person",
    async () => {
      await open({ ownAccount: "confirm" })
      const bob = await begin("bob.id")
      await bob.browser.submit(await grantBy("nameless", bob), { do: "use" })
      const mallory = await begin("mallory")
      const page = await grantBy("nameless", mallory)
      expect(page.text).toContain("another person has connected it here")
      expect(await active("mallory")).toEqual([])
      expect(await codesOf(world, mallory.id)).toEqual(["account_held"])
      expect(world.problems.join()).toContain("two people")
      await expect.poll(appPasswordsOf("nameless")).toBe(1)
    },
  )

  it("that another person holds is still connected by its owner, and the operator gets a report", async () => {
    await open({ ownAccount: "confirm" })
    const mallory = await begin("mallory")
    await mallory.browser.submit(await grantBy("alice", mallory), { do: "use" })
    expect((await grantBy("alice", await begin("alice.id"))).text).toContain("Connected as")
    expect(world.problems.join()).toContain("two people")
  })
})

describe("at Nextcloud", () => {
  verifies(
    "consent.login-flow-names-who-asks",
    "the login names the server, the person and the code of their page",
    async () => {
      await open()
      const bob = await begin("bob.id")
      const code = /<div class="code">.*<strong>([\w-]+)<\/strong>/.exec(bob.waiting.text)?.[1] ?? "none"
      expect(code).toMatch(/^\w{3}-\w{3}$/)
      const [flow] = cloud.world.flows
      const host = new URL(world.server.publicUrl).host
      for (const part of [host, "bob.id@example.com", code]) expect(flow?.device).toContain(part)
      expect(flow?.device.length).toBeLessThanOrEqual(255)
      const another = await begin("alice.id")
      expect(another.waiting.text).not.toContain(code)
    },
  )
})
