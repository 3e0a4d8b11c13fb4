// Resumes calls that no client comes back for: after the process has started, when a question is settled, and when a
// worker has died. The carrier runs the calls.

import type { Entry, Principal } from "@holdpoint/hub"
import { isSettled } from "@holdpoint/hub"
import { createTimer, isStoreFailure, readTrail, waitAfter, wokenParents } from "@holdpoint/hub/internal"
import type { Asking } from "./asking.ts"
import type { WokenCall } from "./calls.ts"
import { callOfParent } from "./parent.ts"
import type { Call } from "./records.ts"
import { endLeftCall } from "./run-call.ts"
import { leaseMs } from "./worker.ts"

export interface CallResumer {
  /** The kind of the calls, stored with each. */
  readonly kind: string
  /**
   * Runs the call until its end, or until it is paused again. Exceptions are reported. Resolves to “left” when the work
   * of the call was over before: then only the call is left to end.
   */
  resume(call: RunnableCall): Promise<unknown>
}

/** A call that was started or woken. */
export interface RunnableCall extends WokenCall {
  /** Whether it was started just now: no other process has worked on it. */
  readonly isNew: boolean
}

export interface StartedCall {
  readonly id: string
  readonly caller: Principal
  readonly input: unknown
  /** Makes its first writes at once, so that they share the commit of the call. Returns false if no call may begin. */
  readonly beside?: (() => Promise<boolean>) | undefined
}

export interface CallWaker {
  /**
   * Resolves when the call is stored: from then on it runs to its end, even if this process dies. Resolves to false when
   * `beside` does.
   */
  start(call: StartedCall): Promise<boolean>
  /** Runs a paused call now, although none of its questions was settled, so that the call can be stopped. */
  wake(id: string): void
  /** Whether a call of this id is stored: it runs, waits, or will be resumed. */
  has(id: string): Promise<boolean>
  /** Resolves when all running calls have ended or paused. */
  close(): Promise<void>
}

/** Resumes calls that no client comes back for: after a restart, after an answer, and after their worker died. */
export function wakeCalls(asking: Asking, { kind, resume }: CallResumer): CallWaker {
  const { calls, hub, runtime, report, followers, trail } = asking
  const runs = new Map<string, Promise<void>>()
  /** How often the storage has failed when a call was resumed. */
  const failures = new Map<string, number>()
  let isClosed = false

  const isDue = async ({ lease, waitsFor }: Call): Promise<boolean> => {
    if (lease !== undefined || waitsFor === undefined) return true
    const questions = await Promise.all(waitsFor.map((id) => hub.get(id)))
    return questions.some((question) => question === undefined || question.status !== "pending")
  }
  const run = async (id: string): Promise<void> => {
    const wokenCall = await calls.wake(id, kind)
    if (wokenCall !== undefined) await resumeOrRelease({ ...wokenCall, isNew: false })
  }
  /** Releases the call when the storage failed, so that it can be taken again, here or by another process. */
  const resumeOrRelease = async (runnable: RunnableCall): Promise<void> => {
    try {
      if ((await resume(runnable)) === "left") await endLeftCall(asking, runnable.call)
    } catch (error) {
      const { call } = runnable
      if (isStoreFailure(error)) call.leave(() => call.release())
      throw error
    }
  }
  const wake = (id: string): void => {
    if (!isClosed && !runs.has(id)) track(id, run(id))
  }
  const track = (id: string, work: Promise<unknown>): void => {
    const running = work
      .then(() => void failures.delete(id))
      .catch((error: unknown) => {
        report(`resuming a call of the kind ${kind}`, error)
        if (isStoreFailure(error)) wakeLater(id).catch(() => {})
      })
      .finally(() => runs.delete(id))
    runs.set(id, running)
  }
  /** Takes up the call again, later after each failure of the storage. */
  const wakeLater = async (id: string): Promise<void> => {
    const count = failures.get(id) ?? 0
    failures.set(id, count + 1)
    await waitAfter({ runtime, closing: calls.closing }, count)
    wake(id)
  }
  const wakeDueCalls = async (dueBefore: number): Promise<void> => {
    for (const call of await calls.listDue(kind, dueBefore)) if (await isDue(call)) wake(call.id)
  }
  const reportLooking = (error: unknown): void => report(`looking for calls of the kind ${kind}`, error)
  const timer = createTimer(runtime, () => look(runtime.now()))
  const look = (dueBefore: number): void => {
    timer.arm(runtime.now() + leaseMs)
    wakeDueCalls(dueBefore).catch(reportLooking)
  }
  // A call that is being paused at this moment is checked after it has paused.
  const wakeAfter = (id: string): void => {
    const again = (): void => wake(id)
    Promise.resolve(runs.get(id)).then(again, again)
  }
  /** Wakes the calls that wait for a question of another call, or for one that several calls share. */
  const wakeOthers = async (question: string, askingCall: string | undefined): Promise<void> => {
    for (const parent of wokenParents(await readTrail(trail, question))) {
      const id = callOfParent(parent)
      if (id !== undefined && id !== askingCall) wakeAfter(id)
    }
  }
  const onEntry = ({ id, kind: entryKind, status, parent }: Entry): void => {
    // While a question is accepted, its further entries change nothing for the calls that wait for it.
    if (status === undefined || !(isSettled(status) || entryKind === "accepted")) return
    const askingCall = callOfParent(parent)
    if (askingCall !== undefined) wakeAfter(askingCall)
    // Other calls may wait for the question too.
    wakeOthers(id, askingCall).catch(reportLooking)
  }

  const unfollow = followers.followAll(onEntry)
  // Checks all waiting calls, to find those whose questions were settled while no process watched.
  look(Number.MAX_SAFE_INTEGER)
  return {
    async start({ id, caller, input, beside = async () => true }) {
      const [started, isWanted] = await Promise.allSettled([calls.start({ id, caller, kind, input }), beside()])
      const call = started.status === "fulfilled" ? started.value : undefined
      if (isWanted.status === "fulfilled" && !isWanted.value) {
        await call?.finish()
        return false
      }
      const failed = [started, isWanted].find(({ status }) => status === "rejected") as
        | PromiseRejectedResult
        | undefined
      if (call !== undefined && failed === undefined) {
        track(id, resumeOrRelease({ call, input, isNew: true, interruptions: 0 }))
        return true
      }
      // The commit may have taken effect nevertheless: then the call runs.
      call?.leave(() => call.release())
      if (isStoreFailure(failed?.reason)) wakeLater(id).catch(() => {})
      throw failed?.reason
    },
    wake: wakeAfter,
    has: (id) => calls.has(id),
    async close() {
      isClosed = true
      calls.stopRetrying()
      unfollow()
      timer.stop()
      await Promise.all(runs.values())
    },
  }
}
