// A stolen database, and everything the server ever sent: neither contains anything usable.

import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { inspect } from "node:util"
import type { Provider } from "@holdpoint/accounts"
import type { Storage } from "@holdpoint/hub"
import { createSealer, sealStorage, withNewKey } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { scanSqlite } from "@holdpoint/testkit/canaries/databases"
import { notesProvider, openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { createFakeNextcloud, type FakeNextcloud } from "@holdpoint/testkit/nextcloud/server"
import { flowKind, sessionKind, signInKind } from "@holdpoint/testkit/records"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  arrivePerson,
  ask,
  call,
  connectionsOf,
  listenTo,
  type Person,
  reachCallback,
  reachProvider,
  type Site,
  startSite,
} from "./setup.ts"

const key = "sk_live_9f8e7d6c5b4a39281706WXYZ"
const keys = withNewKey()
const sealer = createSealer(keys)
const folder = makeScratchFolder("dump")

let world: World
let storage: Storage
let cloud: FakeNextcloud
let api: Site
let listening: ReturnType<typeof listenTo>
/** Every secret of the run, by its kind. */
const secrets = new Map<string, string>()
/** The database files at each moment that matters. */
const dumps: Buffer[] = []

const keep = (name: string, value: unknown): void => {
  if (typeof value === "string" && value.length >= 16) secrets.set(`${name} ${secrets.size}`, value)
}
const takeDump = (): void => {
  for (const file of readdirSync(folder)) dumps.push(readFileSync(join(folder, file)))
}
/** The sealed content of the flows in progress. */
async function openFlows(): Promise<void> {
  for (const flow of await storage.records(flowKind).list({ tenant: "acme", limit: 100 })) {
    if (flow.sealed === undefined) continue
    const binding = { tenant: flow.tenant, owner: flow.elicitation, record: flow.id }
    for (const [name, value] of Object.entries(sealer.open(binding, flow.sealed))) keep(`sealed ${name}`, value)
  }
}
const keepCookies = ({ browser }: Person): void => {
  for (const [name, value] of browser.cookies(world.server.publicUrl)) keep(`cookie ${name}`, value)
}

let alice: Person
beforeAll(async () => {
  cloud = await createFakeNextcloud()
  api = await startSite((request, response) => {
    response.writeHead(request.headers["x-api-key"] === key ? 200 : 401).end("{}")
  })
  storage = await sealStorage(await openSqlite(join(folder, "holdpoint.db")), sealer)
  world = await openWorld({ storage, keys, providers: ({ notes }) => [notesProvider(notes), ...others()] })
  for (const { provider } of [world.people, world.notes])
    provider.on("grant.success", (ctx) => {
      const body = ctx.body as Readonly<Record<string, unknown>>
      for (const name of ["access_token", "refresh_token", "id_token"]) keep(name, body[name])
      for (const name of ["code_verifier", "code"]) keep(name, ctx.oidc.params?.[name])
    })
  listening = listenTo(world)
  alice = await arrivePerson(world, "alice")
  await liveThrough()
})
afterAll(async () => {
  listening.stop()
  await world.close()
  await storage.close()
  await Promise.all([cloud.close(), api.close()])
  scanSqlite(folder)
  rmSync(folder, { recursive: true, force: true })
})

const others = (): readonly Provider[] => [
  {
    ...{ kind: "login_flow", id: "cloud", name: "Example Cloud", api: [cloud.url], server: cloud.url },
    ownAccount: "off",
  },
  {
    ...{ kind: "api_key", id: "weather", name: "Example Weather", api: [api.url], header: { name: "X-Api-Key" } },
    ...{ test: { method: "GET", url: api.url }, identity: { from: "nothing" } },
  },
]

/** Creates one record of every kind: a finished consent, a pending consent, a login flow, an entered key. */
async function liveThrough(): Promise<void> {
  keepCookies(alice)
  const question = await ask(world, alice)
  const atProvider = await reachProvider(alice, world, question.link)
  for (const name of ["state", "nonce"]) keep(name, atProvider.searchParams.get(name))
  await openFlows()
  takeDump()
  const callback = await reachCallback(alice, world, question.link)
  for (const name of ["state", "code"]) keep(name, callback.searchParams.get(name))
  keepCookies(alice)
  await openFlows()
  await alice.browser.open(callback.href)

  const entered = await ask(world, alice, { provider: "weather", scopes: [] })
  await alice.browser.submit(await alice.browser.open(entered.link), { do: "continue", key })
  keep("api key", key)

  const login = await call(world, alice, { provider: "cloud", scopes: [] })
  const waiting = await alice.browser.submit(await alice.browser.open(login.link), { do: "continue" })
  await openFlows()
  keepCookies(alice)
  cloud.grant(loginOf(waiting.text), "alice")
  await login.ended
  for (const { secret } of cloud.access("alice")) keep("app password", secret)
  const open = await ask(world, alice, { message: "Still at the provider." })
  await reachProvider(alice, world, open.link)
  await openFlows()
  await alice.browser.open(`${world.server.publicUrl}/account`)
  takeDump()
}

const loginOf = (text: string): string => /href="([^"]*\/login\/v2\/flow\/[^"]*)"/.exec(text)?.[1] ?? ""

const encodings = (value: string): readonly string[] => [
  value,
  Buffer.from(value).toString("base64"),
  Buffer.from(value).toString("base64url"),
  Buffer.from(value).toString("hex"),
  encodeURIComponent(value),
]

const isIn = (where: readonly (Buffer | string)[], value: string): boolean =>
  where.some((one) => encodings(value).some((text) => one.includes(text)))

describe("a dump of the database", () => {
  it("knows what to look for: tokens, codes, verifiers, nonces, states, cookies, keys and app passwords", () => {
    const kinds = new Set([...secrets.keys()].map((name) => name.replace(/ \d+$/, "").replace(/^cookie.*/, "cookie")))
    expect([...kinds].sort()).toEqual([
      "access_token",
      "api key",
      "app password",
      "code",
      "code_verifier",
      "cookie",
      "id_token",
      "nonce",
      "refresh_token",
      "sealed nonce",
      "sealed poll_token",
      "sealed url",
      "sealed verifier",
      "state",
    ])
  })

  it("contains public values, so that the search would find a leak", () => {
    expect(isIn(dumps, alice.subject)).toBe(true)
    expect(isIn(dumps, "Still at the provider.")).toBe(true)
    expect(isIn([Buffer.from(`x${key}`)], key)).toBe(true)
  })

  verifies("seal.dump-is-worthless", "is worthless: it contains none of the secrets, in any encoding", () => {
    const leaked = [...secrets].filter(([, value]) => isIn(dumps, value)).map(([name]) => name)
    expect(leaked).toEqual([])
  })

  verifies(
    "seal.dump-is-worthless",
    "does not let its thief in: it has ids of sessions and flows, but not what the browser has",
    async () => {
      const [session] = await storage.records(sessionKind).list({ tenant: "acme", limit: 1 })
      const flows = await storage.records(flowKind).list({ tenant: "acme", limit: 100 })
      const headers = { cookie: `hp_session=${session?.id}` }
      expect((await fetch(`${world.server.publicUrl}/inbox`, { headers, redirect: "manual" })).status).toBe(303)
      expect(flows.map(({ kind }) => kind)).toContain("oauth")
      for (const { id } of flows) {
        const callback = `${world.server.publicUrl}/oauth/callback/notes?state=${id}&code=x`
        expect((await alice.browser.open(callback)).status).toBe(404)
      }
    },
  )
})

describe("secrets of a flow", () => {
  verifies("consent.secrets-are-shredded", "are shredded after use, and only then", async () => {
    const flows = await storage.records(flowKind).list({ tenant: "acme", limit: 100 })
    const sealed = flows.map(({ status, sealed: kept }) => [status, kept !== undefined])
    expect(sealed.filter(([status]) => status === "finished")).toHaveLength(3)
    for (const [status, isKept] of sealed) expect(isKept).toBe(status === "consented")
    expect(await storage.records(signInKind).list({ tenant: "", limit: 10 })).toEqual([])
  })

  verifies("consent.secrets-are-shredded", "are shredded when the attempt failed, too", async () => {
    const bob = await arrivePerson(world, "bob")
    const { id, link } = await ask(world, bob)
    const callback = await reachCallback(bob, world, link)
    callback.searchParams.set("iss", "https://evil.example")
    await bob.browser.open(callback.href)
    const [flow] = await storage.records(flowKind).list({ tenant: "acme", owner: id, limit: 1 })
    expect(flow?.status).toBe("failed")
    expect(flow?.sealed).toBeUndefined()
  })
})

describe("what the server sends", () => {
  it("in pages, redirects and reports has no secret", () => {
    const output = [...listening.sent, ...world.problems]
    // Secrets that the provider must receive occur only on our page that redirects there.
    const forProvider = ["state", "nonce", "sealed nonce", "sealed url"]
    const leaving = /^(?:GET) \/connect\/[\w-]+\/continue\n/
    const leaked = [...secrets].filter(([name, value]) => {
      const kind = name.replace(/ \d+$/, "")
      return isIn(forProvider.includes(kind) ? output.filter((text) => !leaving.test(text)) : output, value)
    })
    expect(leaked.map(([name]) => name)).toEqual([])
    expect(output.length).toBeGreaterThan(20)
  })

  it("in the trail has no secret", async () => {
    const entries = JSON.stringify(await storage.trail.read({ limit: 1_000 }))
    expect([...secrets].filter(([, value]) => isIn([entries], value)).map(([name]) => name)).toEqual([])
    expect(entries).toContain(alice.subject)
  })

  it("when credentials are logged by mistake has no secret", async () => {
    const connections = await connectionsOf(world, alice)
    expect(connections.length).toBeGreaterThanOrEqual(3)
    for (const { id } of connections) {
      const handle = await world.server.vault.use(id)
      const credentials = await handle.credentials()
      const logged = JSON.stringify([handle, credentials, { ...credentials }])
      const printed = inspect([handle, credentials, { ...credentials }], { depth: 10 })
      expect([...secrets].filter(([, value]) => isIn([logged, printed], value))).toEqual([])
    }
  })
})
