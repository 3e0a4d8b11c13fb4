// Runs before the tests of each file. From then on, every error that our code creates is noted, even if it is caught.

import { HoldpointError } from "@holdpoint/hub"
import { hear } from "./note.ts"

/** A constructor between our error class and Error, which our class calls as its parent. */
function HeardError(message?: string, options?: ErrorOptions): Error {
  const error = Reflect.construct(Error, [message, options], new.target ?? Error) as Error
  const { cause } = error
  const reason =
    typeof cause === "object" && cause !== null && !(cause instanceof Error) ? JSON.stringify(cause) : cause
  hear("error", "HoldpointError", `${error.message} ${reason ?? ""}`)
  return error
}
HeardError.prototype = Error.prototype

if (Object.getPrototypeOf(HoldpointError) === Error) {
  Object.setPrototypeOf(HeardError, Error)
  Object.setPrototypeOf(HoldpointError, HeardError)
}
