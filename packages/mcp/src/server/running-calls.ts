// Stores which calls of sessions are in progress: their cancellation may reach another process, which then notifies the
// one that works on the call. Only stored calls are notified, so that invented ids leave no trace.

import type { NewEntry } from "@holdpoint/hub/storage"
import type { RequestId } from "@modelcontextprotocol/server"
import { parentOf } from "./cancel.ts"
import type { CallUnderWay } from "./records.ts"
import { callUnderWayKind } from "./records.ts"
import type { Surface } from "./surface.ts"

export interface RunningCalls {
  /** Makes a call cancellable at any process. Returns a function to call when the call has ended. */
  begin(call: { readonly session: string; readonly requestId: RequestId; readonly tenant: string }): () => void
  cancel(session: string, requestId: RequestId): Promise<void>
  /** Cancels all calls of a session that has ended. */
  cancelAll(session: string, tenant: string): Promise<void>
  /** Resolves when all writes are done. */
  close(): Promise<void>
}

/** `onCancelled` gets the `parentOf` of the cancelled call, in every process. */
export function createRunningCalls(
  { storage, runtime, followers, report }: Pick<Surface, "storage" | "runtime" | "followers" | "report">,
  onCancelled: (call: string) => void,
): RunningCalls {
  const records = storage.records(callUnderWayKind)
  const pendingWrites = new Set<Promise<unknown>>()
  const unfollow = followers.followAll(({ id, kind }) => {
    if (kind === "call_cancelled") onCancelled(id)
  })
  const write = (work: Promise<unknown>): void => {
    const tracked = work
      .catch((error: unknown) => report("noting which calls are under way", error))
      .finally(() => pendingWrites.delete(tracked))
    pendingWrites.add(tracked)
  }
  const entryOf = ({ id, tenant }: CallUnderWay): NewEntry => ({
    ...{ id, tenant, kind: "call_cancelled", at: runtime.now(), detail: {} },
  })

  return {
    begin({ session, requestId, tenant }) {
      const id = parentOf(session, requestId)
      const call: CallUnderWay = { id, tenant, version: 1, session, expiresAt: runtime.now() + keptMs }
      const insertion = records.insert(call)
      write(insertion)
      return () => write(insertion.then((isInserted) => isInserted && records.remove(call)))
    },
    async cancel(session, requestId) {
      const call = await records.get(parentOf(session, requestId))
      if (call !== undefined) await records.remove(call, entryOf(call))
    },
    async cancelAll(session, tenant) {
      const calls = await records.list({ tenant, owner: session, limit: mostUnderWay })
      await Promise.all(calls.map((call) => records.remove(call, entryOf(call))))
    },
    async close() {
      unfollow()
      await Promise.all(pendingWrites)
    },
  }
}

/** How long the records of a killed process are kept. */
const keptMs = 24 * 60 * 60_000

/** The most calls in progress per session. */
const mostUnderWay = 1_000
