// The composition root: what it puts together, in which order it closes, and what a failure leaves behind.

import { apiKey } from "@holdpoint/accounts/providers"
import { createMemoryStorage, isHoldpointError, paths } from "@holdpoint/hub"
import type { LastingOutlet } from "@holdpoint/hub/outlets"
import { createDirectory, knownPeople } from "@holdpoint/hub/outlets"
import { withNewKey } from "@holdpoint/hub/sealing"
import type { Mount } from "@holdpoint/server"
import { alice, formDraft } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it, onTestFinished } from "vitest"
import { createHoldpoint, createLazyHoldpoint } from "../../src/compose/holdpoint.ts"
import type { HoldpointOptions } from "../../src/compose/options.ts"

const publicUrl = "http://127.0.0.1:4650"
const weather = apiKey({
  id: "weather",
  name: "Weather",
  test: "https://api.weather.example/me",
  account: { id: "id" },
})
const notes = { resource: paths.mcp, name: "Notes", scopes: { "notes.use": "use your notes" } }

function options(more: Partial<HoldpointOptions> = {}): HoldpointOptions {
  return {
    ...{ storage: createMemoryStorage(), keys: withNewKey(), publicUrl, providers: [weather] },
    people: { from: "local", user: "alice", secret: new Uint8Array(32) },
    ...more,
  }
}

const signingIn: HoldpointOptions["people"] = {
  from: "providers",
  providers: [{ id: "corp", name: "Corp", issuer: "https://id.example", client: { id: "us" }, tenant: "acme" }],
}

const get = (path: string): Request => new Request(`${publicUrl}${path}`)

function mount(path: string, closed: string[] = []): Mount {
  return {
    handles: (asked) => asked === path,
    fetch: async () => new Response(path),
    async close() {
      closed.push(path)
    },
  }
}

describe("a holdpoint", () => {
  it("passes requests to any number of mounts, and shows pages for all other paths", async () => {
    const holdpoint = await createHoldpoint(options({ mounts: () => [mount("/one"), mount("/two")] }))
    onTestFinished(() => holdpoint.close())
    expect(await (await holdpoint.fetch(get("/one"))).text()).toBe("/one")
    expect(await (await holdpoint.fetch(get("/two"))).text()).toBe("/two")
    const missing = await holdpoint.fetch(get("/three"))
    expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining("Page not found")])
  })

  it("needs only storage, keys, an address and a name in local mode, and accepts only its own keys in links", async () => {
    const open = () =>
      createHoldpoint({
        ...{ storage: createMemoryStorage(), keys: withNewKey(), publicUrl },
        people: { from: "local", user: "me" },
      })
    const [mine, other] = [await open(), await open()]
    onTestFinished(() => mine.close())
    onTestFinished(() => other.close())
    const enter = async (address: string) => {
      const { status, headers } = await mine.fetch(new Request(address))
      const page = await mine.fetch(
        new Request(`${publicUrl}${paths.inbox}`, { headers: { cookie: cookieIn(headers) } }),
      )
      return [status, page.status]
    }
    expect(await enter(other.addresses.home(paths.inbox))).toEqual([303, 404])
    expect(await enter(mine.addresses.home(paths.inbox))).toEqual([303, 200])
  })

  verifies("delivery.every-address", "reaches people through the given outlets and directory", async () => {
    const { promise: posted, resolve } = Promise.withResolvers<string>()
    const mail: LastingOutlet = {
      name: "mail",
      addressKind: "email",
      async post(_question, { address }) {
        resolve(address)
        return { state: "shown", receipt: {} }
      },
      find: async () => undefined,
      withdraw: async () => {},
    }
    const directory = createDirectory([knownPeople([{ ...alice, addresses: { email: "alice@example.com" } }])])
    const holdpoint = await createHoldpoint(options({ hub: { outlets: [mail], directory } }))
    onTestFinished(() => holdpoint.close())
    await holdpoint.hub.ask(formDraft)
    expect(await posted).toBe("alice@example.com")
  })

  it("serves the authorization server through fetch, and protects what is mounted with its tokens", async () => {
    const authorization = { resources: [notes] }
    const holdpoint = await createHoldpoint(options({ people: signingIn, authorization }))
    onTestFinished(() => holdpoint.close())
    const metadata = await holdpoint.fetch(get("/.well-known/oauth-authorization-server"))
    expect(await metadata.json()).toMatchObject({ issuer: publicUrl, scopes_supported: ["notes.use"] })
    const callers = holdpoint.callersAt(paths.mcp)
    expect(callers).toMatchObject({ resource: `${publicUrl}/mcp` })
    const refused = "authenticate" in callers ? await callers.authenticate(get("/mcp")) : undefined
    expect(refused).toMatchObject({ status: 401 })
    expect(() => holdpoint.callersAt("/other")).toThrow("is not a resource")
  })

  it("uses the person at this machine as the caller in local mode, and has no caller otherwise", async () => {
    const local = await createHoldpoint(options())
    const shared = await createHoldpoint(options({ people: signingIn }))
    onTestFinished(async () => {
      await local.close()
      await shared.close()
    })
    const callers = local.callersAt(paths.mcp)
    if (!("refusal" in callers) || !("programKey" in local.identity)) throw new Error("This is not local mode.")
    expect(callers.local).toEqual({ tenant: "local", issuer: "local", subject: "alice" })
    const { text, place } = local.identity.programKey
    const asked = (headers: Record<string, string>) =>
      callers.refusal?.(new Request(`${local.addresses.publicUrl}/mcp`, { headers }))
    expect(await asked({ authorization: `Bearer ${text}` })).toBe(undefined)
    for (const headers of [{}, { authorization: "Bearer x" }]) expect(await asked(headers)).toContain(place)
    expect(() => shared.callersAt(paths.mcp)).toThrow("no authorization server")
  })

  it("closes its mounts before the hub that they ask", async () => {
    const closed: string[] = []
    const asked: string[] = []
    const holdpoint = await createHoldpoint(
      options({
        mounts: ({ hub }) => [
          {
            ...mount("/asks"),
            async close() {
              asked.push(typeof (await hub.list({ tenant: "local", state: "open", limit: 1 })))
            },
          },
          mount("/then", closed),
        ],
      }),
    )
    await holdpoint.close()
    expect([asked, closed]).toEqual([["object"], ["/then"]])
    await expect(holdpoint.hub.wait("any")).rejects.toThrow()
  })

  it("leaves nothing running when a part of it fails", async () => {
    let ended: Promise<unknown> | undefined
    const failing = createHoldpoint(
      options({
        mounts({ hub }) {
          ended = hub
            .ask({ message: "Still there?", audience: alice, requester: { id: "test" }, url: () => `${publicUrl}/x` })
            .then((asked) => hub.wait(asked))
            .catch((error: unknown) => (isHoldpointError(error) ? error.code : error))
          throw new Error("There is no room.")
        },
      }),
    )
    await expect(failing).rejects.toThrow("There is no room.")
    expect(await ended).toBe("closed")
  })

  it("refuses local mode at a public address, and keys of another storage, before anything runs", async () => {
    await expect(createHoldpoint(options({ publicUrl: "https://hub.example" }))).rejects.toThrow("Local mode")
    const storage = createMemoryStorage()
    await (await createHoldpoint(options({ storage }))).close()
    await expect(createHoldpoint(options({ storage }))).rejects.toMatchObject({ code: "wrong_key" })
  })
})

describe("a lazy holdpoint", () => {
  it("has links with codes immediately, opens nothing until it is needed, and then opens once", async () => {
    let opened = 0
    const holdpoint = await createLazyHoldpoint(
      options({
        mounts() {
          opened += 1
          return [mount("/one")]
        },
      }),
    )
    onTestFinished(() => holdpoint.close())
    expect(holdpoint.addresses.codeOf("id-1")).toMatch(/^[A-Z0-9]{3}-[A-Z0-9]{3}$/)
    expect([...holdpoint.vault.providers.keys()]).toEqual(["weather"])
    expect(opened).toBe(0)
    await Promise.all([holdpoint.fetch(get("/one")), holdpoint.fetch(get("/one")), holdpoint.open()])
    expect(opened).toBe(1)
  })

  it("has a vault that works before any page is opened, including its consent", async () => {
    const holdpoint = await createLazyHoldpoint(options())
    onTestFinished(() => holdpoint.close())
    const owner = { kind: "person", tenant: "local", issuer: "local", subject: "alice" } as const
    const asked = await holdpoint.vault.ask({ owner, provider: "weather", requester: { id: "test" } })
    expect(asked).toMatchObject({ mode: "url", url: `${publicUrl}/connect/${asked.id}` })
    expect(await holdpoint.vault.list(owner)).toEqual([])
    expect((await holdpoint.vault.consent.request(asked))?.provider.id).toBe("weather")
  })

  it("can be closed when nothing was ever opened", async () => {
    await (await createLazyHoldpoint(options())).close()
  })
})

const cookieIn = (headers: Headers): string => headers.getSetCookie()[0]?.split(";")[0] ?? ""
