// Cases of key rotation, for every engine.

import type { Storage } from "@holdpoint/hub"
import type { KeyRing } from "@holdpoint/hub/sealing"
import { checkKeys, createSealer, keyStatus, rewrapAll, withNewKey, withoutKeys } from "@holdpoint/hub/sealing"
import type { Engine } from "@holdpoint/testkit/hub/stores/engines"
import { describe, expect, test } from "vitest"
import { connectionKind } from "../../../../packages/accounts/src/vault/records.ts"
import { sealBindings } from "../../../../packages/hub/src/core/seal-bindings.ts"
import { insertConnections, insertOthers, openedToken, secretOf } from "./rotation.ts"

export function describeRotation(name: string, engine: Engine): void {
  const onStorage = (title: string, steps: (storage: Storage) => Promise<void>): void => {
    test(title, async () => {
      const harness = await engine()
      const storage = await harness.open()
      try {
        await steps(storage)
      } finally {
        await storage.close()
        await harness.destroy()
      }
    })
  }

  describe(`rotation on ${name}`, () => {
    onStorage("rewraps all sealed records of every kind, and then the old key can be removed", async (storage) => {
      const old = withNewKey()
      const before = createSealer(old)
      await checkKeys(storage, before)
      await insertOthers(storage, before)
      const ids = await insertConnections(storage, before, 25)
      const rotated = withNewKey(old)
      const sealer = createSealer(rotated)
      const steps: number[] = []
      const result = await rewrapAll(storage, sealer, { pageSize: 10, onProgress: ({ done }) => steps.push(done) })
      expect(result).toEqual({ done: 32, failed: [], isFinished: true })
      expect(steps).toEqual([10, 20, 30, 32])
      expect(await keyStatus(storage, rotated)).toEqual([
        { id: rotated.current, isCurrent: true, isInRing: true, records: 32 },
        { id: old.current, isCurrent: false, isInRing: true, records: 0 },
      ])
      const alone = createSealer(withoutKeys(rotated, [old.current]))
      await checkKeys(storage, alone)
      for (const id of ids) expect(await openedToken(storage, alone, id)).toBe(secretOf(id))
      expect(await rewrapAll(storage, alone)).toEqual({ done: 0, failed: [], isFinished: true })
    })

    onStorage("can be stopped, and continues where it stopped without any saved state", async (storage) => {
      const old = withNewKey()
      const ids = await insertConnections(storage, createSealer(old), 30)
      const rotated = withNewKey(old)
      const stop = new AbortController()
      const first = await rewrapAll(storage, createSealer(rotated), {
        pageSize: 7,
        signal: stop.signal,
        onProgress: ({ done }) => {
          if (done >= 14) stop.abort()
        },
      })
      expect(first).toEqual({ done: 14, failed: [], isFinished: false })
      expect((await keyStatus(storage, rotated)).map(({ records }) => records)).toEqual([14, 16])
      for (const id of ids) expect(await openedToken(storage, createSealer(rotated), id)).toBe(secretOf(id))
      expect(await rewrapAll(storage, createSealer(rotated))).toEqual({ done: 16, failed: [], isFinished: true })
    })

    onStorage("names the records that it cannot open, leaves them unchanged, and rewraps the rest", async (storage) => {
      const old = withNewKey()
      const [broken = "", ...ids] = await insertConnections(storage, createSealer(old), 4)
      const lost = withNewKey()
      await insertConnections(storage, createSealer(lost), 1)
      const connection = (await storage.records(connectionKind).get(broken))!
      const sealed = { ...connection.sealed!, wrapped: connection.sealed!.wrapped.slice(0, -4) }
      await storage.records(connectionKind).replace({ ...connection, version: 2, sealed })
      const rotated = withNewKey(old)
      const { done, failed, isFinished } = await rewrapAll(storage, createSealer(rotated), { pageSize: 2 })
      expect({ done, failures: failed.length, isFinished }).toEqual({ done: 3, failures: 2, isFinished: true })
      expect(failed).toContain(`connection/${broken}`)
      expect((await storage.records(connectionKind).get(broken))?.version).toBe(2)
      for (const id of ids) expect(await openedToken(storage, createSealer(rotated), id)).toBe(secretOf(id))
      expect(await keyStatus(storage, rotated)).toContainEqual({
        id: lost.current,
        isCurrent: false,
        isInRing: false,
        records: 1,
      })
    })

    onStorage("does not undo a write that came after its read, and rewraps the new value", async (storage) => {
      const old = withNewKey()
      const slow = createSealer(old)
      const [id = ""] = await insertConnections(storage, slow, 1)
      const connections = storage.records(connectionKind)
      const writeOnce = async () => {
        const connection = (await connections.get(id))!
        if (connection.version > 1) return
        const sealed = slow.seal(sealBindings.connection(connection), { refresh_token: "written" }, connection.sealed)
        await connections.replace({ ...connection, version: 2, sealed })
      }
      const { retention } = storage
      const sealed: typeof retention.sealed = async (query) => {
        const page = await retention.sealed(query)
        await writeOnce()
        return page
      }
      const rotated = withNewKey(old)
      const result = await rewrapAll({ ...storage, retention: { ...retention, sealed } }, createSealer(rotated))
      expect(result).toEqual({ done: 1, failed: [], isFinished: true })
      const alone = createSealer(withoutKeys(rotated, [old.current]))
      expect(await openedToken(storage, alone, id)).toBe("written")
    })

    onStorage("loses no write of 50 writers, and then the old key can be removed", async (storage) => {
      let held: KeyRing = withNewKey()
      const old = held.current
      const sealer = createSealer(() => held)
      const ids = await insertConnections(storage, sealer, 50)
      const isOver = new AbortController()
      const writers = ids.map((id) => write(storage, sealer, id, isOver.signal))
      await started(storage, ids)
      held = withNewKey(held)
      const { failed, isFinished } = await rewrapAll(storage, sealer, { pageSize: 10 })
      isOver.abort()
      const last = await Promise.all(writers)
      expect({ failed, isFinished }).toEqual({ failed: [], isFinished: true })
      expect((await keyStatus(storage, held)).map(({ records }) => records)).toEqual([50, 0])
      held = withoutKeys(held, [old])
      const alone = createSealer(held)
      for (const [at, id] of ids.entries()) expect(await openedToken(storage, alone, id)).toBe(last[at])
    })
  })
}

/** Changes the token again and again, as refreshes do. What was last written must be what is found. */
async function write(
  storage: Storage,
  sealer: ReturnType<typeof createSealer>,
  id: string,
  signal: AbortSignal,
): Promise<string> {
  let written = secretOf(id)
  for (let count = 1; !signal.aborted; ) {
    const connection = (await storage.records(connectionKind).get(id))!
    const binding = sealBindings.connection(connection)
    expect(sealer.open(binding, connection.sealed!).refresh_token).toBe(written)
    const token = `${secretOf(id)}-${count}`
    const sealed = sealer.seal(binding, { refresh_token: token }, connection.sealed)
    if (await storage.records(connectionKind).replace({ ...connection, version: connection.version + 1, sealed })) {
      written = token
      count++
    }
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return written
}

/** Waits until every writer has written once. */
async function started(storage: Storage, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    while ((await storage.records(connectionKind).get(id))?.version === 1)
      await new Promise((resolve) => setImmediate(resolve))
  }
}
