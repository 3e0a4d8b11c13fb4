// The HTTP+JSON binding, called by the official client and with requests that the client does not make.

import { SendMessageRequest, TaskState } from "@a2a-js/sdk"
import { ClientFactory, RestTransportFactory } from "@a2a-js/sdk/client"
import { TaskNotFoundError } from "@a2a-js/sdk/errors"
import { describe, expect, it } from "vitest"
import { createRestBinding } from "../../src/agents/rest/binding.ts"
import { agentUrl, createScriptedHandler, fetchOf, secretOfFailure } from "./scripted-handler.ts"

const reports: unknown[] = []
const binding = createRestBinding({ report: (_doing, error) => void reports.push(error) })
const handler = createScriptedHandler([binding])
const fetch = fetchOf([binding], handler)

const toSend = (text: string, more: object = {}) =>
  SendMessageRequest.fromJSON({
    message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more },
    configuration: { acceptedOutputModes: [] },
  })

const headers = { "a2a-version": "1.0", "content-type": "application/a2a+json" }
const ask = (path: string, init: RequestInit = {}) => fetch(`${agentUrl}${path}`, { headers, ...init })
const errorOf = async (response: Response) =>
  (
    (await response.json()) as {
      error: { code: number; status: string; message: string; details: { reason: string }[] }
    }
  ).error

async function connected() {
  return new ClientFactory({ transports: [new RestTransportFactory({ fetchImpl: fetch })] }).createFromAgentCard(
    await handler.getAgentCard(),
  )
}

describe("the official client over HTTP+JSON", () => {
  it("sends a message and reads, lists and cancels tasks", async () => {
    const client = await connected()
    const sent = await client.sendMessage(toSend("ask"))
    const id = "id" in sent ? sent.id : ""
    const task = await client.getTask({ id, tenant: "", historyLength: 0 })
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
    const listed = await client.listTasks({
      ...{ tenant: "", contextId: task.contextId, status: TaskState.TASK_STATE_INPUT_REQUIRED },
      ...{ pageToken: "", pageSize: 5, statusTimestampAfter: undefined, historyLength: undefined },
    })
    expect(listed.tasks.map((one) => one.id)).toEqual([id])
    const cancelled = await client.cancelTask({ id, tenant: "", metadata: {} })
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
  })

  it("reads a reply that is a message", async () => {
    const client = await connected()
    const sent = await client.sendMessage(toSend("reply"))
    expect("messageId" in sent && sent.parts[0]?.content).toEqual({ $case: "text", value: "hello" })
  })

  it("streams a task from its first event to its end", async () => {
    const client = await connected()
    const kinds: (string | undefined)[] = []
    for await (const event of client.sendMessageStream(toSend("tea"))) kinds.push(event.payload?.$case)
    expect(kinds).toEqual(["task", "statusUpdate", "artifactUpdate", "statusUpdate"])
  })

  it("subscribes to a task that waits", async () => {
    const client = await connected()
    const sent = await client.sendMessage(toSend("ask"))
    const id = "id" in sent ? sent.id : ""
    for await (const event of client.resubscribeTask({ id, tenant: "" })) {
      expect(event.payload?.$case).toBe("task")
      break
    }
  })

  it("stores, lists and removes push notification configurations", async () => {
    const client = await connected()
    const sent = await client.sendMessage(toSend("ask"))
    const taskId = "id" in sent ? sent.id : ""
    const config = { taskId, tenant: "", id: "c1", url: "https://receiver.test/", token: "t" }
    const created = await client.createTaskPushNotificationConfig({ ...config, authentication: undefined })
    expect(created).toMatchObject({ id: "c1", taskId })
    const read = await client.getTaskPushNotificationConfig({ taskId, id: "c1", tenant: "" })
    expect(read.url).toBe(config.url)
    const list = () => client.listTaskPushNotificationConfig({ taskId, pageSize: 0, pageToken: "", tenant: "" })
    expect((await list()).configs).toHaveLength(1)
    await client.deleteTaskPushNotificationConfig({ taskId, id: "c1", tenant: "" })
    expect((await list()).configs).toHaveLength(0)
  })

  it("reads a missing task as the protocol's error", async () => {
    const client = await connected()
    await expect(client.getTask({ id: "none", tenant: "" })).rejects.toBeInstanceOf(TaskNotFoundError)
  })
})

describe("the HTTP+JSON binding", () => {
  it("answers as application/a2a+json and echoes the extensions that were activated", async () => {
    const body = JSON.stringify(SendMessageRequest.toJSON(toSend("tea")))
    const asked = "https://x.test/known, https://x.test/other"
    const response = await ask("/message:send", {
      ...{ method: "POST", body },
      headers: { ...headers, "a2a-extensions": asked },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/a2a+json")
    expect(response.headers.get("a2a-extensions")).toBe("https://x.test/known")
  })

  it.each([
    ["a version that is not offered", "/tasks", { headers: { "a2a-version": "9.9" } }, 400, "VERSION_NOT_SUPPORTED"],
    ["no version, which is 0.3", "/tasks", { headers: {} }, 400, "VERSION_NOT_SUPPORTED"],
    ["a task that does not exist", "/tasks/none", {}, 404, "TASK_NOT_FOUND"],
    ["a page that is too large", "/tasks?pageSize=101", {}, 400, "INVALID_PARAMS"],
    ["a negative length", "/tasks/none?historyLength=-1", {}, 400, "INVALID_PARAMS"],
    ["a state that does not exist", "/tasks?status=TASK_STATE_BORED", {}, 400, "INVALID_PARAMS"],
    ["an invalid time", "/tasks?statusTimestampAfter=soon", {}, 400, "INVALID_PARAMS"],
    ["an invalid flag", "/tasks?includeArtifacts=perhaps", {}, 400, "INVALID_PARAMS"],
    ["a body that is not JSON", "/message:send", { method: "POST", body: "{" }, 400, "INVALID_PARAMS"],
    ["a body that is a list", "/message:send", { method: "POST", body: "[]" }, 400, "INVALID_PARAMS"],
    ["no message", "/message:stream", { method: "POST", body: "null" }, 400, "INVALID_PARAMS"],
    ["a message without an id", "/message:send", { method: "POST", body: '{"message":{}}' }, 400, "INVALID_PARAMS"],
    [
      ...(["another content type", "/message:send"] as const),
      { method: "POST", body: "x", headers: { ...headers, "content-type": "text/plain" } },
      ...([400, "CONTENT_TYPE_NOT_SUPPORTED"] as const),
    ],
  ])("refuses %s with the protocol's error", async (_what, path, init, status, reason) => {
    const response = await ask(path, init)
    const error = await errorOf(response)
    expect([response.status, error.code, error.details[0]?.reason]).toEqual([status, status, reason])
  })

  it("explains an unknown path and a wrong method", async () => {
    const unknown = await ask("/nothing/of/this")
    expect([unknown.status, (await errorOf(unknown)).message]).toEqual([404, expect.stringContaining("message:send")])
    const malformed = await ask("/tasks/%ff")
    expect(malformed.status).toBe(404)
    const wrong = await ask("/tasks/t1:cancel")
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"])
    expect((await errorOf(wrong)).message).toContain("Use POST")
  })

  it("answers HEAD without a body, and refuses it for streams", async () => {
    const response = await ask("/tasks", { method: "HEAD" })
    expect([response.status, await response.text()]).toEqual([200, ""])
    expect((await ask("/tasks/t1:subscribe", { method: "HEAD" })).status).toBe(405)
  })

  it("refuses a body that is too large", async () => {
    const small = fetchOf([binding], handler, 10)
    const response = await small(`${agentUrl}/message:send`, { method: "POST", headers, body: "{           }" })
    expect([response.status, (await errorOf(response)).code]).toEqual([413, 413])
  })

  it("accepts a tenant at the start of the path, and a task id that is also the name of an operation", async () => {
    expect((await ask("/acme/tasks")).status).toBe(200)
    expect(await errorOf(await ask("/acme/tasks/none"))).toMatchObject({ status: "NOT_FOUND" })
    expect(await errorOf(await ask("/tasks/tasks"))).toMatchObject({ status: "NOT_FOUND" })
  })

  it("leaves the agent's own address and its card to other handlers", async () => {
    expect((await ask("", { method: "POST", body: "{}" })).status).toBe(404)
    expect((await ask("/.well-known/agent-card.json")).status).toBe(200)
  })

  it("reports an internal failure, and hides its cause from the client", async () => {
    const broken = Object.assign(Object.create(handler) as typeof handler, {
      listTasks: () => Promise.reject(new Error(secretOfFailure)),
      async *sendMessageStream() {
        yield { payload: undefined }
        throw new Error(secretOfFailure)
      },
    })
    const failing = fetchOf([binding], broken)
    const response = await failing(`${agentUrl}/tasks`, { headers })
    expect([response.status, (await errorOf(response)).message]).toEqual([
      500,
      "The server failed to handle this request. Try again.",
    ])
    const body = JSON.stringify(SendMessageRequest.toJSON(toSend("tea")))
    const stream = await failing(`${agentUrl}/message:stream`, { method: "POST", headers, body })
    const text = await stream.text()
    expect(text).toContain("event: error")
    expect(text).not.toContain(secretOfFailure)
    expect(reports).toHaveLength(2)
  })
})
