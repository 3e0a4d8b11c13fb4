// Notices that a newer program has migrated the database while this one runs. A migration leaves the program before it
// working, so one step is fine; with more, this program would misread what it finds.

import type { HoldpointError } from "../core/error.ts"
import { isHoldpointError } from "../core/error.ts"

export interface SchemaWatch {
  /** Called after a commit of this process, or of another one. Checks the schema, now or soon. */
  noteCommit(): void
  /** Throws once the schema is too new for this program. */
  assertKnown(): void
  stop(): void
}

/** The shortest time between two checks. */
const pauseMs = 5_000

export function watchSchema(options: {
  /** Rejects with `schema_too_new` when this program has to stop. */
  readonly check: () => Promise<void>
  readonly onTooNew: (error: HoldpointError) => void
}): SchemaWatch {
  let pause: NodeJS.Timeout | undefined
  let isDue = false
  let isStopped = false
  let tooNew: HoldpointError | undefined

  const check = async (): Promise<void> => {
    try {
      await options.check()
    } catch (error) {
      // Any other error is the database's: the next commit checks again.
      if (!isHoldpointError(error) || error.code !== "schema_too_new") return
      tooNew = error
      options.onTooNew(error)
    }
  }
  const checkDue = (): void => {
    pause = undefined
    if (!isDue || isStopped || tooNew !== undefined) return
    isDue = false
    pause = setTimeout(checkDue, pauseMs).unref()
    check().catch(() => {})
  }
  return {
    noteCommit() {
      isDue = true
      if (pause === undefined) checkDue()
    },
    assertKnown() {
      if (tooNew !== undefined) throw tooNew
    },
    stop() {
      isStopped = true
      clearTimeout(pause)
    },
  }
}
