// Messages beyond the limit of stdio, from official clients to a server process of its own.

import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect } from "vitest"
import type { StdioHouse } from "./stage.ts"
import { openStdioHouse } from "./stage.ts"

let house: StdioHouse
beforeAll(async () => {
  house = await openStdioHouse()
})
afterAll(() => house.close())

describe("a call on stdio whose arguments are too long", () => {
  verifies.each("mcp.body-limit")(["v2 legacy", "v2 pinned to 2026-07-28", "v1.32"] as const)(
    "is refused for %s with an error that names the limit, and the connection continues",
    async (kind) => {
      const stage = await house.stage(kind)
      try {
        const cell = "x".repeat(11 * 1_024 * 1_024)
        expect(await stage.client.call("ask_form", { cell })).toMatchObject({
          ...{ kind: "error", code: -32600 },
          message: expect.stringContaining("longer than 10 MiB. Send large content in parts"),
        })
        stage.answer = () => ({ action: "accept", content: { colour: "green" } })
        expect(await stage.client.call("ask_form", { cell: "short" })).toMatchObject({ text: "You chose green." })
      } finally {
        await stage.close()
      }
    },
  )
})
