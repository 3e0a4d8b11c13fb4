// A child process that runs named commands on request: for measurements that need their own heap, processor clock or
// database connection.

import { fork } from "node:child_process"

export type Commands = Readonly<Record<string, (input: never) => Promise<unknown>>>

export interface Child<C extends Commands> {
  call<N extends keyof C & string>(name: N, input: Parameters<C[N]>[0]): Promise<Awaited<ReturnType<C[N]>>>
  /** Lets the child close its resources, and waits until it has ended. */
  stop(): Promise<void>
}

interface Request {
  readonly serial: number
  readonly name: string
  readonly input: unknown
}

type Response = { readonly serial: number } & ({ readonly output: unknown } | { readonly error: string })

export function startChild<C extends Commands>(file: string): Child<C> {
  const child = fork(file, { execArgv: ["--expose-gc", "--disable-warning=ExperimentalWarning"] })
  const calls = new Map<number, { resolve(output: unknown): void; reject(error: Error): void }>()
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  let serial = 0
  child.on("message", (message) => {
    const response = message as Response
    const call = calls.get(response.serial)
    calls.delete(response.serial)
    if ("error" in response) call?.reject(new Error(response.error))
    else call?.resolve(response.output)
  })
  child.once("exit", (code) => {
    for (const call of calls.values()) call.reject(new Error(`A child process of the benchmark ended with ${code}.`))
  })
  return {
    call(name, input) {
      return new Promise((resolve, reject) => {
        serial++
        calls.set(serial, { resolve: resolve as (output: unknown) => void, reject })
        child.send({ serial, name, input } satisfies Request, (error) => {
          if (error !== null) reject(error)
        })
      })
    },
    async stop() {
      if (child.connected) child.disconnect()
      await gone
    },
  }
}

/** The child's side. `close` runs when the parent disconnects or dies. */
export function serve(commands: Commands, close: () => Promise<void>): void {
  process.on("message", async (message) => {
    const { serial, name, input } = message as Request
    const answer = (response: Response): void => void process.send?.(response)
    try {
      const output = await commands[name]?.(input as never)
      answer({ serial, output })
    } catch (error) {
      answer({ serial, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.once("disconnect", () => {
    close().finally(() => process.exit())
  })
}
