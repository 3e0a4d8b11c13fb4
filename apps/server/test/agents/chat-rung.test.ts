// The chat as a place of the ladder: other places wait for their times while the person reads the reply in a chat.

import { createMemoryStorage } from "@holdpoint/sdk"
import type { LastingOutlet } from "@holdpoint/sdk/outlets"
import { describe, expect, it } from "vitest"
import { deliveryKind } from "../../../../packages/holdpoint/src/hub/deliveries/kind.ts"
import { question, startAgents } from "./agents-server.ts"
import { travelAgents } from "./travel-agents.ts"

const afterMs = 5 * 60_000

async function startWithPager() {
  const paged: string[] = []
  const storage = createMemoryStorage()
  const pager: LastingOutlet = {
    ...{ name: "pager", addressKind: "pager" },
    async post({ id }) {
      paged.push(id)
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
  const server = await startAgents(travelAgents, { storage, hub, ladder: [{ outlet: "pager", afterMs }] })
  const owed = async () => {
    const all = await storage.records(deliveryKind("pager")).list({ tenant: "local", limit: 10 })
    return all.filter(({ address }) => address !== undefined)
  }
  return { server, paged, owed }
}

describe("a question of a reply", () => {
  it("that is read in a chat comes to other places at their times", async () => {
    const { server, paged, owed } = await startWithPager()
    await question(await server.say("c1", "plan a trip"))
    await expect.poll(async () => (await owed()).length).toBe(1)
    const [delivery] = await owed()
    expect((delivery?.dueAt ?? 0) - (delivery?.createdAt ?? 0)).toBeGreaterThan(afterMs - 10_000)
    expect(paged).toEqual([])
  })

  it("that was begun without a chat comes to the next place at once", async () => {
    const { server, paged } = await startWithPager()
    if (!("principal" in server.identity)) throw new Error("not local")
    await server.agents.begin({ person: server.identity.principal, agent: "helper", text: "plan a trip" })
    await expect.poll(() => paged.length).toBe(1)
  })
})
