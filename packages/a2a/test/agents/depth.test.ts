// Requests over A2A whose data is nested thousands of levels deep, over every binding.

import { askingAgents, noDeeds } from "@holdpoint/testkit/a2a/agents/asking-agents"
import { startAgents } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it } from "vitest"

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`
const message = (levels: number): string =>
  `{"message":{"messageId":"m-1","role":"ROLE_USER","parts":[{"data":${nested(levels)}}]}}`
const legacyMessage = `{"message":{"kind":"message","messageId":"m-1","role":"user","parts":[{"kind":"data","data":${nested(5_000)}}]}}`
const call = (method: string, params: string): string =>
  `{"jsonrpc":"2.0","id":7,"method":"${method}","params":${params}}`

describe("a request over A2A with data that is nested 5,000 levels deep", () => {
  it("is refused with invalid parameters over JSON-RPC", async () => {
    const server = await startAgents(askingAgents(noDeeds()))
    const response = await server.post("/a2a/helper", call("SendMessage", message(5_000)), { "a2a-version": "1.0" })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      ...{ id: 7, error: { code: -32602, message: "The request is nested too deeply. Send data with fewer levels." } },
    })
  })

  it("is refused with invalid parameters over JSON-RPC of 0.3", async () => {
    const server = await startAgents(askingAgents(noDeeds()))
    const response = await server.post("/a2a/helper", call("message/send", legacyMessage), {})
    expect(await response.json()).toMatchObject({ id: 7, error: { code: -32602 } })
  })

  it("is refused with 400 over HTTP+JSON", async () => {
    const server = await startAgents(askingAgents(noDeeds()))
    const response = await server.post("/a2a/helper/message:send", message(5_000), { "a2a-version": "1.0" })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain("nested too deeply")
  })
})
