// The chat as a rung of the ladder: other outlets wait for their delay while the person reads the reply in a chat.

import type { LastingOutlet } from "@holdpoint/hub/outlets"
import { question, startAgents } from "@holdpoint/testkit/agents/agents-server"
import { travelAgents } from "@holdpoint/testkit/agents/travel-agents"
import { describe, expect, it } from "vitest"

/** Starts a server whose pager records the milliseconds after which it was called for each question. */
async function startWithPager(afterMs: number) {
  const paged: number[] = []
  const pager: LastingOutlet = {
    ...{ name: "pager", addressKind: "pager" },
    async post({ id, createdAt }) {
      paged.push(Date.now() - createdAt)
      return { state: "shown", receipt: { id } }
    },
    find: async () => undefined,
    withdraw: async () => {},
  }
  const directory = {
    async find(_kind: string, audience: { readonly kind: string }) {
      return "principal" in audience ? [{ address: "42", person: audience.principal as never }] : []
    },
  }
  const hub = { outlets: [pager], directory }
  return { paged, server: await startAgents(travelAgents, { hub, ladder: [{ outlet: "pager", afterMs }] }) }
}

describe("a question of a reply", () => {
  it("that is read in a chat reaches other outlets after their delay", async () => {
    const afterMs = 1_000
    const { server, paged } = await startWithPager(afterMs)
    await question(await server.say("c1", "plan a trip"))
    await expect.poll(() => paged.length).toBe(1)
    expect(paged[0]).toBeGreaterThanOrEqual(afterMs)
  })

  it("that begins without a chat reaches the next outlet immediately", async () => {
    const { server, paged } = await startWithPager(3_600_000)
    if (!("principal" in server.identity)) throw new Error("not local")
    await server.agents.begin({ person: server.identity.principal, agent: "helper", text: "plan a trip" })
    await expect.poll(() => paged.length).toBe(1)
  })
})
