// A link to the author's own page, sent by -32042 or as text, so that no client can accept it. The page knows its
// visitor and reports completion; the repeated call returns the result.

import type { Principal } from "@holdpoint/hub"
import { createAddresses } from "@holdpoint/hub"
import { alice, bob } from "@holdpoint/testkit/fixtures"
import type { Called, ClientKind } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { publicUrl, text } from "@holdpoint/testkit/mcp/server/tools"
import type { Settings, World } from "@holdpoint/testkit/mcp/server/world"
import { createWorld } from "@holdpoint/testkit/mcp/server/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { McpServer } from "@modelcontextprotocol/server"
import { afterEach, describe, expect } from "vitest"
import type { Ask } from "../../../src/server/index.ts"
import { holdable } from "../../../src/server/index.ts"

let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

type Address = Parameters<Ask["url"]>[2]

const serverWith = (address: Address) => () => {
  const made = new McpServer({ name: "shop", version: "1" })
  made.registerTool(
    "buy",
    {},
    holdable(async (ask) => {
      await ask.url("pay", "Please pay.", address)
      return text("Bought.")
    }),
  )
  return made
}

/** The author's page: it knows its visitor, and lets only the right person finish. */
async function visit({ person: { hub } }: World, visitor: Principal, as: "completed" | "failed" = "completed") {
  const [question] = await hub.list({ tenant: alice.tenant, state: "open", limit: 1 })
  const id = question?.id ?? ""
  const opened = await hub.open(id, { by: visitor })
  if (!opened.ok) return opened
  return as === "completed" ? hub.complete(id) : hub.fail(id, { code: "card_refused", message: "the card was refused" })
}

const clientCases: [string, ClientKind, Settings, string | undefined][] = [
  ["v1.32 that is given -32042", "v1.32", { urlWay: "error" }, undefined],
  ["v2 of 2025 that is given -32042", "v2 legacy", { urlWay: "error" }, undefined],
  ["one that calls itself Visual Studio Code", "v1.32", {}, "Visual Studio Code"],
  ["one that cannot be asked", "no capability", {}, undefined],
]

async function enter(kind: ClientKind, settings: Settings, name?: string) {
  world = await createWorld(settings)
  const client = await open(kind, await world.endpoint(), {
    answer: () => ({ action: "cancel" }),
    ...(name === undefined ? {} : { name }),
  })
  return { client, world }
}

const isLink = (called: Called): boolean =>
  called.kind === "error" ? called.code === -32042 : called.isError && called.text.includes("Give the user this link")

describe.each(clientCases)("a client, %s,", (_title, kind, settings, name) => {
  verifies("mcp.own-page", "continues once the right person has finished on the author's own page", async () => {
    const server = serverWith(`${publicUrl}/shop/pay`)
    const { client, world } = await enter(kind, { ...settings, server, holdMs: 50 }, name)
    expect(isLink(await client.call("buy"))).toBe(true)
    expect(await visit(world, bob)).toMatchObject({ ok: false, refusal: { code: "not_addressee" } })
    expect(isLink(await client.call("buy"))).toBe(true)
    expect(await visit(world, alice)).toMatchObject({ ok: true, elicitation: { status: "completed" } })
    expect(await client.call("buy")).toMatchObject({ kind: "result", isError: false, text: "Bought." })
    await client.close()
  })

  verifies("mcp.expired-link-renewed", "gets a new link from the first call after its link has expired", async () => {
    const server = serverWith(`${publicUrl}/shop/pay`)
    const { client, world } = await enter(kind, { ...settings, server }, name)
    await client.call("buy")
    const before = await world.person.question()
    await world.person.letsExpire(before)
    expect(isLink(await client.call("buy"))).toBe(true)
    const after = await world.person.question()
    expect(after.id).not.toBe(before.id)
    await visit(world, alice)
    expect(await client.call("buy")).toMatchObject({ kind: "result", isError: false, text: "Bought." })
    await client.close()
  })

  verifies("mcp.own-page", "receives the failure from the author's own page", async () => {
    const server = serverWith(`${publicUrl}/shop/pay`)
    const { client, world } = await enter(kind, { ...settings, server }, name)
    await client.call("buy")
    expect(await visit(world, alice, "failed")).toMatchObject({ ok: true, elicitation: { status: "failed" } })
    expect(await client.call("buy")).toMatchObject({ isError: true, text: expect.stringContaining("card was refused") })
    await client.close()
  })

  verifies("mcp.own-page", "needs the person to accept before a page of ours can be completed", async () => {
    const server = serverWith("https://pay.example/orders/42")
    const { client, world } = await enter(kind, { ...settings, server, addresses: createAddresses(publicUrl) }, name)
    await client.call("buy")
    expect(await visit(world, alice)).toMatchObject({ ok: false, refusal: { code: "not_accepted" } })
    await client.close()
  })
})

verifies("mcp.own-page", "a link that a client can accept cannot be completed before it is accepted", async () => {
  const { promise, resolve } = Promise.withResolvers<{ action: "accept" }>()
  world = await createWorld({ server: serverWith(`${publicUrl}/shop/pay`) })
  const client = await open("v1.32", await world.endpoint(), { answer: () => promise })
  const calling = client.call("buy")
  await world.person.comes()
  expect(await visit(world, alice)).toMatchObject({ ok: false, refusal: { code: "not_accepted" } })
  resolve({ action: "accept" })
  await world.person.reaches((await world.person.question()).id, "accepted")
  expect(await visit(world, alice)).toMatchObject({ ok: true })
  expect(await calling).toMatchObject({ text: "Bought." })
  await client.close()
})
