// The liveness of workers: a worker renews one lease for all calls that it has in memory, and checks the leases of
// others. The calls of a dead worker can be taken over.

import type { Runtime, Storage } from "@holdpoint/hub"
import type { ProcessId } from "@holdpoint/hub/internal"
import { lifeOf as processLife, thisProcess } from "@holdpoint/hub/internal"
import type { StoredWorker } from "./records.ts"
import { workerKind } from "./records.ts"

export interface Worker {
  readonly id: string
  /** Renews the lease unless it is fresh. Await it before or together with taking a call. */
  ready(): Promise<void>
  /** Whether no other worker can have taken a call from this one. */
  isLeaseCertain(): boolean
  /** Starts to renew the lease, and goes on for as long as the worker has calls in memory. */
  keepBeating(): void
  lifeOf(worker: string): Promise<WorkerLife>
  /** Removes the lease, so that other workers can take the calls of this one at once. */
  close(): Promise<void>
}

/** Whether a worker is alive. `maybe`: it is alive if it renews its lease by `renewsBy`, and dead at `until`. */
export type WorkerLife =
  | { readonly state: "dead" }
  | { readonly state: "alive"; readonly until: number }
  | { readonly state: "maybe"; readonly until: number; readonly renewsBy: number }

export interface WorkerParts {
  readonly storage: Pick<Storage, "records">
  readonly runtime: Runtime
  readonly report: (activity: string, error: unknown) => void
  /** Called before each renewal. Returns false when the worker has no calls in memory. */
  readonly onBeat: () => boolean
  readonly process?: ProcessId
}

/** Long enough that a slow process is not considered dead, short enough that a dead one is noticed soon. */
export const leaseMs = 20_000
export const renewMs = 8_000
/** The time allowed for the write of a renewal. */
const slackMs = 1_000

export function createWorker({ storage, runtime, report, onBeat, process = thisProcess() }: WorkerParts): Worker {
  const records = storage.records(workerKind)
  const id = runtime.newId()
  let stored: StoredWorker | undefined
  let renewal: Promise<void> | undefined
  let stopBeating: (() => void) | undefined

  const renew = async (): Promise<void> => {
    const version = (stored?.version ?? 0) + 1
    const worker: StoredWorker = { id, tenant: "", version, until: runtime.now() + leaseMs, process }
    const isWritten = await (stored === undefined ? records.insert(worker) : records.replace(worker))
    // Retention removed the lease while this worker was idle or slow: insert it again.
    if (!isWritten) await records.insert({ ...worker, version: 1 })
    stored = isWritten ? worker : { ...worker, version: 1 }
  }
  const renewOnce = (): Promise<void> => {
    renewal ??= renew().finally(() => (renewal = undefined))
    return renewal
  }
  const beat = (): void => {
    stopBeating = undefined
    if (!onBeat()) return
    renewOnce().catch((error: unknown) => report("renewing the lease of this process", error))
    keepBeating()
  }
  const keepBeating = (): void => {
    stopBeating ??= runtime.after(renewMs, beat)
  }
  const leftMs = (): number => (stored?.until ?? 0) - runtime.now()

  return {
    id,
    ready: async () => (leftMs() > leaseMs - renewMs ? undefined : renewOnce()),
    isLeaseCertain: () => leftMs() > renewMs,
    keepBeating,
    async lifeOf(worker) {
      return lifeOf(await records.get(worker), process, runtime.now())
    },
    async close() {
      stopBeating?.()
      try {
        await renewal
        if (stored !== undefined) await records.remove(stored)
      } catch (error) {
        // The lease expires, and other workers take the calls then.
        report("ending the lease of this process", error)
      }
    },
  }
}

function lifeOf(worker: StoredWorker | undefined, currentProcess: ProcessId, now: number): WorkerLife {
  if (worker === undefined || now >= worker.until) return { state: "dead" }
  const { until, process: workerProcess } = worker
  // A worker cannot check whether another worker in the same process is still alive.
  const life = workerProcess.boot === currentProcess.boot ? "unknown" : processLife(workerProcess, currentProcess)
  if (life === "unknown") return { state: "maybe", until, renewsBy: until - leaseMs + renewMs + slackMs }
  return life === "gone" ? { state: "dead" } : { state: "alive", until }
}

/** Whether the process is known to have ended. Only processes on this machine can be checked. */
export const isProcessGone = (other: ProcessId, current = thisProcess()): boolean =>
  processLife(other, current) === "gone"
