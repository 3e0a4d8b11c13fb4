// Things that are made with their first use.

export interface Once<T> {
  (): Promise<T>
  /** Undefined until its first use. */
  readonly made: Promise<T> | undefined
}

export function once<T>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined
  const get = (): Promise<T> => (made ??= make())
  return Object.defineProperty(get, "made", { get: () => made }) as Once<T>
}

/** Stands for something whose methods return promises. What is known without it is read from `known`. */
export function lazily<T extends object>(open: () => Promise<T>, known: { readonly [K in keyof T]?: () => T[K] }): T {
  const nested = (name: keyof T): unknown => {
    const method = async (...given: unknown[]) => call(await open(), name, given)
    // A member that has methods itself: they are called on what is there by then.
    return new Proxy(method, {
      get:
        (_target, inner) =>
        async (...given: unknown[]) =>
          call((await open())[name] as object, inner, given),
    })
  }
  return new Proxy({} as T, {
    get(_target, name) {
      // It is no promise.
      if (name === "then") return undefined
      return known[name as keyof T]?.() ?? nested(name as keyof T)
    },
  })
}

function call(on: object, name: PropertyKey, given: readonly unknown[]): unknown {
  const method = Reflect.get(on, name)
  return Reflect.apply(method, on, given)
}
