// The agents of a server over the other bindings of A2A, and their notifications: the same tasks as over JSON-RPC.

import { SendMessageRequest, type StreamResponse } from "@a2a-js/sdk"
import { ClientFactory, DefaultAgentCardResolver, RestTransportFactory } from "@a2a-js/sdk/client"
import { isLegacyAgentCard, LegacyJsonRpcTransport, parseLegacyAgentCard } from "@a2a-js/sdk/compat/v0_3/client"
import { connectA2a, fetchOf, onlyQuestion, replyOf, stateName } from "@holdpoint/testkit/a2a/agents/a2a-client"
import { askingAgents } from "@holdpoint/testkit/a2a/agents/asking-agents"
import { publicUrl, startAgents } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it } from "vitest"
import { openReceiver } from "./push-receiver.ts"

const open = () => startAgents(askingAgents(), { webhooks: { allowLoopback: true } })

const toSend = (text: string, taskId = "", configuration: object = {}) =>
  SendMessageRequest.fromJSON({
    message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], taskId },
    configuration: { acceptedOutputModes: [], ...configuration },
  })

async function restClient(server: Awaited<ReturnType<typeof open>>) {
  const fetchImpl = fetchOf(server)
  const factory = new ClientFactory({
    transports: [new RestTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  })
  return factory.createFromUrl(`${publicUrl}/a2a/helper/`)
}

describe("an agent", () => {
  it("has a card with all of its bindings, JSON-RPC of 1.0 first", async () => {
    const server = await open()
    const card = (await (await server.get("/a2a/helper/.well-known/agent-card.json")).json()) as Card
    expect(
      card.supportedInterfaces.map(({ protocolBinding, protocolVersion }) => [protocolBinding, protocolVersion]),
    ).toEqual([
      ["JSONRPC", "1.0"],
      ["HTTP+JSON", "1.0"],
      ["JSONRPC", "0.3"],
    ])
    expect(card.capabilities).toMatchObject({ streaming: true, pushNotifications: true })
  })

  it("has a card of 0.3 for clients that ask for this version, by header or query", async () => {
    const server = await open()
    const path = "/a2a/helper/.well-known/agent-card.json"
    const byHeader: unknown = await (await server.get(path, { "a2a-version": "0.3" })).json()
    const byQuery: unknown = await (await server.get(`${path}?A2A-Version=0.3`)).json()
    expect(byQuery).toEqual(byHeader)
    expect(isLegacyAgentCard(byHeader)).toBe(true)
    expect(byHeader).toMatchObject({
      url: `${publicUrl}/a2a/helper`,
      preferredTransport: "JSONRPC",
      protocolVersion: "0.3",
    })
    const card = parseLegacyAgentCard(byHeader)
    expect(card.capabilities?.pushNotifications).toBe(true)
    expect(isLegacyAgentCard(await (await server.get(path)).json())).toBe(false)
  })

  it("asks, is answered and streams over HTTP+JSON", async () => {
    const client = await restClient(await open())
    const asking = await client.sendMessage(toSend("city"))
    if (!("status" in asking)) throw new Error("a message came")
    expect(stateName(asking)).toBe("INPUT_REQUIRED")
    const done = await client.sendMessage(toSend("Oslo, Norway", asking.id))
    expect("status" in done && replyOf(done)).toBe("One moment. \n\nI heard: oslo.")
    const events: StreamResponse[] = []
    for await (const event of client.sendMessageStream(toSend("hello"))) events.push(event)
    expect(events.at(0)?.payload?.$case).toBe("task")
    const last = events.at(-1)?.payload
    expect(last?.$case === "statusUpdate" && stateName(last.value)).toBe("COMPLETED")
  })

  it("asks a client of 0.3 and gets its answer, and the task is the same over 1.0", async () => {
    const server = await open()
    const client = new LegacyJsonRpcTransport({ endpoint: `${publicUrl}/a2a/helper`, fetchImpl: fetchOf(server) })
    const asking = await client.sendMessage(toSend("city"))
    if (!("status" in asking)) throw new Error("a message came")
    const current = await connectA2a(server)
    expect(onlyQuestion(await current.get(asking.id)).message).toBe("Which city?")
    const done = await client.sendMessage(toSend("Rome, Italy", asking.id))
    expect("status" in done && stateName(done)).toBe("COMPLETED")
  })
})

interface Card {
  readonly supportedInterfaces: readonly { readonly protocolBinding: string; readonly protocolVersion: string }[]
  readonly capabilities: unknown
}

describe("a receiver of an agent's notifications", () => {
  it("gets the states input-required and completed, each at least once and in this order", async () => {
    const [server, receiver] = [await open(), await openReceiver()]
    const { send } = await connectA2a(server)
    const task = await send("city", { taskPushNotificationConfig: { ...config, url: receiver.url } })
    await expect.poll(() => receiver.states()).toContain("TASK_STATE_INPUT_REQUIRED")
    await send({ text: "oslo", taskId: task.id })
    await expect.poll(() => receiver.states().at(-1), { timeout: 5_000 }).toBe("TASK_STATE_COMPLETED")
    const states = receiver.states()
    expect(states.indexOf("TASK_STATE_INPUT_REQUIRED")).toBeLessThan(states.indexOf("TASK_STATE_COMPLETED"))
    expect(receiver.received.at(-1)?.headers.authorization).toBe("Bearer the-credentials")
  })

  it("is not registered with a task of another agent", async () => {
    const server = await open()
    const task = await (await connectA2a(server)).send("city")
    const other = await connectA2a(server, { agent: "other" })
    const register = other.client.createTaskPushNotificationConfig({ ...config, taskId: task.id })
    await expect(register).rejects.toMatchObject({ name: "TaskNotFoundError" })
  })
})

const config = {
  ...{ tenant: "", id: "c1", taskId: "", url: "http://127.0.0.1:9/", token: "" },
  authentication: { scheme: "Bearer", credentials: "the-credentials" },
}
