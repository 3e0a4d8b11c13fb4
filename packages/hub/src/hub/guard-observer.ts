// Calls the observer. A failing observer is reported and never changes the outcome of a step.

import type { Report } from "../due/work.ts"
import type { Observer } from "../ports/observer.ts"

export function guardObserver(observer: Observer | undefined, report: Report): Observer {
  if (observer === undefined) return silentObserver
  const callSafely = <T>(operation: () => T): T | undefined => {
    try {
      return operation()
    } catch (error) {
      report("observing a step", error)
      return undefined
    }
  }
  return {
    activeTrace: () => callSafely(() => observer.activeTrace()),
    asked: (step) => callSafely(() => observer.asked(step)),
    settled: (elicitation) => callSafely(() => observer.settled(elicitation)),
    refused: (step) => callSafely(() => observer.refused(step)),
    unauthorized: (call) => callSafely(() => observer.unauthorized(call)),
  }
}

const silentObserver: Observer = {
  activeTrace: () => undefined,
  asked: () => {},
  settled: () => {},
  refused: () => {},
  unauthorized: () => {},
}
