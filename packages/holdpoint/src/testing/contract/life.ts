// A process that dies within this one: everything that it was given stops answering, for ever, as if it had been killed.

export interface Life {
  /** The same, until the end. What was asked of it before the end is done, but never told. */
  mortal<T extends object>(part: T): T
  end(): void
}

export function createLife(): Life {
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

  /** What comes out: promises that are not kept after the end, and parts that die as well. */
  const lasting = (out: unknown): unknown => {
    if (out instanceof Promise) {
      const told = async (): Promise<unknown> => {
        try {
          const value: unknown = await out
          return isOver ? await never : value
        } catch (error) {
          if (isOver) return never
          throw error
        }
      }
      return told()
    }
    return isPart(out) ? mortal(out) : out
  }

  /** Callbacks that are not called after the end. */
  const untilTheEnd = (given: unknown): unknown =>
    typeof given === "function"
      ? (...values: readonly unknown[]): unknown => (isOver ? undefined : Reflect.apply(given, undefined, values))
      : given

  return {
    mortal,
    end() {
      isOver = true
    },
  }
}

const isPart = (out: unknown): out is object =>
  out instanceof Object && typeof out !== "function" && Object.values(out).some((value) => typeof value === "function")
