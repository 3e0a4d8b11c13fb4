// A2A agents of others as tools: what they ask reaches the person in the chat, with the credentials of each person.

import { describe, expect, it, onTestFinished } from "vitest"
import type {
  RemoteAgent,
  RemoteOptions,
} from "../../../../packages/holdpoint/test/surfaces/a2a/client/remote-agent.ts"
import {
  formPart,
  startRemoteAgent,
  text,
} from "../../../../packages/holdpoint/test/surfaces/a2a/client/remote-agent.ts"
import type { A2aAgentConfig, AgentsConfig } from "../../src/agents/definition.ts"
import { scriptedModel } from "../../src/agents/scripted-model.ts"
import { answer, question, startAgents, textOf } from "./agents-server.ts"

async function remote(options: RemoteOptions = {}): Promise<RemoteAgent> {
  const agent = await startRemoteAgent(options)
  onTestFinished(() => agent.close())
  return agent
}

/** An agent that gives the translator one task, and says what came of it. */
function agentsFor(translator: A2aAgentConfig, more: object = {}): AgentsConfig & { readonly offered: string[] } {
  const offered: string[] = []
  const model = scriptedModel(({ results, step, tools }) => {
    offered.push(...tools)
    if (step === 0) return { calls: [{ tool: "translator", input: { task: "Translate: bread" } }] }
    return { text: results.map(({ output }) => JSON.stringify(output)).join(" | ") }
  })
  return {
    offered,
    agents: { helper: { model, a2aAgents: ["translator"], ...more } },
    a2aAgents: { translator },
  }
}

const open = ({ url }: RemoteAgent): A2aAgentConfig => ({ url, credentialScope: "none" })

describe("an A2A agent of others", () => {
  it("is one tool that gives it a task, and its form is a question in the chat", async () => {
    const agent = await remote({ isStreaming: true })
    agent.script = [
      (turn) => turn.status("input", formPart("q1", "Which language?", { language: { type: "string" } })),
      (turn) => {
        turn.artifact(text("pain"))
        turn.status("completed")
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
})
