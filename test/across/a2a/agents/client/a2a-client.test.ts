// Remote A2A agents as tools: their questions reach the person in the chat, and calls use the credentials of each
// person.

import type { ApiKeyProvider } from "@holdpoint/accounts"
import type { A2aAgentConfig, AgentsConfig, FunctionTool } from "@holdpoint/agents"
import { readAgents, scriptedModel } from "@holdpoint/agents"
import { createMemoryStorage } from "@holdpoint/hub"
import type { RemoteAgent, RemoteOptions } from "@holdpoint/testkit/a2a/client/remote-agent"
import { formPart, linkPart, startRemoteAgent, text } from "@holdpoint/testkit/a2a/client/remote-agent"
import {
  answer,
  newKeys,
  publicUrl,
  question,
  readStream,
  startAgents,
  textOf,
} from "@holdpoint/testkit/agents/agents-server"
import { connectKey } from "@holdpoint/testkit/agents/connecting"
import { goodKey } from "@holdpoint/testkit/agents/guarded-server"
import { describe, expect, it, onTestFinished } from "vitest"

async function remote(options: RemoteOptions = {}): Promise<RemoteAgent> {
  const agent = await startRemoteAgent(options)
  onTestFinished(() => agent.close())
  return agent
}

/** An agent that gives the translator one task, and replies with the result. */
function agentsFor(translator: A2aAgentConfig, more: object = {}): AgentsConfig & { readonly offered: string[] } {
  const offered: string[] = []
  const model = scriptedModel(({ results, step, tools }) => {
    offered.push(...tools)
    if (step === 0) return { calls: [{ tool: "translator", input: { task: "Translate: bread" } }] }
    return { text: results.map(({ output }) => JSON.stringify(output)).join(" | ") }
  })
  return {
    offered,
    agents: { helper: { model, a2aAgents: ["translator"], policies: { "*": "always" }, ...more } },
    a2aAgents: { translator },
  }
}

const open = ({ url }: RemoteAgent): A2aAgentConfig => ({ url, credentialScope: "none" })

describe("a remote A2A agent", () => {
  it("is a tool that sends it a task, and its form becomes a question in the chat", async () => {
    const agent = await remote({ isStreaming: true })
    agent.script = [
      (exchange) => exchange.status("input", formPart("q1", "Which language?", { language: { type: "string" } })),
      (exchange) => {
        exchange.artifact(text("pain"))
        exchange.status("completed")
      },
    ]
    const { offered, ...config } = agentsFor(open(agent))
    const server = await startAgents(config)
    const stream = await server.say("c1", "translate bread")
    const asked = await question(stream)
    expect(asked).toMatchObject({
      ...{ mode: "form", message: `“translator” (${agent.url}) asks: Which language?` },
      context: { toolName: "translator" },
    })
    await answer(server, "c1", {
      elicitationId: asked.elicitationId,
      action: "accept",
      content: { language: "French" },
    })
    expect(textOf(await stream.rest())).toBe('"pain"')
    expect(offered).toContain("translator")
    expect(agent.got).toHaveLength(2)
  })

  it("sends the person to its page through a page of ours, and continues without another message", async () => {
    const agent = await remote({ isStreaming: true })
    const done = Promise.withResolvers<void>()
    agent.script = [
      async (exchange) => {
        exchange.status("auth", linkPart("q1", "Sign in", "https://login.example/start"))
        await done.promise
        exchange.status("completed", text("pain"))
      },
    ]
    const { offered: _offered, ...config } = agentsFor(open(agent))
    const server = await startAgents(config)
    const stream = await server.say("c1", "translate bread")
    const { elicitationId, mode, url } = await question(stream)
    expect([mode, url]).toEqual(["url", `${publicUrl}/visit/${elicitationId}`])
    expect((await server.hub.get(elicitationId))?.context.address).toBe("https://login.example/start")
    await answer(server, "c1", { elicitationId, action: "accept" })
    done.resolve()
    expect(textOf(await stream.rest())).toBe('"pain"')
    expect((await server.hub.get(elicitationId))?.status).toBe("completed")
  })

  it("is told when the person cannot be asked: its task is cancelled, and no question is stored", async () => {
    const agent = await remote()
    agent.script = [
      (exchange) => exchange.status("input", formPart("q1", "Which language?", { language: { type: "string" } })),
      (exchange) => exchange.status("input", text("Which language?")),
    ]
    const { offered: _offered, ...config } = agentsFor(open(agent))
    const server = await startAgents(config)
    const reply = textOf(await (await server.say("c1", "translate bread", {})).rest())
    expect(reply).toContain("the user cannot be asked here. The task was cancelled there.")
    expect(agent.got[1]?.[0]?.content?.value).toMatchObject({ elicitationId: "q1", action: "cancel" })
    expect(await server.hub.list({ tenant: "local", state: "all", limit: 9 })).toEqual([])
    expect(agent.methods.at(-1)).toBe("CancelTask")
  })

  it("has its task cancelled when the person stops the reply while it waits for them", async () => {
    const agent = await remote()
    agent.script = [(exchange) => exchange.status("input", text("Which language?"))]
    const { offered: _offered, ...config } = agentsFor(open(agent))
    const server = await startAgents(config)
    const stream = await server.say("c1", "translate bread")
    const asked = await question(stream)
    const status = async () =>
      ((await (await server.get("/run/api/conversations/c1")).json()) as { readonly status: string }).status
    await expect.poll(status).toBe("waiting")
    await server.post("/run/api/chat/c1/stop", {})
    expect((await stream.rest()).at(-1)?.type).toBe("abort")
    await expect.poll(() => agent.methods).toContain("CancelTask")
    await expect.poll(async () => (await server.hub.get(asked.elicitationId))?.status).toBe("cancelled")
  })

  it("is followed by another process when the first one closes without waiting for it", async () => {
    const agent = await remote({ isStreaming: true })
    const finish = Promise.withResolvers<void>()
    agent.script = [
      async (exchange) => {
        exchange.status("working")
        await finish.promise
        exchange.status("completed", text("pain"))
      },
    ]
    const { offered: _offered, ...config } = agentsFor(open(agent))
    const shared = { storage: createMemoryStorage(), keys: newKeys() }
    const first = await startAgents(config, shared)
    const stream = await first.say("c1", "translate bread")
    await expect.poll(() => agent.methods).toContain("GetTask")
    await stream.leave()
    await first.agents.close()
    expect(agent.cancelled).toEqual([])
    const second = await startAgents(config, shared)
    const again = readStream(await second.get("/run/api/chat/c1/stream"))
    finish.resolve()
    expect(textOf(await again.rest())).toBe('"pain"')
    expect(agent.got).toHaveLength(1)
  })

  it("that waits for the person at a page is followed by another process, which completes the question", async () => {
    const agent = await remote()
    const done = Promise.withResolvers<void>()
    agent.script = [
      async (exchange) => {
        exchange.status("auth", text("Sign in at https://login.example/start"))
        await done.promise
        exchange.status("completed", text("pain"))
      },
    ]
    const { offered: _offered, ...config } = agentsFor(open(agent))
    const shared = { storage: createMemoryStorage(), keys: newKeys() }
    const first = await startAgents(config, shared)
    const stream = await first.say("c1", "translate bread")
    const { elicitationId } = await question(stream)
    await answer(first, "c1", { elicitationId, action: "accept" })
    await stream.leave()
    await first.agents.close()
    const second = await startAgents(config, shared)
    expect((await second.hub.get(elicitationId))?.status).toBe("accepted")
    done.resolve()
    const again = readStream(await second.get("/run/api/chat/c1/stream"))
    expect(textOf(await again.rest())).toBe('"pain"')
    expect((await second.hub.get(elicitationId))?.status).toBe("completed")
    expect(await second.hub.list({ tenant: "local", state: "all", limit: 9 })).toHaveLength(1)
    expect(agent.got).toHaveLength(1)
  })

  it("does not delay the person's answer to another tool while it works", async () => {
    const agent = await remote({ isStreaming: true })
    const finish = Promise.withResolvers<void>()
    agent.script = [
      async (exchange) => {
        exchange.status("working")
        await finish.promise
        exchange.status("completed", text("pain"))
      },
    ]
    const done: string[] = []
    const model = scriptedModel(({ results, step }) =>
      step > 0
        ? { text: results.map(({ output }) => JSON.stringify(output)).join(" | ") }
        : {
            calls: [
              { tool: "translator", input: { task: "Translate: bread" } },
              { tool: "pay", input: {} },
            ],
          },
    )
    const pay: FunctionTool = {
      ...{ description: "Pays", inputSchema: { type: "object", properties: {} } },
      async handle(_input, ask) {
        if (await ask.confirm("sure", "Pay 10 €?")) await ask.once("paid", () => void done.push("paid"))
        return "paid"
      },
    }
    const server = await startAgents({
      agents: { helper: { model, tools: { pay }, a2aAgents: ["translator"], policies: { "*": "always" } } },
      a2aAgents: { translator: open(agent) },
    })
    const stream = await server.say("c1", "translate and pay")
    const { elicitationId } = await question(stream)
    await expect.poll(() => agent.methods).toContain("GetTask")
    await answer(server, "c1", { elicitationId, action: "accept", content: { confirmed: "yes" } })
    await expect.poll(() => done).toEqual(["paid"])
    finish.resolve()
    expect(textOf(await stream.rest())).toBe('"pain" | "paid"')
    expect(agent.got).toHaveLength(1)
  })

  it("gets no task without the approval that the policy requires", async () => {
    const agent = await remote()
    const { offered: _offered, ...config } = agentsFor(open(agent), { policies: { translator: "ask" } })
    const server = await startAgents(config)
    const stream = await server.say("c1", "translate bread")
    const { elicitationId } = await question(stream)
    await answer(server, "c1", { elicitationId, action: "decline" })
    expect(textOf(await stream.rest())).toContain("did not allow this call")
    expect(agent.methods).toEqual(["card"])
  })

  it("is described from its card, even when the card can no longer be read", async () => {
    const agent = await remote()
    agent.script = [(exchange) => exchange.message(text("pain"))]
    const prompts: (string | undefined)[] = []
    const shared = { storage: createMemoryStorage(), keys: newKeys() }
    const { offered: _offered, ...config } = agentsFor(open(agent))
    const model: AgentsConfig["agents"][string]["model"] = {
      ...scriptedModel(() => ({ text: "Hello." })),
      async doStream(options) {
        for (const tool of options.tools ?? []) prompts.push(tool.type === "function" ? tool.description : undefined)
        return scriptedModel(() => ({ text: "Hello." })).doStream(options)
      },
    }
    const described = {
      ...config,
      agents: { helper: { model, a2aAgents: ["translator"] } },
    }
    const first = await startAgents(described, shared)
    await (await first.say("c1", "hello")).rest()
    agent.disturb = () => 503
    const reports: string[] = []
    const second = await startAgents(described, { ...shared, report: (doing) => void reports.push(doing) })
    await (await second.say("c2", "hello")).rest()
    const description =
      "Gives a task to another agent and returns its reply. Translator: Translates texts\n- French: Into French"
    expect(prompts).toEqual([description, description])
    expect(reports).toEqual(["reading the card of translator"])
  })
})

it("the documented configuration is accepted", () => {
  const [model, url] = [scriptedModel(() => ({ text: "Hello." })), "https://translator.example"]
  // #region configure
  const config: AgentsConfig = {
    agents: { helper: { model, a2aAgents: ["translator"] } },
    a2aAgents: {
      translator: { url, title: "Translator", credentialScope: "user", provider: "translations" },
    },
  }
  // #endregion
  expect(readAgents(config as never)).toBe(config)
})

describe("a remote A2A agent with accounts of people", () => {
  /** A remote agent that accepts only the right key, and the provider for its keys. */
  async function guarded() {
    const agent = await remote()
    const right = { key: goodKey }
    agent.isAdmitted = ({ authorization }) => authorization === `Bearer ${right.key}`
    const provider: ApiKeyProvider = {
      ...{ kind: "api_key", id: "notes", name: "Example Translator", api: [agent.url] },
      header: { name: "Authorization", prefix: "Bearer " },
      test: { method: "GET", url: `${agent.url}/me` },
      identity: { from: "nothing" },
    }
    const settings = { providers: [provider], network: { allowLoopback: true } }
    const { offered: _offered, ...config } = agentsFor({ url: agent.url, credentialScope: "user", provider: "notes" })
    return { agent, right, settings, config }
  }

  it("gets no task until the person has connected, and then gets their credentials", async () => {
    const { agent, settings, config } = await guarded()
    agent.script = [(exchange) => exchange.message(text("pain"))]
    const server = await startAgents(config, settings)
    const stream = await server.say("c1", "translate bread")
    const asked = await question(stream)
    expect(asked).toMatchObject({ mode: "url", context: { trigger: "credential_required", toolName: "translator" } })
    expect(agent.methods).toEqual(["card"])
    await connectKey(server, asked.elicitationId, goodKey)
    expect(textOf(await stream.rest())).toBe('"pain"')
    expect(agent.headers.at(-1)?.authorization).toBe(`Bearer ${goodKey}`)
    expect(agent.headers[0]?.authorization).toBeUndefined()
    expect(JSON.stringify(stream.seen)).not.toContain(goodKey)
  })

  it("gets only the credentials of the person it works for", async () => {
    const { agent, right, settings, config } = await guarded()
    agent.script = [(exchange) => exchange.message(text("pain"))]
    const bobsKey = "key-of-bob-0123456789"
    const server = await startAgents(config, settings)
    const stream = await server.say("c1", "translate bread")
    await connectKey(server, (await question(stream)).elicitationId, goodKey)
    await stream.rest()
    right.key = bobsKey
    const bob = { tenant: "local", issuer: "urn:holdpoint:local", subject: "bob", name: "Bob" }
    await server.agents.begin({ person: bob, agent: "helper", text: "translate bread" })
    const bobs = () => server.hub.list({ tenant: "local", principal: bob, state: "open", limit: 9 })
    await expect.poll(async () => (await bobs()).length).toBe(1)
    await connectKey(server, (await bobs())[0]?.id ?? "", bobsKey, bob)
    await expect.poll(() => agent.got.length).toBe(2)
    const keys = agent.headers.map(({ authorization }) => authorization).filter((one) => one !== undefined)
    expect(keys).toEqual([`Bearer ${goodKey}`, `Bearer ${bobsKey}`])
  })

  it.each(["before the task is given", "while the agent works"])(
    "asks the person to reconnect when the account is refused %s, and continues with one task",
    async (when) => {
      const { agent, right, settings, config } = await guarded()
      const newKey = "key-of-alice-9876543210"
      const finish = Promise.withResolvers<void>()
      agent.script = [
        async (exchange) => {
          exchange.status("working")
          if (when !== "before the task is given") right.key = newKey
          await finish.promise
          exchange.status("completed", text("pain"))
        },
      ]
      const server = await startAgents(config, settings)
      const stream = await server.say("c1", "translate bread")
      const { elicitationId: first } = await question(stream)
      await connectKey(server, first, right.key)
      if (when === "before the task is given") {
        finish.resolve()
        await stream.rest()
        right.key = newKey
      }
      const again = when === "before the task is given" ? await server.say("c2", "translate bread") : stream
      let asked = await question(again)
      // Skips the end of the first question, which arrives in the same stream.
      while (asked.elicitationId === first) asked = await question(again)
      await connectKey(server, asked.elicitationId, newKey)
      finish.resolve()
      expect(textOf(await again.rest())).toBe('"pain"')
      expect(agent.got).toHaveLength(when === "before the task is given" ? 2 : 1)
    },
  )
})
