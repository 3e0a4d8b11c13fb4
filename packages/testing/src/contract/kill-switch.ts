// Simulates a process that is killed: its storage, clock and outlets stop responding for good.

export interface KillSwitch {
  /** Wraps a part so that it stops responding after `end`. Calls in progress are still executed, but never resolve. */
  makeKillable<T extends object>(part: T): T
  end(): void
}

export function createKillSwitch(): KillSwitch {
  let isKilled = false
  const never = new Promise<never>(() => {})

  const makeKillable = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== "function") return member instanceof Object ? makeKillable(member) : member
        return (...args: readonly unknown[]) => {
          if (isKilled) return never
          return toKillable(Reflect.apply(member, target, args.map(toKillableCallback)))
        }
      },
    })

  /** Wraps a returned value: after `end`, its promises never resolve, and its functions stop responding. */
  const toKillable = (result: unknown): unknown => {
    if (result instanceof Promise) {
      const awaitResult = async (): Promise<unknown> => {
        try {
          const value: unknown = await result
          return isKilled ? await never : value
        } catch (error) {
          if (isKilled) return never
          throw error
        }
      }
      return awaitResult()
    }
    return isPart(result) ? makeKillable(result) : result
  }

  /** Wraps a callback so that it is not called after `end`. */
  const toKillableCallback = (callback: unknown): unknown =>
    typeof callback === "function"
      ? (...values: readonly unknown[]): unknown => (isKilled ? undefined : Reflect.apply(callback, undefined, values))
      : callback

  return {
    makeKillable,
    end() {
      isKilled = true
    },
  }
}

const isPart = (result: unknown): result is object =>
  result instanceof Object &&
  typeof result !== "function" &&
  Object.values(result).some((value) => typeof value === "function")
