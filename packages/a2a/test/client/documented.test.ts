// The client in docs/agents.md, exactly as shown there.

import type { Ask } from "@holdpoint/calls"
import { text } from "@holdpoint/testkit/a2a/client/remote-agent"
import { expect, it } from "vitest"
import { connectA2a } from "../../src/client/index.ts"
import { openWorld } from "./world.ts"

it("the documented client sends a task and receives the reply", async () => {
  const { agent, caller } = await openWorld()
  agent.script = [(reply) => reply.message(text("pain"))]
  const { url } = agent
  // #region connect
  const translator = connectA2a({ name: "translator", url })

  async function translate(ask: Ask, word: string): Promise<string> {
    const { isError, parts } = await translator.send(ask.scope("translate"), { text: `Translate: ${word}` })
    const [first] = parts
    return !isError && first?.type === "text" ? first.text : "(no translation)"
  }
  // #endregion
  expect(await caller.run((ask) => translate(ask, "bread"))).toBe("pain")
})
