// One foreign server that several people use without an account: the open question of one does not hold up the others.

import type { Site } from "@holdpoint/server"
import { createTestClock } from "@holdpoint/testing"
import { question, readStream, textOf } from "@holdpoint/testkit/agents/agents-server"
import { openCallersWorld } from "@holdpoint/testkit/agents/callers-world"
import { describe, expect, it, onTestFinished } from "vitest"
import type { Accounts } from "../src/mcp/accounts.ts"
import { createPeers } from "../src/mcp/peers.ts"
import type { RunningRun } from "../src/runs.ts"
import { scriptedModel } from "../src/scripted-model.ts"
import { type AskingServer, startAskingServer } from "./asking-server.ts"

const agentsOf = ({ url }: AskingServer) => ({
  agents: {
    helper: {
      model: scriptedModel(({ message, step, results }) =>
        step === 0
          ? { calls: [{ tool: message.includes("paint") ? "paint" : "list", input: {} }] }
          : { text: results.map(({ output }) => String(output)).join(" ") },
      ),
      mcpServers: ["shop"],
      policies: { "*": "always" } as const,
    },
  },
  mcpServers: { shop: { url, credentialScope: "none" } as const },
})

it("the open question of one person does not hold up the calls of another at a shared server", async () => {
  const shop = await startAskingServer({
    paint: async (ask) => `painted: ${await ask("Which colour?")}`,
    list: async () => "listed",
  })
  const world = await openCallersWorld(agentsOf(shop))
  const [alice, bob] = [await world.session("alice"), await world.session("bob")]
  const thinking = readStream(await world.say("c1", "paint", alice))
  await question(thinking)
  const other = readStream(await world.say("c1", "list", bob))
  expect(textOf(await other.rest())).toBe("listed")
  await thinking.leave()
  await world.close()
})

describe("the connections to a shared server", () => {
  const servers = { shop: { url: "https://shop.example/mcp", credentialScope: "none" } } as const
  const runOf = (subject: string) => ({ person: { tenant: "acme", issuer: "i", subject } }) as unknown as RunningRun

  async function openPeers() {
    const clock = createTestClock()
    const reports: unknown[] = []
    const site = { runtime: clock, report: (_doing: string, error: unknown) => void reports.push(error) }
    const parts = { servers, site: site as unknown as Site, accounts: {} as Accounts, onToolsChanged() {} }
    const peers = createPeers(parts)
    onTestFinished(() => peers.close())
    return { clock, reports, peers }
  }

  it("are one for each person, and are closed after ten minutes without use", async () => {
    const { clock, reports, peers } = await openPeers()
    const first = peers.peerOf("shop", runOf("alice"))
    expect(peers.peerOf("shop", runOf("bob"))).not.toBe(first)
    await clock.advance(9 * 60_000)
    expect(peers.peerOf("shop", runOf("alice"))).toBe(first)
    await clock.advance(21 * 60_000)
    expect(peers.peerOf("shop", runOf("alice"))).not.toBe(first)
    expect(reports).toEqual([])
  })

  it("are at most 200: the one that was unused for longest makes room", async () => {
    const { peers } = await openPeers()
    const [first, second] = [peers.peerOf("shop", runOf("0")), peers.peerOf("shop", runOf("1"))]
    for (let number = 2; number < 200; number++) peers.peerOf("shop", runOf(String(number)))
    expect(peers.peerOf("shop", runOf("0"))).toBe(first)
    peers.peerOf("shop", runOf("200"))
    expect(peers.peerOf("shop", runOf("0"))).toBe(first)
    expect(peers.peerOf("shop", runOf("1"))).not.toBe(second)
  })
})
