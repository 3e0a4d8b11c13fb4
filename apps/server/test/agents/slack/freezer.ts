// Stops what a process does without ending it: its timers, its store and what it waits for. What it had begun goes on
// later, when others have taken over its work, or never.

import type { Runtime, Storage } from "@holdpoint/sdk"

export interface Freezer {
  freeze(): void
  goOn(): void
  /** Resolves at once, or when the process goes on. */
  wait(): Promise<void>
  storage(storage: Storage): Storage
  runtime<R extends Runtime>(runtime: R): R
}

export function createFreezer(): Freezer {
  let gate: PromiseWithResolvers<void> | undefined
  const wait = async (): Promise<void> => gate?.promise

  /** Calls of methods wait; what they return, if it has methods, is slow as well. */
  const slow = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name)
        if (typeof value !== "function") return typeof value === "object" && value !== null ? slow(value) : value
        if (name === "records") return (...args: unknown[]) => slow(value.apply(of, args) as object)
        if (name === "subscribe")
          return (tell: (...told: unknown[]) => void, ...rest: unknown[]) =>
            value.call(of, (...told: unknown[]) => (gate === undefined ? tell(...told) : undefined), ...rest)
        return (...args: unknown[]) => later(() => value.apply(of, args))
      },
    })
  const later = (act: () => unknown): unknown => (gate === undefined ? act() : gate.promise.then(act))

  return {
    freeze() {
      gate ??= Promise.withResolvers()
    },
    goOn() {
      gate?.resolve()
      gate = undefined
    },
    wait,
    storage: slow,
    runtime: (runtime) => ({
      ...runtime,
      after: (ms: number, callback: () => void) =>
        runtime.after(ms, () => (gate === undefined ? callback() : void gate.promise.then(callback))),
    }),
  }
}
