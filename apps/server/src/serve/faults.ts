// The last line of defence of a server: a rejection that nothing handled is reported and the server goes on; after an
// exception that nothing caught the server closes in order, because the state of its memory is unknown then.

import { HoldpointError } from "@holdpoint/sdk"
import type { BackgroundReport } from "../background-report.ts"

/** Does the work of a server. Rejects after an exception that nothing caught. */
export async function whileWatched<T>(report: BackgroundReport, work: () => Promise<T>): Promise<T> {
  const { promise: fault, reject } = Promise.withResolvers<never>()
  const onRejection = (error: unknown): void => report("work that nothing waits for", error)
  const onException = (error: unknown): void => {
    report("the server", error)
    const message = "The server stopped after an error that nothing caught. Its log names the error. Start it again."
    reject(new HoldpointError("internal", message, { cause: error }))
  }
  process.on("unhandledRejection", onRejection)
  process.on("uncaughtException", onException)
  try {
    return await Promise.race([work(), fault])
  } finally {
    process.off("unhandledRejection", onRejection)
    process.off("uncaughtException", onException)
  }
}
