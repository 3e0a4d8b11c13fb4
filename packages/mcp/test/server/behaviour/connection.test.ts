// An account that a call needs: asked for, found, and lost again, beside other questions of the same call.

import type { House, HouseOptions } from "@holdpoint/testkit/mcp/server/behaviour/house"
import { accept, createHouse, retry, roundOf } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Reply } from "@holdpoint/testkit/mcp/server/clients/client"
import type { PersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { createPersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, describe, expect } from "vitest"
import { z } from "zod"
import { holdable } from "../../../src/server/index.ts"

let house: House
let person: PersonAtPages
/** The statuses of the provider's next responses, in order; 200 after those. */
let upstream: number[]
let deeds: string[]
beforeEach(() => {
  upstream = []
  deeds = []
})
afterEach(async () => {
  await person.close()
  await house.close()
})

const args = { id: "7" }
const sure = accept({ confirmed: true })
const needed = "connection drive"

function server(): McpServer {
  const made = new McpServer({ name: "drive", version: "1" })
  made.registerTool(
    "remove",
    { inputSchema: z.object({ id: z.string() }) },
    holdable(async ({ id }, ask) => {
      await ask.once("noted", () => void deeds.push("noted"))
      const drive = await ask.connection("drive", { scopes: ["files"] })
      const isSure = await ask.confirm("sure", `Remove ${id}?`)
      const response = await drive.fetch(`https://api.drive.example/files/${id}`, { method: "DELETE" })
      await ask.once("removed", () => void deeds.push("removed"))
      return text(`${isSure} ${response.status}`)
    }),
  )
  return made
}

async function start(options: Partial<HouseOptions> = {}): Promise<void> {
  const drive = () => new Response(null, { status: upstream.shift() ?? 204 })
  house = await createHouse({ server, drive, ...options })
  person = createPersonAtPages(house.storage, house.keys)
}

describe("an account that a call needs", () => {
  verifies("mcp.connection", "is requested, found by the retry, and the next question follows", async () => {
    await start()
    const client = await house.modern()
    const one = roundOf(await client.call("remove", args))
    expect(Object.keys(one.requests)).toEqual([needed])
    await person.finishes(await person.question())
    const two = roundOf(await retry(client, "remove", args, one, { [needed]: accept() }))
    expect(Object.keys(two.requests)).toEqual(["sure"])
    expect(await retry(client, "remove", args, two, { sure })).toMatchObject({ isError: false, text: "true 204" })
    expect(deeds).toEqual(["noted", "removed"])
  })

  verifies(
    "mcp.all-links-in-the-error",
    "is found by the next call after -32042, and the next question follows",
    async () => {
      await start({ settings: { urlWay: "error" } })
      const client = await house.raw({ answer: () => sure as Reply })
      expect(await client.call("remove", args)).toMatchObject({ kind: "error", code: -32042 })
      await person.finishes(await person.question())
      expect(await client.call("remove", args)).toMatchObject({ isError: false, text: "true 204" })
      expect(deeds).toEqual(["noted", "removed"])
    },
  )

  verifies("mcp.connection", "is requested again within the call when the provider no longer accepts it", async () => {
    await start()
    const client = await house.modern()
    const one = roundOf(await client.call("remove", args))
    await person.finishes(await person.question())
    const two = roundOf(await retry(client, "remove", args, one, { [needed]: accept() }))
    upstream = [401]
    const three = roundOf(await retry(client, "remove", args, two, { sure }))
    expect(Object.keys(three.requests)).toEqual([needed])
    await person.finishes(await person.question())
    expect(await retry(client, "remove", args, three, { [needed]: accept() })).toMatchObject({
      isError: false,
      text: "true 204",
    })
    expect(deeds).toEqual(["noted", "removed"])
  })

  verifies("mcp.connection", "is asked for again within the call that is held", async () => {
    await start()
    upstream = [401]
    let links = 0
    const client = await house.raw({
      answer({ url }) {
        if (url === undefined) return sure as Reply
        links++
        void person.question().then(async (question) => {
          await person.reaches(question.id, "accepted")
          await person.finishes(question)
        })
        return { action: "accept" }
      },
    })
    expect(await client.call("remove", args)).toMatchObject({ isError: false, text: "true 204" })
    expect(links).toBe(2)
    expect(deeds).toEqual(["noted", "removed"])
  })

  verifies("mcp.no-is-kept", "is not asked for again when it was declined", async () => {
    await start()
    const client = await house.modern()
    const one = roundOf(await client.call("remove", args))
    expect(await retry(client, "remove", args, one, { [needed]: { action: "decline" } })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/said no/),
    })
  })
})

describe("a client that cannot be asked", () => {
  verifies.each("mcp.access-tools")(["2025-11-25", "2026-07-28"])(
    "requests access and checks its status with tools, on %s",
    async (revision) => {
      await start()
      const capabilities = {}
      const client =
        revision === "2025-11-25" ? await house.raw({ capabilities }) : await house.modern({ capabilities })
      expect(await client.listTools()).toEqual(["remove", "request_access", "access_status"])
      expect(await client.call("access_status")).toMatchObject({
        text: expect.stringMatching(/No account is connected/),
      })
      const asked = await client.call("request_access", { provider: "drive", scopes: ["files"] })
      const question = await person.question()
      expect(asked).toMatchObject({
        isError: false,
        text: expect.stringContaining(`https://hub.example/connect/${question.id}`),
      })
      expect(await client.call("access_status")).toMatchObject({ text: expect.stringContaining(question.id) })
      await person.finishes(question)
      expect(await client.call("access_status")).toMatchObject({
        text: expect.stringMatching(/Drive: connected as alice@drive\.example(?:.|\n)*Nothing is waiting/),
      })
      expect(await client.call("request_access", { provider: "drive", scopes: ["files"] })).toMatchObject({
        text: expect.stringMatching(/connected already/),
      })
      expect(await client.call("request_access", { provider: "elsewhere" })).toMatchObject({ isError: true })
    },
  )

  verifies("mcp.access-tools", "is the only one that has those tools, and no other client can call them", async () => {
    await start()
    for (const client of [
      await house.raw(),
      await house.modern(),
      await house.modern({ capabilities: { elicitation: {} } }),
    ]) {
      expect(await client.listTools()).toEqual(["remove"])
      expect(await client.call("request_access", { provider: "drive" })).toMatchObject({ kind: "error", code: -32602 })
    }
  })
})
