// Real processes on one storage show and withdraw each other's questions, and take over when one of them is killed with
// kill -9.

import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { createFolder, databaseUrl, reuseSchemas } from "@holdpoint/testkit/hub/stores/engines"
import type { Child } from "@holdpoint/testkit/hub/stores/processes/child"
import { startChild } from "@holdpoint/testkit/hub/stores/processes/child"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, afterEach, beforeEach, describe, expect } from "vitest"
import { messagesIn } from "./folder-outlet.ts"
import type { Order, PeerOptions } from "./processes/peer.ts"

const schemas = reuseSchemas()
afterAll(schemas.close)

describe.each(["sqlite", "postgres"] as const)("processes on %s", (engine) => {
  let root = ""
  let folder = ""
  let schema = ""
  let children: Child[] = []

  beforeEach(async () => {
    root = await createFolder()
    folder = join(root, "messages")
    schema = schemas.take()
    children = []
    await mkdir(folder)
  })
  afterEach(async () => {
    for (const child of children) child.process.stdin?.end()
    await Promise.all(children.map(({ gone }) => gone))
    if (engine === "postgres") await schemas.giveBack(schema)
    await rm(root, { recursive: true, force: true })
  })

  const start = async (more: Partial<PeerOptions> = { folder }): Promise<Child> => {
    const database = engine === "sqlite" ? join(root, "hub.db") : databaseUrl()
    const child = startChild(
      "packages/hub/test/deliveries/processes/peer.ts",
      JSON.stringify({ engine, database, schema, ...more }),
    )
    children.push(child)
    expect(await child.line()).toBe('"open"')
    return child
  }
  const order = async (child: Child, what: Order): Promise<string> => {
    child.say(JSON.stringify(what))
    return JSON.parse(await child.line())
  }
  const seen = async (): Promise<readonly string[]> =>
    (await messagesIn(folder, "alice")).map(({ elicitation }) => elicitation).sort()
  const sees = (...ids: readonly string[]): Promise<void> =>
    expect.poll(seen, { timeout: 20_000, interval: 10 }).toEqual([...ids].sort())

  verifies(
    ["delivery.any-process", "delivery.withdrawn"],
    "show a question that another process asked, and withdraw it",
    async () => {
      const asker = await start({})
      await start()
      const id = await order(asker, { do: "ask" })
      await sees(id)
      await order(asker, { do: "answer", id })
      await sees()
    },
  )

  verifies("delivery.one-at-a-time", "show each of 15 questions once when four processes race", async () => {
    const [first, ...others] = await Promise.all([start(), start(), start(), start()])
    const ids: string[] = []
    for (let round = 0; round < 15; round++) ids.push(await order(first!, { do: "ask" }))
    await sees(...ids)
    for (const [index, id] of ids.entries()) await order(others[index % 3]!, { do: "answer", id })
    await sees()
  })

  verifies(
    "delivery.survives-a-kill",
    "show a question once after a process was killed before posting it",
    async () => {
      const asker = await start({})
      const mortal = await start({ folder, dies: "before posting" })
      const id = await order(asker, { do: "ask" })
      await mortal.gone
      expect(await seen()).toEqual([])
      await start()
      await sees(id)
      await order(asker, { do: "answer", id })
      await sees()
    },
  )

  verifies(
    "delivery.survives-a-kill",
    "keep the one message of a process killed after posting, and withdraw it",
    async () => {
      const asker = await start({})
      const mortal = await start({ folder, dies: "after posting" })
      const id = await order(asker, { do: "ask" })
      await mortal.gone
      await sees(id)
      await start()
      await start()
      const later = await order(asker, { do: "ask", delayMs: 90_000 })
      // By then the lease of the dead process has expired, and its message was found.
      await sees(id, later)
      await order(asker, { do: "answer", id })
      await sees(later)
    },
  )

  verifies(
    "delivery.survives-a-kill",
    "withdraw a question that was answered after the process that posted it was killed",
    async () => {
      const asker = await start({})
      const mortal = await start({ folder, dies: "after posting" })
      const id = await order(asker, { do: "ask" })
      await mortal.gone
      await order(asker, { do: "answer", id })
      await sees(id)
      await start()
      await sees()
    },
  )

  for (const dies of ["before withdrawing", "after withdrawing"] as const) {
    verifies("delivery.survives-a-kill", `withdraw the message of a process killed ${dies}`, async () => {
      const asker = await start({})
      const mortal = await start({ folder, dies })
      const id = await order(asker, { do: "ask" })
      await sees(id)
      await order(asker, { do: "answer", id })
      await mortal.gone
      await start()
      await sees()
    })
  }

  verifies(
    ["delivery.withdrawn", "delivery.outlives-the-hub"],
    "withdraw, after a restart, a question that was answered while the outlet was not running",
    async () => {
      const [asker, shower] = [await start({}), await start()]
      const id = await order(asker, { do: "ask" })
      await sees(id)
      shower.process.stdin?.end()
      expect(await shower.gone).toBe(0)
      await order(asker, { do: "answer", id })
      expect(await seen()).toEqual([id])
      await start()
      await sees()
    },
  )
})
