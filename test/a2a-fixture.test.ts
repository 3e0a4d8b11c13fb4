// The fixture for the official kit of A2A: each prefix of a message's id leads to the state that the kit expects, over
// both bindings. The kit itself is Python and runs elsewhere.

import { SendMessageRequest, TaskState } from "@a2a-js/sdk"
import { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from "@a2a-js/sdk/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ServedFixture, serveFixture } from "./a2a-fixture/serve.ts"

let served: ServedFixture
beforeAll(async () => {
  served = await serveFixture(0)
})
afterAll(() => served.close())

const bindings = [
  { name: "JSON-RPC", transport: () => new JsonRpcTransportFactory() },
  { name: "HTTP+JSON", transport: () => new RestTransportFactory() },
]

describe.each(bindings)("the fixture over $name", ({ transport }) => {
  const connect = () => new ClientFactory({ transports: [transport()] }).createFromUrl(`${served.url}/`)

  it.each([
    ["tck-complete-task", TaskState.TASK_STATE_COMPLETED],
    ["tck-input-required", TaskState.TASK_STATE_INPUT_REQUIRED],
    ["tck-auth-required", TaskState.TASK_STATE_AUTH_REQUIRED],
    ["tck-artifact-text", TaskState.TASK_STATE_COMPLETED],
    ["tck-anything-else", TaskState.TASK_STATE_COMPLETED],
  ])("answers a message with the id %s as the kit expects, even a second time", async (prefix, state) => {
    const client = await connect()
    const ids = new Set<string>()
    for (let round = 0; round < 2; round++) {
      const sent = await client.sendMessage(toSend(`${prefix}-1a2b`))
      if (!("status" in sent)) throw new Error("a message came")
      ids.add(sent.id)
      expect(sent.status?.state).toBe(state)
    }
    expect(ids.size).toBe(2)
  })

  it("continues a task that needs input, and completes it", async () => {
    const client = await connect()
    const asking = await client.sendMessage(toSend("tck-input-required-1a2b"))
    const done = await client.sendMessage(toSend("tck-complete-task-1a2b", "id" in asking ? asking.id : ""))
    expect("status" in done && done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
  })

  it("returns immediately while it works, when the client wants that, and streams to the end", async () => {
    const client = await connect()
    const sent = await client.sendMessage(toSend("tck-delayed-complete-1a2b", "", { returnImmediately: true }))
    expect("status" in sent && sent.status?.state).toBe(TaskState.TASK_STATE_WORKING)
    const kinds: (string | undefined)[] = []
    for await (const { payload } of client.sendMessageStream(toSend("tck-stream-001-1a2b"))) kinds.push(payload?.$case)
    expect([kinds[0], kinds.at(-1)]).toEqual(["task", "statusUpdate"])
    expect(kinds).toContain("artifactUpdate")
  })
})

const toSend = (messageId: string, taskId = "", configuration: object = {}) =>
  SendMessageRequest.fromJSON({
    message: { messageId, taskId, role: "ROLE_USER", parts: [{ text: "TCK" }] },
    configuration: { acceptedOutputModes: [], ...configuration },
  })
