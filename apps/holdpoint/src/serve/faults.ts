// The last line of defence of a server: a rejection that nothing handled is reported and the server goes on; after an
// exception that nothing caught the server closes in order, because the state of its memory is unknown then.

import { HoldpointError } from "@holdpoint/hub"
import type { BackgroundReport } from "../background-report.ts"

/** What a server has to watch: its reports, and the end of its database for this program. */
export interface Watched {
  readonly report: BackgroundReport
  /** Aborted when the server cannot use its database any more, with the error that says why. */
  readonly unusable: AbortSignal
}

/** Does the work of a server. Rejects after an exception that nothing caught, and when the database is unusable. */
export async function whileWatched<T>({ report, unusable }: Watched, work: () => Promise<T>): Promise<T> {
  const { promise: fault, reject } = Promise.withResolvers<never>()
  const onUnusable = (): void => reject(unusable.reason)
  if (unusable.aborted) onUnusable()
  unusable.addEventListener("abort", onUnusable)
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
    unusable.removeEventListener("abort", onUnusable)
    process.off("unhandledRejection", onRejection)
    process.off("uncaughtException", onException)
  }
}
