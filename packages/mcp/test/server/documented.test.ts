// The tool of docs/mcp.md that asks for several things, called by clients of both eras.

import { isRefusal } from "@holdpoint/calls"
import { createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { alice } from "@holdpoint/testkit/fixtures"
import type { Answering, ClientKind, Prompt, Reply, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { createMcp, holdable } from "../../src/server/index.ts"

interface Rooms {
  hold(room: string, date: string): string
  held: number
}

function createRoomServer(rooms: Rooms): McpServer {
  const server = new McpServer({ name: "rooms", version: "1.0.0" })
  // #region book
  server.registerTool(
    "book_room",
    { description: "Books a room for a day.", inputSchema: z.object({ date: z.iso.date() }) },
    holdable(async ({ date }, ask) => {
      const [room, { guests }] = await Promise.all([
        ask.choice("room", "Which room?", { garden: "Garden room", library: "Library" }),
        ask.form("guests", "How many will come?", z.object({ guests: z.int().min(1).max(40) })),
      ])
      const number = await ask.once("held", () => rooms.hold(room, date))
      const lunch = await ask.confirm("lunch", "Order lunch as well?").catch((error: unknown) => {
        if (isRefusal(error) && error.outcome === "declined") return false
        throw error
      })
      await ask.url("deposit", "The room needs a deposit.", (id) => `https://pay.example/deposits/${id}`)
      return { content: [{ type: "text", text: `Booking ${number}: ${room}, ${guests} guests, lunch: ${lunch}` }] }
    }),
  )
  // #endregion
  return server
}

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function openRooms(kind: ClientKind, replies: Readonly<Record<string, Reply>>) {
  const storage = createMemoryStorage()
  const hub = createHub({ storage, outlets: [inbox()] })
  const rooms: Rooms = { held: 0, hold: (room) => `${room}-${++rooms.held}` }
  const mcp = createMcp({
    ...{ hub, storage, keys: withNewKey(), name: "rooms", callers: { local: alice }, addresses: "none" },
    server: () => createRoomServer(rooms),
  })
  /** Does what the payment service does after a payment. */
  const pay = async ({ url = "" }: Prompt): Promise<void> => {
    const id = new URL(url).pathname.split("/").at(-1) ?? ""
    await hub.complete(id)
  }
  const answer: Answering = (prompt) => {
    if (prompt.url === undefined) return replies[prompt.message] ?? { action: "cancel" }
    setImmediate(() => void pay(prompt))
    return { action: "accept" }
  }
  let requests = 0
  const fetch = (input: string | URL, init?: RequestInit): Promise<Response> => {
    if (/"tools\/call"/.test(String(init?.body))) requests++
    return mcp.fetch(new Request(input, init))
  }
  const client: TestClient = await open(kind, { transport: "http", url: "http://localhost/mcp", fetch }, { answer })
  cleanUps.push(
    () => hub.close(),
    () => mcp.close(),
    () => client.close(),
  )
  return { client, rooms, requests: () => requests }
}

const given: Readonly<Record<string, Reply>> = {
  "Which room?": { action: "accept", content: { choice: "garden" } },
  "How many will come?": { action: "accept", content: { guests: 12 } },
  "Order lunch as well?": { action: "decline" },
}
const booked = "Booking garden-1: garden, 12 guests, lunch: false"

describe("the tool of the documentation", () => {
  verifies("mcp.one-handler", "completes in four requests on 2026-07-28, and holds the room once", async () => {
    const { client, rooms, requests } = await openRooms("v2 pinned to 2026-07-28", given)
    expect(await client.call("book_room", { date: "2026-12-01" })).toMatchObject({ isError: false, text: booked })
    expect(client.prompts.map(({ message }) => message)).toEqual([
      "Which room?",
      "How many will come?",
      "Order lunch as well?",
      "The room needs a deposit.",
    ])
    expect(requests()).toBe(4)
    expect(rooms.held).toBe(1)
  })

  verifies.each("mcp.one-handler")(["v2 legacy", "v1.32"] as const)("completes in one request for %s", async (kind) => {
    const { client, rooms, requests } = await openRooms(kind, given)
    expect(await client.call("book_room", { date: "2026-12-01" })).toMatchObject({ isError: false, text: booked })
    expect(requests()).toBe(1)
    expect(rooms.held).toBe(1)
  })

  it.each(["v2 pinned to 2026-07-28", "v2 legacy"] as const)("ends with a text when %s declines", async (kind) => {
    const { client, rooms } = await openRooms(kind, { ...given, "Which room?": { action: "decline" } })
    const called = await client.call("book_room", { date: "2026-12-01" })
    expect(called).toMatchObject({ isError: true })
    expect(called).toHaveProperty("text", expect.stringMatching(/^The user was asked and said no\./))
    expect(rooms.held).toBe(0)
  })
})
