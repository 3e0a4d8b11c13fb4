// Simulates a process that is killed: its storage, clock and outlets stop responding for good.

export interface KillSwitch {
  /** Wraps a part so that it stops responding after `end`. Calls made before are still executed, but never resolve. */
  mortal<T extends object>(part: T): T
  end(): void
}

export function createKillSwitch(): KillSwitch {
  let isOver = false
  const never = new Promise<never>(() => {})

  const mortal = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== "function") return member instanceof Object ? mortal(member) : member
        return (...given: readonly unknown[]) => {
          if (isOver) return never
          return lasting(Reflect.apply(member, target, given.map(untilTheEnd)))
        }
      },
    })

  /** Wraps a returned value: promises never resolve after the end, and parts stop responding too. */
  const lasting = (out: unknown): unknown => {
    if (out instanceof Promise) {
      const settled = async (): Promise<unknown> => {
        try {
          const value: unknown = await out
          return isOver ? await never : value
        } catch (error) {
          if (isOver) return never
          throw error
        }
      }
      return settled()
    }
    return isPart(out) ? mortal(out) : out
  }

  /** Wraps a callback so that it is not called after the end. */
  const untilTheEnd = (callback: unknown): unknown =>
    typeof callback === "function"
      ? (...values: readonly unknown[]): unknown => (isOver ? undefined : Reflect.apply(callback, undefined, values))
      : callback

  return {
    mortal,
    end() {
      isOver = true
    },
  }
}

const isPart = (out: unknown): out is object =>
  out instanceof Object && typeof out !== "function" && Object.values(out).some((value) => typeof value === "function")
