// What a handler finds in the SDK's AuthInfo where our own resource server has verified the token.

import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { createHouse } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { openV2 } from "@holdpoint/testkit/mcp/server/clients/v2"
import { resource } from "@holdpoint/testkit/mcp/server/tokens"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, expect, it } from "vitest"
import { holdable } from "../../../src/server/index.ts"

let house: House
beforeEach(async () => {
  house = await createHouse({ server })
})
afterEach(() => house.close())

function server(): McpServer {
  const made = new McpServer({ name: "resource", version: "1" })
  const look = holdable(async (ask) => {
    const { resource: url } = { ...ask.context.http?.authInfo }
    const resourceUrl = String(url)
    if (url !== undefined) url.pathname = "/changed"
    return text(resourceUrl)
  })
  made.registerTool("look", {}, look)
  return made
}

const modes = [{ mode: "legacy" }, { mode: { pin: "2026-07-28" } }] as const
it.each(modes)("authInfo names the resource that the token is for, in each request ($mode)", async ({ mode }) => {
  const client = await openV2(mode, await house.endpoint(), { answer: () => ({ action: "decline" }) })
  for (const _ of ["first", "second"]) expect(await client.call("look", {})).toMatchObject({ text: resource })
  await client.close()
})
