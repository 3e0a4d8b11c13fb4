// Answers to the questions of a task: by data part and by text; unclear, invalid, simultaneous, late and repeated ones.

import { createMemoryStorage, HoldpointError, type Storage } from "@holdpoint/hub"
import {
  answering,
  asked,
  connectA2a,
  onlyQuestion,
  replyOf,
  saidOf,
  stateName,
} from "@holdpoint/testkit/a2a/agents/a2a-client"
import { askingAgents, noDeeds } from "@holdpoint/testkit/a2a/agents/asking-agents"
import { startAgents } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it } from "vitest"

const open = async (deeds = noDeeds()) => {
  const server = await startAgents(askingAgents(deeds))
  return { server, deeds, ...(await connectA2a(server)) }
}

describe("a question of a task", () => {
  it("is in the status, as text and as an event of chat streams", async () => {
    const task = await (await open()).send("city")
    expect(stateName(task)).toBe("INPUT_REQUIRED")
    expect(saidOf(task)).toBe(
      "Which city?\n\nAnswer with one of “Rome, Italy” (rome), “Oslo, Norway” (oslo) (required).",
    )
    expect(onlyQuestion(task)).toMatchObject({
      ...{ type: "elicitation-request", mode: "form", message: "Which city?", status: "pending" },
      context: { toolName: "city" },
    })
    expect(task.status?.message?.extensions).toHaveLength(1)
  })

  it.each([
    ["name", "Ada", "Ada"],
    ["city", "OSLO", "oslo"],
    ["city", " “Rome, Italy”. ", "rome"],
    ["days", "7", "7"],
    ["sure", "Yes", "true"],
    ["sure", "no", "false"],
    ["colours", "Red, blue", "red/blue"],
  ])("of the kind %s is answered by the text “%s”", async (kind, text, heard) => {
    const { send } = await open()
    const task = await send(kind)
    const done = await send({ text, taskId: task.id })
    expect(replyOf(done)).toContain(`I heard: ${heard}.`)
  })

  it.each([
    ["city", "somewhere warm", "not one of the options"],
    ["days", "12", "n must be at most 9"],
    ["days", "many", "whole number, 1 to 9"],
    ["sure", "perhaps", "not clear"],
    ["address", "Main street", "which field"],
  ])("of the kind %s stays open after the text “%s”, and the status says why", async (kind, text, needed) => {
    const { send, get } = await open()
    const task = await send(kind)
    const still = await send({ text, taskId: task.id })
    expect(stateName(still)).toBe("INPUT_REQUIRED")
    expect(saidOf(still)).toContain(needed)
    expect(onlyQuestion(still)).toEqual(onlyQuestion(task))
    expect(saidOf(await get(task.id))).toBe(saidOf(task))
  })

  it("stays open after an invalid answer, says what is wrong with each field, and accepts the next answer", async () => {
    const { send } = await open()
    const task = await send("address")
    const { elicitationId } = onlyQuestion(task)
    const wrong = { action: "accept", content: { street: 7, country: "Italy" } } as const
    const still = await send(answering(task, elicitationId, wrong))
    expect(stateName(still)).toBe("INPUT_REQUIRED")
    for (const field of ["street", "town", "country"]) expect(saidOf(still)).toMatch(new RegExp(`^${field}: `, "m"))
    const content = { street: "Main street", town: "Rome" }
    const done = await send(answering(task, elicitationId, { action: "accept", content }))
    expect(replyOf(done)).toContain("I heard: Main street in Rome.")
  })

  it("is declined by a data part, and the agent is told why", async () => {
    const { send } = await open()
    const task = await send("city")
    const done = await send(answering(task, onlyQuestion(task).elicitationId, { action: "decline", reason: "Too far" }))
    expect(stateName(done)).toBe("COMPLETED")
    expect(replyOf(done)).toContain("Too far")
  })

  it("is answered once when its message is sent again, even if the text also fits the next question", async () => {
    const { send } = await open()
    const task = await send("plan")
    const answer = { text: "a", taskId: task.id, messageId: "m-a" }
    const next = await send(answer)
    expect(onlyQuestion(next).message).toBe("Which second?")
    expect(onlyQuestion(await send(answer))).toEqual(onlyQuestion(next))
    await expect(send({ ...answer, text: "b" })).rejects.toThrow("Use a new one for each message")
    const done = await send({ text: "b", taskId: task.id })
    expect(replyOf(done)).toContain("I heard: a then b.")
    expect(replyOf(await send(answer))).toBe(replyOf(done))
    expect(done.history.map(({ role }) => role)).toHaveLength(5)
  })

  it("accepts one of two concurrent answers, and the refusal of the other says how it ended", async () => {
    const { send } = await open()
    const task = await send("city")
    const { elicitationId } = onlyQuestion(task)
    const answer = (city: string) =>
      send(answering(task, elicitationId, { action: "accept", content: { choice: city } }))
    const results = await Promise.allSettled([answer("rome"), answer("oslo")])
    const [won] = results.filter(({ status }) => status === "fulfilled")
    const [lost] = results.filter(({ status }) => status === "rejected")
    expect(won).toBeDefined()
    expect(lost).toMatchObject({
      reason: { name: "UnsupportedOperationError", message: expect.stringContaining("completed") },
    })
  })

  it("that was answered accepts the same answer again, and refuses a different one with the outcome", async () => {
    const { send } = await open()
    const task = await send("city")
    const { elicitationId } = onlyQuestion(task)
    const rome = () => answering(task, elicitationId, { action: "accept", content: { choice: "rome" } })
    const done = await send(rome())
    expect(await send(rome())).toMatchObject({ id: done.id, status: done.status })
    await expect(send(answering(task, elicitationId, { action: "decline" }))).rejects.toThrow("completed")
  })

  it("records a late No that is sent again because the storage failed the first time", async () => {
    const storage = createMemoryStorage()
    let isAway = false
    const append: Storage["trail"]["append"] = async (entry) => {
      if (isAway && entry.kind === "refused") throw new HoldpointError("store_unavailable", "away")
      return storage.trail.append(entry)
    }
    const server = await startAgents(askingAgents(noDeeds()), {
      storage: { ...storage, trail: { ...storage.trail, append } },
    })
    const { send } = await connectA2a(server)
    const task = await send("city")
    const { elicitationId } = onlyQuestion(task)
    await send(answering(task, elicitationId, { action: "accept", content: { choice: "rome" } }))
    const no = { ...answering(task, elicitationId, { action: "decline" }), messageId: "m-no" }
    isAway = true
    await expect(send(no)).rejects.toThrow("cannot reach its database")
    isAway = false
    await expect(send(no)).rejects.toThrow("The No came too late")
    const entries = await storage.trail.read({ id: elicitationId, afterPosition: 0, limit: 99 })
    expect(entries.filter(({ kind }) => kind === "refused")).toHaveLength(1)
  })

  it("needs an answer with its id while several questions are open", async () => {
    const { send } = await open()
    const task = await send("city+name")
    const [city, name] = asked(task)
    expect([city?.message, name?.message]).toEqual(["Which city?", "Who are you?"])
    expect(saidOf(await send({ text: "oslo", taskId: task.id }))).toContain("Several questions are open")
    const half = await send(answering(task, name!.elicitationId, { action: "accept", content: { name: "Ada" } }))
    expect(stateName(half)).toBe("INPUT_REQUIRED")
    expect(onlyQuestion(half).elicitationId).toBe(city?.elicitationId)
    const done = await send({ text: "oslo", taskId: task.id })
    expect(replyOf(done)).toContain("I heard: oslo, Ada.")
  })

  it("is answered even if another answer in the same message is invalid, which the status reports", async () => {
    const { send, server } = await open()
    const task = await send("city+name")
    const [city, name] = asked(task)
    const parts = [
      answering(task, city!.elicitationId, { action: "accept", content: { choice: "paris" } }),
      answering(task, name!.elicitationId, { action: "accept", content: { name: "Ada" } }),
    ].flatMap((message) => message.parts ?? [])
    const half = await send({ taskId: task.id, parts })
    expect(saidOf(half)).toMatch(/^choice: /)
    expect((await server.hub.get(name!.elicitationId))?.status).toBe("completed")
    expect((await server.hub.get(city!.elicitationId))?.status).toBe("pending")
  })

  it("of one task is not answered through another", async () => {
    const { send, server } = await open()
    const [one, other] = [await send("city"), await send("name")]
    const answer = answering(other, onlyQuestion(one).elicitationId, { action: "accept", content: { choice: "rome" } })
    await expect(send(answer)).rejects.toThrow("no question with this elicitationId")
    expect((await server.hub.get(onlyQuestion(one).elicitationId))?.status).toBe("pending")
  })

  it("is not answered by metadata, by another kind of part, or by a message that begins a task", async () => {
    const { send, server } = await open()
    const task = await send("city")
    const { elicitationId } = onlyQuestion(task)
    const answer = answering(task, elicitationId, { action: "accept", content: { choice: "rome" } })
    const value = { principal: { subject: "bob" }, ...answer.parts![0]!.content }
    const unanswered = await send({ text: "well", taskId: task.id, metadata: { ...value, answers: [value] } })
    expect(stateName(unanswered)).toBe("INPUT_REQUIRED")
    await expect(send({ ...answer, taskId: "" })).rejects.toThrow("needs the id of its task")
    expect((await server.hub.get(elicitationId))?.status).toBe("pending")
  })
})

describe("an approval", () => {
  it.each([
    ["Remove", true],
    ["do not remove", false],
    ["No", false],
  ])("is decided by the words of its buttons: “%s”", async (text, isDone) => {
    const { send, deeds } = await open()
    const task = await send("remove")
    expect(saidOf(task)).toContain("Answer “Remove” or “Do not remove”.")
    expect(stateName(await send({ text: "perhaps remove it", taskId: task.id }))).toBe("INPUT_REQUIRED")
    expect(deeds.done).toEqual([])
    expect(stateName(await send({ text, taskId: task.id }))).toBe("COMPLETED")
    expect(deeds.done).toEqual(isDone ? ["removed"] : [])
  })

  it("is not given by a bare yes, which may be meant for another question", async () => {
    const { send, deeds } = await open()
    const task = await send("remove")
    const still = await send({ text: "Yes", taskId: task.id })
    expect(saidOf(still)).toContain("not clear whether that is “Remove” or “Do not remove”")
    expect([stateName(still), deeds.done]).toEqual(["INPUT_REQUIRED", []])
  })
})
