// Tasks at a remote A2A agent. When the process of the run is killed with SIGKILL, another process continues the same
// task.

import type { RemoteAgent, RemoteOptions } from "@holdpoint/testkit/a2a/client/remote-agent"
import { formPart, startRemoteAgent, text } from "@holdpoint/testkit/a2a/client/remote-agent"
import { openHome } from "@holdpoint/testkit/agents/agents-process"
import { question, textOf } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it, onTestFinished } from "vitest"

async function remote(options: RemoteOptions): Promise<RemoteAgent> {
  const agent = await startRemoteAgent(options)
  onTestFinished(() => agent.close())
  return agent
}

describe("a task at an A2A agent", { timeout: 60_000 }, () => {
  it("is not sent twice, and is reported as unknown, when the process dies before the agent confirms it", async () => {
    const agent = await remote({ version: "0.3", isStreaming: false })
    agent.script = [() => new Promise(() => {})]
    const home = await openHome()
    const env = { AGENTS_TRANSLATOR: agent.url }
    const first = await home.start(env)
    const stream = await first.say("c1", "translate bread")
    await expect.poll(() => agent.got.length).toBe(1)
    await stream.leave()
    await first.kill()
    const second = await home.start(env)
    expect(textOf(await (await second.follow("c1", 0)).rest())).toContain(
      "It is unknown whether translator was carried out",
    )
    expect(agent.got).toHaveLength(1)
  })

  it.each<RemoteOptions>([
    { version: "1.0", isStreaming: true },
    { version: "0.3", isStreaming: false },
  ])("is done once when the process is killed while the agent works and while it asks: %o", async (options) => {
    const agent = await remote(options)
    const asks = Promise.withResolvers<void>()
    agent.script = [
      async (exchange) => {
        exchange.status("working")
        await asks.promise
        exchange.status("input", formPart("q1", "Which language?", { language: { type: "string" } }))
      },
      (exchange) => exchange.status("completed", text("pain")),
    ]
    const home = await openHome()
    const env = { AGENTS_TRANSLATOR: agent.url }
    const first = await home.start(env)
    const stream = await first.say("c1", "translate bread")
    const looks = options.version === "0.3" ? "tasks/get" : "GetTask"
    await expect.poll(() => agent.methods).toContain(looks)
    await stream.leave()
    await first.kill()
    const second = await home.start(env)
    asks.resolve()
    const asked = await question(await second.follow("c1", 0))
    await second.kill()
    const third = await home.start(env)
    const { elicitationId } = asked
    await third.answer("c1", { elicitationId, action: "accept", content: { language: "French" } })
    expect(textOf(await (await third.follow("c1", 0)).rest())).toContain("I heard: pain.")
    expect(agent.got).toHaveLength(2)
    expect(home.deeds()).toEqual(["model 0", "model 1"])
  })
})
