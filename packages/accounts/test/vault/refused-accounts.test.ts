// Refused accounts: noticed even without a 401, and asked for again with the reason.

import type { Fetch, OAuthProvider, Provider } from "@holdpoint/accounts"
import { alice } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { lossSentence } from "../../src/vault/loss-words.ts"
import { nextcloudLogin, nextcloudOAuth, nextcloudOidc } from "../../src/vault/presets/index.ts"
import { drive, need, setUp } from "./scripted.ts"

const url = "https://api.drive.example/dav/files"
const who = "https://api.drive.example/user"
const probe = { when: [503], call: { method: "GET", url: who }, says: { path: "meta.code", value: 997 } } as const
const probed: OAuthProvider = { ...drive, probe }

/** An API that answers every call with 503, and what it says to the call that asks who it is. */
function open(user: () => Response) {
  const asked: (string | null)[] = []
  const fetch: Fetch = async (input, init) => {
    if (String(input) !== who) throw new Error(`nothing is fetched at ${input}`)
    asked.push(new Headers(init?.headers).get("authorization"))
    return user()
  }
  let sent = 0
  const apiFetch: Fetch = async () => {
    sent++
    return new Response("busy", { status: 503 })
  }
  return { ...setUp({ providers: [probed], fetch, apiFetch }), asked, sent: () => sent }
}

const refusal = () => Response.json({ meta: { code: 997 } }, { status: 401 })

describe("a status that may mean that the account is refused", () => {
  verifies("connection.probe", "is probed, and a refused account is lost after one refresh", async () => {
    const setup = open(refusal)
    const { id } = await setup.connected()
    const handle = await setup.vault.use(id)
    await expect(handle.fetch(url)).rejects.toMatchObject({ code: "connection_needed" })
    expect(setup.asked).toEqual(["Bearer first-access-0", "Bearer first-access-1"])
    expect(setup.sent()).toBe(2)
    expect(await setup.stored(id)).toMatchObject({ status: "needs_reauth", reason: { code: "unauthorized" } })
  })

  verifies.each("connection.probe")([
    ["works", () => Response.json({ meta: { code: 200 } })],
    ["is away as well", () => new Response(null, { status: 503 })],
    ["is asked for a login by a proxy", () => new Response("proxy", { status: 401 })],
    ["cannot be reached", () => Promise.reject(new Error("reset")) as never],
  ] as const)("does not end the connection when the account %s, and is probed rarely", async (_what, user) => {
    const setup = open(user)
    const { id } = await setup.connected()
    const handle = await setup.vault.use(id)
    for (let call = 0; call < 3; call++) expect((await handle.fetch(url)).status).toBe(503)
    expect(setup.asked).toHaveLength(1)
    setup.clock.set(setup.clock.now() + 5_000)
    expect(await (await handle.fetch(url)).text()).toBe("busy")
    expect(setup.asked).toHaveLength(2)
    expect(await setup.stored(id)).toMatchObject({ status: "active" })
  })

  const server = "https://cloud.example/sub"
  const client = { server, clientId: "c", clientSecret: "s" }
  it.each([nextcloudLogin({ server }), nextcloudOAuth(client), nextcloudOidc(client)].map((one) => [one] as const))(
    "is 503 at Nextcloud, and is checked with OCS",
    ({ probe: found }) => {
      expect(found).toMatchObject({
        when: [503],
        call: { url: "https://cloud.example/sub/ocs/v2.php/cloud/user?format=json" },
        says: { path: "ocs.meta.statuscode", value: 997 },
      })
    },
  )
})

describe("a question about an account that was lost", () => {
  const lost = async (message?: string) => {
    const setup = setUp()
    const { id } = await setup.connected()
    const handle = await setup.vault.use(id)
    setup.books.refused.add("first-access-0").add("first-access-1")
    await handle.fetch(url).catch(() => {})
    const question = await setup.vault.ask({ ...need, ...(message === undefined ? {} : { message }) })
    return { ...setup, question }
  }

  verifies(
    "connection.says-why",
    "says why in its message, and gives the page the reason and the account",
    async () => {
      const { question, vault } = await lost()
      expect(question.message).toBe(
        "Deployer asks you to connect Drive again: Drive no longer accepts the access it granted (it was withdrawn there, or the account is disabled).",
      )
      expect(await vault.consent.request(question)).toMatchObject({
        lossReason: { code: "unauthorized" },
        account: { id: "first", name: "first@drive.example" },
        isWidening: false,
      })
    },
  )

  verifies("connection.says-why", "says why after the asker's own message, too", async () => {
    const { question } = await lost("I want to look at your files.")
    expect(question.message).toMatch(
      /^I want to look at your files\. Drive no longer accepts the access it granted \(.*\)\.$/,
    )
  })

  it("gives no reason when the account was disconnected on purpose", async () => {
    const setup = setUp()
    const { id } = await setup.connected()
    await setup.vault.disconnect(id, { by: alice })
    expect((await setup.vault.ask(need)).message).toBe("Deployer asks you to connect Drive.")
  })

  const cloud = { name: "Nextcloud", kind: "login_flow" } as const satisfies Pick<Provider, "name" | "kind">
  it.each([
    ["unauthorized", /app password was deleted there, the password was changed, or the account is disabled\)\.$/],
    ["credentials_refused", /app password was deleted/],
    ["grant_ended", /^Nextcloud did not renew access/],
    ["expired", /limited time/],
    ["whatever", /^Access to Nextcloud has ended\.$/],
  ])("has a sentence for the reason %s", (code, words) => {
    expect(lossSentence(cloud, { code })).toMatch(words)
  })
})
