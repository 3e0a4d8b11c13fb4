// The types that authors get from what they write. Nothing here runs: the compiler checks it.

import type { ConnectionHandle } from "@holdpoint/accounts"
import { isRefusal } from "@holdpoint/calls"
import { form, integer, text as textField } from "@holdpoint/hub"
import type { Refusal } from "@holdpoint/mcp"
import { text } from "@holdpoint/testkit/mcp/server/tools"
import { verifies } from "@holdpoint/testkit/verifies"
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server"
import { describe, expectTypeOf, it } from "vitest"
import { z } from "zod"
import type { Ask } from "../../src/server/index.ts"
import { holdable } from "../../src/server/index.ts"

const ask = {} as Ask

describe("what ask returns", () => {
  verifies("mcp.typed", "is typed from the schema of a form", () => {
    const asked = () => ask.form("k", "m", z.object({ sure: z.boolean(), size: z.enum(["s", "m"]), age: z.number() }))
    expectTypeOf(asked).returns.resolves.toEqualTypeOf<{ sure: boolean; size: "s" | "m"; age: number }>()
    const optional = () => ask.form("k", "m", z.object({ note: z.string().optional() }))
    expectTypeOf(optional).returns.resolves.toEqualTypeOf<{ note?: string }>()
    const own = () => ask.form("k", "m", form({ name: textField(), age: integer() }))
    expectTypeOf(own).returns.resolves.toHaveProperty("name").toEqualTypeOf<string>()
    expectTypeOf(own).returns.resolves.toHaveProperty("age").toEqualTypeOf<number>()
  })

  verifies("mcp.typed", "is a boolean, one of the choices, nothing, or an account", () => {
    expectTypeOf(() => ask.confirm("k", "m")).returns.resolves.toEqualTypeOf<boolean>()
    expectTypeOf(() => ask.choice("k", "m", ["a", "b"])).returns.resolves.toEqualTypeOf<"a" | "b">()
    expectTypeOf(() => ask.choice("k", "m", { a: "First", b: "Second" })).returns.resolves.toEqualTypeOf<"a" | "b">()
    expectTypeOf(() => ask.url("k", "m", "https://a.example")).returns.resolves.toEqualTypeOf<void>()
    expectTypeOf(() => ask.connection("drive")).returns.resolves.toEqualTypeOf<ConnectionHandle>()
  })

  verifies("mcp.typed", "is what the effect returned", () => {
    expectTypeOf(() => ask.once("k", () => 7)).returns.resolves.toEqualTypeOf<number>()
    expectTypeOf(() => ask.once("k", async () => ({ id: "1" }))).returns.resolves.toEqualTypeOf<{ id: string }>()
  })

  verifies("mcp.refusal-is-caught", "or a refusal that is thrown, with a typed outcome", () => {
    const outcomeOf = (error: unknown) => (isRefusal(error) ? error.outcome : undefined)
    expectTypeOf(outcomeOf).returns.toEqualTypeOf<Refusal["outcome"] | undefined>()
    expectTypeOf<Refusal["outcome"]>().toEqualTypeOf<"declined" | "cancelled" | "expired" | "failed" | "unsupported">()
  })
})

describe("holdable", () => {
  it("fits where the SDK expects a handler, and gets the SDK's arguments", () => {
    const register = (server: McpServer) => {
      server.registerTool(
        "tool",
        { inputSchema: z.object({ id: z.string() }) },
        holdable(async ({ id }, given) => {
          expectTypeOf(id).toEqualTypeOf<string>()
          expectTypeOf(given).toEqualTypeOf<Ask>()
          return text(id)
        }),
      )
      server.registerTool(
        "bare",
        {},
        holdable(async (given) => {
          expectTypeOf(given).toEqualTypeOf<Ask>()
          return text("")
        }),
      )
      server.registerPrompt(
        "prompt",
        { argsSchema: z.object({ about: z.string() }) },
        holdable(async ({ about }, given) => {
          expectTypeOf(about).toEqualTypeOf<string>()
          expectTypeOf(given).toEqualTypeOf<Ask>()
          return { messages: [] }
        }),
      )
      server.registerResource(
        "resource",
        "notes://all",
        {},
        holdable(async (uri, given) => {
          expectTypeOf(uri).toEqualTypeOf<URL>()
          expectTypeOf(given).toEqualTypeOf<Ask>()
          return { contents: [] }
        }),
      )
      server.registerResource(
        "template",
        new ResourceTemplate("notes://{id}", { list: undefined }),
        {},
        holdable(async (uri, variables, given) => {
          expectTypeOf(uri).toEqualTypeOf<URL>()
          expectTypeOf(variables).toHaveProperty("id")
          expectTypeOf(given).toEqualTypeOf<Ask>()
          return { contents: [] }
        }),
      )
    }
    expectTypeOf(register).parameter(0).toEqualTypeOf<McpServer>()
  })
})
