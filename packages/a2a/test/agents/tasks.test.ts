// Agents as A2A agents, called by the official client: a task is a run, each message counts once, and messages with the
// task's id answer its questions.

import { TaskState } from "@a2a-js/sdk"
import { createMemoryStorage } from "@holdpoint/hub"
import { connectA2a, onlyQuestion, replyOf, saidOf, stateName, words } from "@holdpoint/testkit/a2a/agents/a2a-client"
import { askingAgents, noDeeds } from "@holdpoint/testkit/a2a/agents/asking-agents"
import { newKeys, startAgents } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it } from "vitest"
import { a2aTaskKind } from "../../src/agents/records.ts"

const open = async (deeds = noDeeds()) => {
  const server = await startAgents(askingAgents(deeds))
  return { server, deeds, ...(await connectA2a(server)) }
}

describe("a task over A2A", () => {
  it("is a run whose reply is an artifact, and stays readable after its end", async () => {
    const { send, get } = await open()
    const task = await send("hello")
    expect(stateName(task)).toBe("COMPLETED")
    expect(replyOf(task)).toBe("You said: hello")
    expect(await get(task.id)).toEqual(task)
    expect(task.history.map(({ parts }) => words(parts))).toEqual(["hello"])
    expect((await get(task.id, 0)).history).toEqual([])
    await expect(get(task.id, -1)).rejects.toThrow("historyLength")
  })

  it("continues the context that a message names, which the run API has too", async () => {
    const { send, server } = await open()
    const first = await send({ text: "hello", contextId: "c1" })
    const second = await send({ text: "again", contextId: first.contextId })
    expect([first.contextId, second.contextId]).toEqual(["c1", "c1"])
    expect(second.id).not.toBe(first.id)
    expect(await (await server.get("/run/api/conversations/c1")).json()).toMatchObject({
      messages: [{}, {}, { parts: [{ text: "again" }] }, {}],
    })
  })

  it("begins once when its message is sent again, even at the same time", async () => {
    const { send, deeds } = await open()
    const message = { text: "hello", messageId: "m-1" }
    const [one, other] = await Promise.all([send(message), send(message)])
    expect((await send(message)).id).toBe(one.id)
    expect(other.id).toBe(one.id)
    expect(deeds.steps).toBe(1)
    await expect(send({ ...message, text: "something else" })).rejects.toThrow("Use a new one for each message")
  })

  it("fails when its model fails, without the message of the model's provider", async () => {
    const task = await (await open()).send("fail")
    expect(stateName(task)).toBe("FAILED")
    expect(saidOf(task)).toContain("The model could not be used")
    expect(JSON.stringify(task)).not.toContain("secret of the provider")
  })

  it("returns immediately when the client asks for that, and can be canceled while it works", async () => {
    const { send, cancel, get } = await open()
    const task = await send("wait", { returnImmediately: true })
    expect(stateName(task)).toBe("WORKING")
    await expect(send({ text: "hurry", taskId: task.id })).rejects.toThrow("The message was not kept")
    await expect(send({ text: "hurry", contextId: task.contextId })).rejects.toThrow(`task ${task.id}`)
    expect(stateName(await cancel(task.id))).toBe("CANCELED")
    expect(stateName(await get(task.id))).toBe("CANCELED")
    await expect(cancel(task.id)).rejects.toThrow("ended already")
  })

  it("takes no message after its end, and none of another context", async () => {
    const { send } = await open()
    const task = await send("city")
    await expect(send({ text: "Oslo", taskId: task.id, contextId: "c-2" })).rejects.toThrow("another context")
    await send({ text: "oslo", taskId: task.id })
    await expect(send({ text: "thanks", taskId: task.id })).rejects.toMatchObject({
      ...{ name: "UnsupportedOperationError", message: expect.stringContaining("takes no more messages") },
    })
  })

  it("can be canceled while it waits, which cancels its question", async () => {
    const { send, cancel, server } = await open()
    const task = await send("city")
    const { elicitationId } = onlyQuestion(task)
    expect(stateName(await cancel(task.id))).toBe("CANCELED")
    expect((await server.hub.get(elicitationId))?.status).toBe("cancelled")
  })

  it("refuses parts that no model can read, and messages without parts", async () => {
    const { send } = await open()
    const part = { metadata: undefined, filename: "", mediaType: "image/png" }
    const url = { content: { $case: "url" as const, value: "https://elsewhere.example/a.png" }, ...part }
    await expect(send({ parts: [url] })).rejects.toMatchObject({ name: "ContentTypeNotSupportedError" })
    await expect(send({ parts: [] })).rejects.toMatchObject({ name: "RequestMalformedError" })
    await expect(send({ text: "hello", contextId: "with space" })).rejects.toThrow("contextId")
    const data = { content: { $case: "data" as const, value: { a: 1 } }, ...part, mediaType: "application/json" }
    expect(replyOf(await send({ parts: [data] }))).toBe('You said: {"a":1}')
  })

  it("is not found under another agent or with an unknown id", async () => {
    const { send, server } = await open()
    const task = await send("city")
    const other = await connectA2a(server, { agent: "other" })
    for (const refused of [other.get(task.id), other.cancel(task.id), other.get("nothing")])
      await expect(refused).rejects.toMatchObject({ name: "TaskNotFoundError" })
    await expect(other.send({ text: "oslo", taskId: task.id })).rejects.toMatchObject({ name: "TaskNotFoundError" })
    expect((await list(other)).tasks).toEqual([])
  })
})

type ConnectedClient = Awaited<ReturnType<typeof connectA2a>>
const everything = {
  ...{ tenant: "", contextId: "", status: TaskState.TASK_STATE_UNSPECIFIED, pageToken: "" },
  statusTimestampAfter: undefined,
}
const list = ({ client }: ConnectedClient, filter: object = {}) => client.listTasks({ ...everything, ...filter })

describe("a message that registers notifications", () => {
  const push = (url: string) => ({
    taskPushNotificationConfig: { ...{ tenant: "", id: "", taskId: "", token: "" }, url, authentication: undefined },
  })

  it("registers them once when it is sent again", async () => {
    const server = await startAgents(askingAgents(), { webhooks: { allowLoopback: true } })
    const { send, client } = await connectA2a(server)
    const configuration = push("http://127.0.0.1:9/")
    const task = await send({ text: "city", messageId: "m-1" }, configuration)
    await send({ text: "city", messageId: "m-1" }, configuration)
    const page = { tenant: "", taskId: task.id, pageSize: 0, pageToken: "" }
    expect((await client.listTaskPushNotificationConfig(page)).configs).toHaveLength(1)
  })

  it("begins nothing when it is refused", async () => {
    const { send, deeds } = await open()
    await expect(send("hello", push("http://169.254.169.254/"))).rejects.toMatchObject({
      name: "RequestMalformedError",
    })
    expect(deeds.steps).toBe(0)
  })
})

describe("the list of tasks", () => {
  it("has the caller's tasks with this agent, by page, context, state and time", async () => {
    const connected = await open()
    const first = await connected.send({ text: "hello", contextId: "c1" })
    const second = await connected.send("city")
    const third = await connected.send({ text: "again", contextId: "c1" })
    const ids = async (filter: object = {}) => (await list(connected, filter)).tasks.map(({ id }) => id)
    expect((await ids()).toSorted()).toEqual([first.id, second.id, third.id].toSorted())
    expect((await ids({ contextId: "c1" })).toSorted()).toEqual([first.id, third.id].toSorted())
    expect(await ids({ status: TaskState.TASK_STATE_INPUT_REQUIRED })).toEqual([second.id])
    expect(await ids({ statusTimestampAfter: new Date(Date.now() + 60_000).toISOString() })).toEqual([])
    const page = await list(connected, { pageSize: 2 })
    expect(page).toMatchObject({ pageSize: 2, totalSize: 3 })
    const rest = await list(connected, { pageSize: 2, pageToken: page.nextPageToken })
    expect(new Set([...page.tasks, ...rest.tasks].map(({ id }) => id)).size).toBe(3)
    expect(rest.nextPageToken).toBe("")
    expect(page.tasks.every(({ artifacts }) => artifacts.length === 0)).toBe(true)
    const whole = await list(connected, { includeArtifacts: true, status: TaskState.TASK_STATE_COMPLETED })
    expect(whole.tasks.map(replyOf).toSorted()).toEqual(["You said: again", "You said: hello"])
    await expect(list(connected, { pageSize: 101 })).rejects.toThrow("pageSize")
    await expect(list(connected, { pageToken: "nonsense" })).rejects.toThrow("pageToken")
  })
})

describe("a task whose server ends", () => {
  it("is known to the next server on the same storage, which continues with the answer", async () => {
    const shared = { storage: createMemoryStorage(), keys: newKeys() }
    const deeds = noDeeds()
    const first = await startAgents(askingAgents(deeds), shared)
    const task = await (await connectA2a(first)).send({ text: "city", messageId: "m-1" })
    await first.close()
    const second = await connectA2a(await startAgents(askingAgents(deeds), shared))
    expect(await second.get(task.id)).toEqual(task)
    const done = await second.send({ text: "Oslo, Norway", taskId: task.id })
    expect(replyOf(done)).toBe("One moment. \n\nI heard: oslo.")
    expect((await second.send({ text: "city", messageId: "m-1" })).id).toBe(task.id)
    expect(deeds.steps).toBe(2)
  })

  it("is found by its message when the server ended before it had stored more than its run", async () => {
    const shared = { storage: createMemoryStorage(), keys: newKeys() }
    const deeds = noDeeds()
    const client = await connectA2a(await startAgents(askingAgents(deeds), shared))
    const task = await client.send({ text: "city", messageId: "m-1" })
    const tasks = shared.storage.records(a2aTaskKind)
    const stored = await tasks.get(task.id)
    if (stored === undefined) throw new Error("no task")
    await tasks.remove(stored)
    await expect(client.get(task.id)).rejects.toThrow()
    expect(await client.send({ text: "city", messageId: "m-1" })).toEqual(task)
    expect(replyOf(await client.send({ text: "Oslo, Norway", taskId: task.id }))).toContain("I heard: oslo.")
    expect(deeds.steps).toBe(2)
  })
})
