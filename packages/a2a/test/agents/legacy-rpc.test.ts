// JSON-RPC of A2A 0.3, called by the official client of the SDK's compatibility layer.

import { SendMessageRequest, TaskState } from "@a2a-js/sdk"
import { LegacyJsonRpcTransport } from "@a2a-js/sdk/compat/v0_3/client"
import { TaskNotFoundError } from "@a2a-js/sdk/errors"
import { describe, expect, it } from "vitest"
import { createLegacyRpcBinding } from "../../src/agents/legacy/rpc-binding.ts"
import { agentUrl, createScriptedHandler, fetchOf, secretOfFailure } from "./scripted-handler.ts"

const reports: unknown[] = []
const binding = createLegacyRpcBinding({ report: (_doing, error) => void reports.push(error) })
const handler = createScriptedHandler([binding])
const fetch = fetchOf([binding], handler)
const client = new LegacyJsonRpcTransport({ endpoint: agentUrl, fetchImpl: fetch })

const toSend = (text: string, more: object = {}) =>
  SendMessageRequest.fromJSON({
    message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more },
    configuration: { acceptedOutputModes: [] },
  })
const call = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(agentUrl, {
    ...{ method: "POST", headers: { "content-type": "application/json", ...headers } },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })
const rpc = (method: string, params: unknown) => ({ jsonrpc: "2.0", id: 7, method, params })
const read = async (response: Response) => (await response.json()) as { id: unknown; error: { code: number } }

describe("the official client of 0.3", () => {
  it("sends a message, reads the task and cancels it", async () => {
    const sent = await client.sendMessage(toSend("ask"))
    const id = "id" in sent ? sent.id : ""
    const task = await client.getTask({ id, tenant: "" })
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
    const cancelled = await client.cancelTask({ id, tenant: "", metadata: {} })
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
  })

  it("streams a task from its first event to its end", async () => {
    const kinds: (string | undefined)[] = []
    for await (const event of client.sendMessageStream(toSend("tea"))) kinds.push(event.payload?.$case)
    expect(kinds).toEqual(["task", "statusUpdate", "artifactUpdate", "statusUpdate"])
  })

  it("stores and removes push notification configurations", async () => {
    const sent = await client.sendMessage(toSend("ask"))
    const taskId = "id" in sent ? sent.id : ""
    const config = { taskId, tenant: "", id: "c1", url: "https://receiver.test/", token: "t" }
    await client.createTaskPushNotificationConfig({ ...config, authentication: undefined })
    expect((await client.getTaskPushNotificationConfig({ taskId, id: "c1", tenant: "" })).url).toBe(config.url)
    await client.deleteTaskPushNotificationConfig({ taskId, id: "c1", tenant: "" })
    const list = await client.listTaskPushNotificationConfig({ taskId, tenant: "", pageSize: 0, pageToken: "" })
    expect(list.configs).toEqual([])
  })

  it("reads a missing task as the protocol's error", async () => {
    await expect(client.getTask({ id: "none", tenant: "" })).rejects.toBeInstanceOf(TaskNotFoundError)
  })
})

describe("the binding of 0.3", () => {
  it("treats a request without a version as one of 0.3, and leaves other versions to other bindings", async () => {
    const list = rpc("tasks/get", { id: "none" })
    expect((await read(await call(list))).error.code).toBe(-32001)
    expect((await read(await call(list, { "a2a-version": "" }))).error.code).toBe(-32001)
    expect((await read(await call(list, { "a2a-version": "0.3" }))).error.code).toBe(-32001)
    expect((await call(list, { "a2a-version": "1.0" })).status).toBe(404)
  })

  it("refuses invalid requests with JSON-RPC codes", async () => {
    expect((await read(await call("{"))).error.code).toBe(-32700)
    expect(await read(await call({ jsonrpc: "1.0", id: 7 }))).toMatchObject({ id: 7, error: { code: -32600 } })
    expect((await read(await call(rpc("SendMessage", {})))).error.code).toBe(-32601)
    expect((await read(await call("{}", { "content-type": "text/plain" }))).error.code).toBe(-32005)
    const small = fetchOf([binding], handler, 3)
    const large = await small(agentUrl, { method: "POST", body: "{   }" })
    expect((await read(large)).error.code).toBe(-32600)
  })

  it("echoes the activated extensions in the header of 0.3", async () => {
    const message = { messageId: "m", role: "user", kind: "message", parts: [{ kind: "text", text: "tea" }] }
    const asked = { "x-a2a-extensions": "https://x.test/known" }
    const response = await call(rpc("message/send", { message }), asked)
    expect(response.headers.get("x-a2a-extensions")).toBe("https://x.test/known")
  })

  it("reports a failure in a stream, and hides its cause from the client", async () => {
    const broken = Object.assign(Object.create(handler) as typeof handler, {
      async *resubscribe() {
        yield await Promise.reject(new Error(secretOfFailure))
      },
    })
    const failing = fetchOf([binding], broken)
    const body = JSON.stringify(rpc("tasks/resubscribe", { id: "t" }))
    const response = await failing(agentUrl, { method: "POST", body, headers: { "content-type": "application/json" } })
    const text = await response.text()
    expect(text).toContain("-32603")
    expect(text).not.toContain(secretOfFailure)
    expect(reports).toHaveLength(1)
  })
})
