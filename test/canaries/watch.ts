// Runs before the tests of each file: from here on, every error that our code makes is heard, also one that a test or
// another part of the code catches.

import { HoldpointError } from "../../packages/holdpoint/src/core/error.ts"
import { hear } from "./note.ts"

/** Stands between our error class and Error: a class calls the constructor that it finds above itself. */
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
