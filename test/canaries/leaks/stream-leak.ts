// Leaks a secret in the event stream of an agent's run.

import { expect, it } from "vitest"
import { scriptedModel } from "../../../apps/server/src/agents/scripted-model.ts"
import { startAgents, textOf } from "../../../apps/server/test/agents/agents-server.ts"
import { newSecret } from "./secrets.ts"

it("streams", async () => {
  const secret = newSecret("access_token", "stream")
  const server = await startAgents({ agents: { helper: { model: scriptedModel(() => ({ text: secret })) } } })
  expect(textOf(await (await server.say("c1", "hello")).rest()) === secret).toBe(true)
})
