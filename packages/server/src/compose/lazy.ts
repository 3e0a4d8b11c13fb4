// Creates objects on first use.

export interface Once<T> {
  (): Promise<T>
  /** Undefined until the first use. */
  readonly opened: Promise<T> | undefined
}

export function createOnce<T>(make: () => Promise<T>): Once<T> {
  let result: Promise<T> | undefined
  const get = (): Promise<T> => (result ??= make())
  return Object.defineProperty(get, "opened", { get: () => result }) as Once<T>
}

/**
 * A proxy that opens an object with the first call of a method. All methods must return promises; members in `readers`
 * are read without opening it.
 */
export function createLazily<T extends object>(
  open: () => Promise<T>,
  readers: { readonly [K in keyof T]?: () => T[K] },
): T {
  const nested = (name: keyof T): unknown => {
    const method = async (...args: unknown[]) => call(await open(), name, args)
    // A member may itself have methods, which are called on the opened object.
    return new Proxy(method, {
      get:
        (_target, member) =>
        async (...args: unknown[]) =>
          call((await open())[name] as object, member, args),
    })
  }
  return new Proxy({} as T, {
    get(_target, name) {
      // Without this, `await` would take the proxy for a promise.
      if (name === "then") return undefined
      return readers[name as keyof T]?.() ?? nested(name as keyof T)
    },
  })
}

function call(target: object, name: PropertyKey, parameters: readonly unknown[]): unknown {
  const method = Reflect.get(target, name)
  return Reflect.apply(method, target, parameters)
}
