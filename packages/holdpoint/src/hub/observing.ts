// Calls the observer. A failing observer is reported and never changes the outcome of a step.

import type { Observer } from "../ports/observer.ts"
import type { Report } from "./work.ts"

export function guardObserver(observer: Observer | undefined, report: Report): Observer {
  if (observer === undefined) return silent
  const guarded = <T>(call: () => T): T | undefined => {
    try {
      return call()
    } catch (error) {
      report("observing a step", error)
      return undefined
    }
  }
  return {
    activeTrace: () => guarded(() => observer.activeTrace()),
    asked: (step) => guarded(() => observer.asked(step)),
    settled: (elicitation) => guarded(() => observer.settled(elicitation)),
    refused: (step) => guarded(() => observer.refused(step)),
    unauthorized: (call) => guarded(() => observer.unauthorized(call)),
  }
}

const silent: Observer = {
  activeTrace: () => undefined,
  asked: () => {},
  settled: () => {},
  refused: () => {},
  unauthorized: () => {},
}
