// Real processes on one storage are notified of each other's steps, without time measurements; on Postgres also after
// their connections were cut.

import assert from "node:assert/strict"
import { rm } from "node:fs/promises"
import type { Server, Socket } from "node:net"
import { connect, createServer } from "node:net"
import { join } from "node:path"
import { createHub, form, inbox, isHoldpointError, text } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { createFolder, databaseUrl, newSchema, runSql } from "@holdpoint/testkit/hub/stores/engines"
import type { Child } from "@holdpoint/testkit/hub/stores/processes/child"
import { startChild } from "@holdpoint/testkit/hub/stores/processes/child"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe } from "vitest"
import type { Order } from "./processes/peer.ts"

const alice = { tenant: "acme", issuer: "https://id.example", subject: "alice" }
const draft = { message: "May this go out?", audience: alice, requester: { id: "test" }, form: form({ note: text() }) }

async function startPeer(...place: readonly string[]): Promise<Child> {
  const peer = startChild("test/across/hub/stores/processes/peer.ts", ...place)
  assert.equal(await peer.line(), '"ready"')
  peer.say("go")
  assert.equal(await peer.line(), '"open"')
  return peer
}

async function order(peer: Child, what: Order): Promise<unknown> {
  peer.say(JSON.stringify(what))
  return JSON.parse(await peer.line())
}

async function stop(peers: readonly Child[]): Promise<void> {
  for (const peer of peers) peer.process.stdin?.end()
  await Promise.all(peers.map(({ gone }) => gone))
}

async function answersReachTheWaiting(asker: Child, person: Child): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const { id } = (await order(asker, { do: "ask" })) as { id: string }
    assert.equal(await order(asker, { do: "wait", id }), "waiting")
    const note = `round ${round}`
    const [answered, outcome] = await Promise.all([order(person, { do: "accept", id, note }), asker.line()])
    assert.equal(answered, true)
    assert.deepEqual(JSON.parse(outcome), { status: "completed", content: { note } })
  }
}

async function stepsReachTheWatching(watcher: Child, actor: Child): Promise<void> {
  for (let round = 0; round < 5; round++) {
    const { id } = (await order(actor, { do: "ask url" })) as { id: string }
    assert.deepEqual(await order(watcher, { do: "watch", id }), { revision: 1, kind: "asked" })
    for (const what of ["open", "accept", "complete"] as const) assert.equal(await order(actor, { do: what, id }), true)
    const seen = [await watcher.line(), await watcher.line(), await watcher.line(), await watcher.line()]
    assert.deepEqual(
      seen.map((line) => JSON.parse(line)),
      [
        { revision: 2, kind: "opened" },
        { revision: 3, kind: "accepted" },
        { revision: 4, kind: "completed" },
        "watched",
      ],
    )
    assert.deepEqual(watcher.rest(), [])
  }
}

/** One process is notified of the connections of the other, and once when both try the same. */
async function connectionsReachTheListening(listener: Child, actor: Child): Promise<void> {
  for (let round = 0; round < 10; round++) {
    const id = `connection ${round}`
    const via = `peer ${actor.process.pid}`
    assert.equal(await order(listener, { do: "hear", id }), "hearing")
    for (const [what, kind] of [
      ["connect", "connected"],
      ["refresh", "refreshed"],
    ] as const) {
      const [isStored, heard] = await Promise.all([order(actor, { do: what, id }), listener.line()])
      assert.equal(isStored, true)
      assert.deepEqual(JSON.parse(heard), { kind, via })
      assert.equal(await order(actor, { do: what, id }), false, "a second time changes nothing")
    }
    for (const peer of [listener, actor]) peer.say(JSON.stringify({ do: "disconnect", id } satisfies Order))
    const lines = [await listener.line(), await listener.line(), await actor.line()].map((line) => JSON.parse(line))
    const results = lines.filter((line) => typeof line === "boolean")
    assert.deepEqual(results.toSorted(), [false, true], "one of them disconnected it")
    assert.equal(lines.find((line) => typeof line === "object").kind, "disconnected")
    assert.deepEqual(listener.rest(), [])
  }
}

describe("two processes on one SQLite file", () => {
  verifies(
    "store.wakes-processes",
    "wake each other's waits 20 times, and see each other's steps and connections once and in order",
    async () => {
      const folder = await createFolder()
      const path = join(folder, "hub.db")
      const peers = [await startPeer("sqlite", path), await startPeer("sqlite", path)] as const
      try {
        await answersReachTheWaiting(...peers)
        await stepsReachTheWatching(...peers)
        await connectionsReachTheListening(...peers)
      } finally {
        await stop(peers)
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})

describe("two processes on one Postgres", () => {
  verifies(
    "store.wakes-processes",
    "wake each other's waits 20 times, and see each other's steps and connections once and in order",
    async () => {
      const schema = newSchema()
      const database = ["postgres", databaseUrl(), schema]
      const peers = [await startPeer(...database), await startPeer(...database)] as const
      try {
        await answersReachTheWaiting(...peers)
        await stepsReachTheWatching(...peers)
        await connectionsReachTheListening(...peers)
      } finally {
        await stop(peers)
        await runSql(`DROP SCHEMA ${schema} CASCADE`)
      }
    },
  )

  verifies(
    "store.missed-wake-costs-latency",
    "learn of an answer even if the server ended their connections",
    async () => {
      const schema = newSchema()
      const name = `cut_${schema.slice(-12)}`
      const url = new URL(databaseUrl())
      url.searchParams.set("application_name", name)
      const asker = await openPostgres(url.href, { schema })
      const person = await openPostgres(databaseUrl(), { schema })
      const [asking, answering] = [asker, person].map((storage) =>
        createHub({ storage, outlets: [inbox()], report: () => {} }),
      )
      try {
        for (let round = 0; round < 3; round++) {
          const asked = await again(() => asking!.ask(draft))
          const outcome = asking!.wait(asked)
          await runSql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${name}'`)
          const note = `round ${round}`
          assert.ok((await answering!.answer(asked.id, { by: alice, action: "accept", content: { note } })).ok)
          assert.deepEqual(await outcome, { status: "completed", content: { note } })
        }
      } finally {
        for (const hub of [asking, answering]) await hub!.close()
        for (const storage of [asker, person]) await storage.close()
        await runSql(`DROP SCHEMA ${schema} CASCADE`)
      }
    },
  )

  verifies(
    "store.missed-wake-costs-latency",
    "learn of answers given while they were cut off, although they got no notification",
    async () => {
      const schema = newSchema()
      const line = await createLine(new URL(databaseUrl()))
      const asker = await openPostgres(line.url, { schema })
      const person = await openPostgres(databaseUrl(), { schema })
      const [asking, answering] = [asker, person].map((storage) =>
        createHub({ storage, outlets: [inbox()], report: () => {} }),
      )
      try {
        const asked = await asking!.ask(draft)
        const other = await asking!.ask(draft)
        const outcomes = [asking!.wait(asked), asking!.wait(other)]
        line.cut()
        const given = { by: alice, action: "accept", content: { note: "while you were away" } } as const
        assert.ok((await answering!.answer(asked.id, given)).ok)
        assert.ok((await answering!.answer(other.id, { by: alice, action: "decline" })).ok)
        line.restore()
        assert.deepEqual(await Promise.all(outcomes), [
          { status: "completed", content: given.content },
          { status: "declined" },
        ])
      } finally {
        for (const hub of [asking, answering]) await hub!.close()
        for (const storage of [asker, person]) await storage.close()
        await line.close()
        await runSql(`DROP SCHEMA ${schema} CASCADE`)
      }
    },
  )
})

/** Retries, because the process may only now notice that its connection is gone. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isHoldpointError(error) || error.code !== "store_unavailable") throw error
    }
  }
}

interface Line {
  readonly url: string
  /** Ends every connection and accepts no new one. */
  cut(): void
  restore(): void
  close(): Promise<void>
}

/** A proxy to the server whose connections can be cut. */
async function createLine(server: URL): Promise<Line> {
  const sockets = new Set<Socket>()
  let isCut = false
  const proxy: Server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(Number(server.port || 5432), server.hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const url = new URL(server)
  const address = proxy.address()
  url.hostname = "127.0.0.1"
  url.port = String(typeof address === "object" ? address?.port : "")
  const end = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cut() {
      isCut = true
      end()
    },
    restore() {
      isCut = false
    },
    async close() {
      end()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
