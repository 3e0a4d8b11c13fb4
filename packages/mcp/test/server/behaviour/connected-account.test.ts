// A call with an account that is connected: the check for the account makes no query to the store.

import { createCountingStorage } from "@holdpoint/testkit/counting-storage"
import type { House } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, retry, roundOf } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { createPersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, expect } from "vitest"
import { z } from "zod"
import { holdable } from "../../../src/server/index.ts"

let house: House
afterEach(() => house.close())

/** Made between the lines of the tool, so the call itself is left out. */
let made: readonly string[] = []

function serverOn(queries: () => readonly string[]): McpServer {
  const server = new McpServer({ name: "drive", version: "1" })
  server.registerTool(
    "read",
    { inputSchema: z.object({ id: z.string() }) },
    holdable(async ({ id }, ask) => {
      queries()
      const drive = await ask.connection("drive", { scopes: ["files"] })
      const response = await drive.fetch(`https://api.drive.example/files/${id}`)
      made = queries()
      return text(String(response.status))
    }),
  )
  return server
}

verifies("connection.no-query-when-connected", "asking for a connected account makes no query", async () => {
  const storage = createCountingStorage()
  const server = () => serverOn(storage.queries)
  house = await createHouse({ server, storage, drive: () => new Response(null, { status: 204 }) })
  const person = createPersonAtPages(storage, house.keys)
  const client = await house.modern()
  const one = roundOf(await client.call("read", { id: "1" }))
  await person.finishes(await person.question())
  await retry(client, "read", { id: "1" }, one, { "connection drive": accept() })
  expect(made).not.toEqual([])
  await client.call("read", { id: "2" })
  expect(await client.call("read", { id: "3" })).toMatchObject({ isError: false, text: "204" })
  expect(made).toEqual([])
  await person.close()
})
