// Tasks for agents on the official SDK's server, of protocol 1.0 and 0.3, with and without streams.

import { afterEach, describe, expect, it } from "vitest"
import type { A2aPeer, A2aReply } from "../../../../src/surfaces/a2a/client/index.ts"
import { connectA2a } from "../../../../src/surfaces/a2a/client/index.ts"
import type { Caller } from "../../mcp-client/caller.ts"
import { createCaller } from "../../mcp-client/caller.ts"
import type { RemoteAgent, RemoteOptions } from "./remote-agent.ts"
import { data, formPart, startRemoteAgent, text } from "./remote-agent.ts"

let caller: Caller
let agent: RemoteAgent
let peer: A2aPeer

async function start(options: RemoteOptions = {}): Promise<void> {
  caller = createCaller()
  agent = await startRemoteAgent(options)
  peer = connectA2a({ name: "translator", url: agent.url, limits: { pollMs: 5, mostPollMs: 50 } })
}
afterEach(async () => {
  await caller.close()
  await agent.close()
  expect(caller.reports).toEqual([])
})

const send = (task = "Translate: bread"): Promise<A2aReply> =>
  caller.run((ask) => peer.send(ask.scope("tool"), { text: task }))
const words = ({ parts }: A2aReply): string =>
  parts.map((part) => (part.type === "text" ? part.text : JSON.stringify(part))).join(" | ")

const variants: readonly RemoteOptions[] = [
  { version: "1.0", isStreaming: true },
  { version: "1.0", isStreaming: false },
  { version: "0.3", isStreaming: true },
  { version: "0.3", isStreaming: false },
]

describe.each(variants)("A task for an agent of %o", (variant) => {
  it("has its artifacts as the reply", async () => {
    await start(variant)
    agent.script = [
      (turn) => {
        turn.artifact(text("pain"), data({ gender: "m" }))
        turn.status("completed")
      },
    ]
    const reply = await send()
    expect(reply).toEqual({
      isError: false,
      parts: [
        { type: "text", text: "pain" },
        { type: "data", value: { gender: "m" } },
      ],
    })
    expect(agent.got.map((parts) => parts.map(({ content }) => content))).toEqual([
      [{ $case: "text", value: "Translate: bread" }],
    ])
  })

  it("asks the person the agent's form, and sends the answer to the same task", async () => {
    await start(variant)
    agent.script = [
      (turn) =>
        turn.status("input", text("Which?"), formPart("q1", "Which language?", { language: { type: "string" } })),
      (turn) => turn.status("completed", text("pain")),
    ]
    const sent = send()
    const [question] = await caller.questions()
    expect(question).toMatchObject({
      message: `“translator” (${agent.url}) asks: Which language?`,
      requestedSchema: { properties: { language: { type: "string" } } },
    })
    await caller.answer(question, { language: "French" })
    expect(words(await sent)).toBe("pain")
    expect(agent.got[1]?.map(({ content }) => content)).toEqual([
      {
        $case: "data",
        value: {
          ...{ type: "elicitation-response", elicitationId: "q1", action: "accept", content: { language: "French" } },
        },
      },
    ])
  })
})
