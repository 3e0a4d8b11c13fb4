// A task over A2A: another agent sends a message, approves with a data part, and reads the artifact.

import { answering, asked, connectA2a, replyOf, saidOf, stateName } from "@holdpoint/testkit/a2a/agents/a2a-client"
import { startAgents } from "@holdpoint/testkit/agents/agents-server"
import { callKind } from "../../packages/calls/src/records.ts"
import { payingAgents } from "./run.ts"
import { persistently, receipt, type Scene, untilOver } from "./scene.ts"

export const a2aTask: Scene = {
  name: "A2A task",
  async play(storage, begin) {
    let effects = 0
    const server = await startAgents(
      payingAgents(() => `${receipt} ${++effects}`),
      { storage },
    )
    const { send, get } = await connectA2a(server)
    begin()
    const beginning = { text: "pay", messageId: "m1" }
    let task = await persistently(() => send(beginning))
    for (let number = 2; ["WORKING", "SUBMITTED", "INPUT_REQUIRED"].includes(stateName(task)); number++) {
      const [question] = asked(task)
      const current = task
      if (question === undefined) task = await persistently(() => get(current.id))
      else {
        const answer = answering(task, question.elicitationId ?? "", {
          action: "accept",
          content: { confirmed: "yes" },
        })
        task = await persistently(() => send({ ...answer, messageId: `m${number}` }))
      }
    }
    const replyText = `${replyOf(task)} ${saidOf(task)}`.trim()
    const isOver = await untilOver(
      async () => (await storage.records(callKind).list({ tenant: "local", limit: 1 })).length === 0,
    )
    await server.close()
    return { effects, told: replyText, isOver }
  },
}
