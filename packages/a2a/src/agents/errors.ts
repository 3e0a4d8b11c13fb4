// Converts refusals to the errors of the A2A SDK, by the A2A code in the library's error table. The SDK converts its
// errors for each transport.

import {
  A2AError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors"
import type { Refusal } from "@holdpoint/hub"
import { errorCodes } from "@holdpoint/hub/internal"

/** The storage failed: the same request may succeed later. HTTP+JSON answers with the status 503. */
export class StoreUnavailableError extends A2AError {}

/** The caller has as many streams open as one caller may have. Every binding answers with the status 429. */
export class TooManyStreamsError extends A2AError {}

/** The HTTP status of an error that JSON-RPC otherwise sends with 200. */
export const rpcStatusOf = (error: unknown): { readonly status: number; readonly headers?: Record<string, string> } =>
  error instanceof TooManyStreamsError ? { status: 429, headers: { "retry-after": "60" } } : { status: 200 }

/** Converts a refusal of the hub. An operation is “unsupported” when the SDK has no error for the code. */
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

/** The same error for an unknown task and for a task of another person, so that callers cannot probe for ids. */
export const noSuchTask = (id: string): TaskNotFoundError =>
  new TaskNotFoundError(`You have no task “${cut(id)}” here.`)

const cut = (text: string): string => (text.length > 100 ? `${text.slice(0, 99)}…` : text)
