// How a login flow is polled while a person is at their server: a failed poll does not keep them waiting.

import type { Fetch } from "@holdpoint/accounts"
import { alice } from "@holdpoint/testkit/fixtures"
import { describe, expect, it } from "vitest"
import { apiKeyKind } from "../../src/vault/entered-credentials.ts"
import { loginFlowKind } from "../../src/vault/login-flow.ts"
import { oauthKind } from "../../src/vault/oauth/kind.ts"
import { nextcloudLogin } from "../../src/vault/presets/index.ts"
import { need, setUp } from "./scripted.ts"

const server = "https://cloud.example"

type Poll = () => Response

const waiting: Poll = () => Response.json([], { status: 404 })
const granted: Poll = () => Response.json({ server, loginName: "alice", appPassword: "app-password-of-alice" })

/** Alice is at her Nextcloud, which answers polls in this order; the last answer is repeated. */
async function waitAtCloud(...polls: readonly Poll[]) {
  const left = [...polls]
  const polledAt: number[] = []
  const fetch: Fetch = async (input) => {
    const { pathname } = new URL(String(input))
    if (pathname === "/index.php/login/v2")
      return Response.json({
        login: `${server}/login`,
        poll: { endpoint: `${server}/poll`, token: "token-of-the-poll" },
      })
    if (pathname !== "/poll") return Response.json({ ocs: { data: { id: "alice", "display-name": "Alice" } } })
    polledAt.push(setup.clock.now())
    return ((left.length > 1 ? left.shift() : left[0]) ?? waiting)()
  }
  const kinds = {
    oauth: oauthKind,
    login_flow: loginFlowKind,
    api_key: apiKeyKind,
    basic: apiKeyKind as never,
    mcp_server: apiKeyKind as never,
  }
  const setup = setUp({ providers: [nextcloudLogin({ server, id: "cloud" })], fetch, kinds })
  const question = await setup.vault.ask({ ...need, provider: "cloud", scopes: [] })
  await setup.vault.consent.begin(question, { principal: alice, session: "hers" })
  return {
    /** The seconds between polls. */
    pauses: () => polledAt.slice(1).map((at, index) => (at - (polledAt[index] ?? 0)) / 1000),
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second++) await setup.clock.advance(1_000)
    },
    isConnected: async () => (await setup.hub.get(question.id))?.status === "completed",
  }
}

describe("a poll that fails", () => {
  it.each<readonly [string, Poll]>([
    [
      "because the connection broke",
      () => {
        throw new TypeError("fetch failed")
      },
    ],
    ["because the server is busy", () => new Response("busy", { status: 503 })],
  ])("%s is repeated at the usual pace, and finds access that was granted in the meantime", async (_why, broken) => {
    const flow = await waitAtCloud(waiting, broken, granted)
    await flow.pass(5)
    expect(flow.pauses()).toEqual([1, 1])
    expect(await flow.isConnected()).toBe(true)
  })

  it("is repeated at the time that the server names, if it names one", async () => {
    const busy: Poll = () => new Response("busy", { status: 503, headers: { "retry-after": "7" } })
    const flow = await waitAtCloud(waiting, busy, granted)
    await flow.pass(12)
    expect(flow.pauses()).toEqual([1, 7])
  })
})
