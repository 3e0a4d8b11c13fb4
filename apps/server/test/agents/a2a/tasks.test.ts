// Agents as A2A agents, called by the official client: a task is a run, and its questions are answered by messages.

import { describe, expect, it } from "vitest"
import { startAgents } from "../agents-server.ts"
import { travelAgents } from "../travel-agents.ts"
import { answering, asked, connectA2a, onlyQuestion, replyOf, saidOf, stateName } from "./a2a-client.ts"

describe("a task over A2A", () => {
  it("is a run: its reply is an artifact, and its ids go on being known", async () => {
    const client = await connectA2a(await startAgents(travelAgents))
    const task = await client.send("hello")
    expect(stateName(task)).toBe("COMPLETED")
    expect(replyOf(task)).toBe("You said: hello")
    const again = await client.get(task.id)
    expect(again).toEqual(task)
    expect(again.history.map(({ messageId }) => messageId)).toHaveLength(1)
  })

  it("needs input when its run asks, and goes on with the answer in a data part", async () => {
    const client = await connectA2a(await startAgents(travelAgents))
    const task = await client.send("plan a trip")
    expect(stateName(task)).toBe("INPUT_REQUIRED")
    expect(saidOf(task)).toContain("Where to?")
    const question = onlyQuestion(task)
    const done = await client.send(
      answering(task, question.elicitationId, { action: "accept", content: { where: "Rome" } }),
    )
    expect(stateName(done)).toBe("COMPLETED")
    expect(replyOf(done)).toContain("3 days in Rome")
    expect(asked(done)).toEqual([])
  })
})
