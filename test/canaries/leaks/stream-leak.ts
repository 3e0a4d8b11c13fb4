// Leaks a secret in the event stream of an agent's run.

import { scriptedModel } from "@holdpoint/agents"
import { startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { expect, it } from "vitest"
import { newSecret } from "./secrets.ts"

it("streams", async () => {
  const secret = newSecret("access_token", "stream")
  const server = await startAgents({ agents: { helper: { model: scriptedModel(() => ({ text: secret })) } } })
  expect(textOf(await (await server.say("c1", "hello")).rest()) === secret).toBe(true)
})
