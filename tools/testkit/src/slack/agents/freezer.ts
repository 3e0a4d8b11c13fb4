// Freezes a process without ending it: its timers and its calls of the store wait. They continue when the test
// unfreezes the process, usually after another process has taken over its work.

import type { Runtime, Storage } from "@holdpoint/hub"

export interface Freezer {
  freeze(): void
  goOn(): void
  /** Resolves immediately, or when the process is unfrozen. */
  wait(): Promise<void>
  storage(storage: Storage): Storage
  runtime<R extends Runtime>(runtime: R): R
}

export function createFreezer(): Freezer {
  let gate: PromiseWithResolvers<void> | undefined
  const wait = async (): Promise<void> => gate?.promise

  /** Wraps an object so that its methods wait while the process is frozen. Returned records are wrapped as well. */
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
