// In local mode people do not sign in: a link is sent together with the code that its page shows.

import { createAddresses } from "@holdpoint/hub"
import { alice } from "@holdpoint/testkit/fixtures"
import type { ClientKind, JsonObject, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { publicUrl } from "@holdpoint/testkit/mcp/server/tools"
import type { World } from "@holdpoint/testkit/mcp/server/world"
import { createWorld } from "@holdpoint/testkit/mcp/server/world"
import { afterEach, describe, expect, it } from "vitest"

let world: World
let client: TestClient
afterEach(async () => {
  await client.close()
  await world.close()
})

const code = "K7Q-4MX"
const withCodes = createAddresses(publicUrl, { codeOf: () => code, keyOf: () => "key" })
const words = `The page shows the code ${code}.`
const args = { cell: "code" }

/** Starts a client whose person, at this machine, dismisses every question. */
async function start(kind: ClientKind, capabilities?: JsonObject): Promise<void> {
  world = await createWorld({ callers: { local: alice }, addresses: withCodes })
  const capabilityOption = capabilities === undefined ? {} : { capabilities }
  client = await open(kind, await world.endpoint(), { answer: () => ({ action: "cancel" }), ...capabilityOption })
}

describe("the code of a page", () => {
  it.each(["v2 pinned to 2026-07-28", "v2 legacy"] as const)("is shown with a link: %s", async (kind) => {
    await start(kind)
    await client.call("ask_connection", args)
    await client.call("ask_url", args)
    expect(client.prompts.map(({ message }) => message)).toEqual([
      `asking asks you to connect Drive. ${words}`,
      `Please pay for your order. ${words}`,
    ])
  })

  it("is shown with a link in a form", async () => {
    await start("v2 legacy", { elicitation: {} })
    await client.call("ask_connection", args)
    expect(client.prompts[0]?.message).toContain(words)
  })

  it("is shown with a link in the text of a result and of the access tools", async () => {
    await start("no capability")
    for (const tool of ["ask_connection", "request_access", "access_status"])
      expect(await client.call(tool, { ...args, provider: "drive" })).toMatchObject({
        text: expect.stringContaining(words),
      })
  })

  it("is shown again when the client has used up its rounds", async () => {
    world = await createWorld({ callers: { local: alice }, addresses: withCodes, holdMs: 10, rounds: 2 })
    client = await open("v2 pinned to 2026-07-28", await world.endpoint(), { answer: () => ({ action: "accept" }) })
    const result = await client.call("ask_url", args)
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining(words) })
  })

  it("is not shown with a form that has no page", async () => {
    await start("v2 legacy")
    await client.call("ask_form", args)
    expect(client.prompts.map(({ message }) => message)).toEqual(["Which colour?"])
  })
})
