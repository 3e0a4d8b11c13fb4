// Refusals as the SDK's errors. What each means on each transport is in the SDK's table; codes of our own table come
// with the A2A code that it gives them.

import {
  type A2AError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors"
import type { Refusal } from "@holdpoint/sdk"
import { errorCodes } from "@holdpoint/sdk/http"

/** A refusal of the hub. */
export function toA2aError({ code, message }: Pick<Refusal, "code" | "message">, words = message): A2AError {
  const make = byCode[errorCodes[code].a2a]
  return make === undefined ? new UnsupportedOperationError(words) : make(words)
}

const byCode: Readonly<Record<number, (words: string) => A2AError>> = {
  [-32001]: (words) => new TaskNotFoundError(words),
  [-32002]: (words) => new TaskNotCancelableError(words),
  [-32004]: (words) => new UnsupportedOperationError(words),
  [-32602]: (words) => new RequestMalformedError(words),
}

/** The same words for a task that is not there and for one of another person. */
export const noSuchTask = (id: string): TaskNotFoundError =>
  new TaskNotFoundError(`You have no task “${cut(id)}” here.`)

const cut = (text: string): string => (text.length > 100 ? `${text.slice(0, 99)}…` : text)
