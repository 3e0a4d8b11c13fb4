// Classifies errors by which the server refused a request.

import { ClientError } from "@holdpoint/client"

export const isSignedOut = (error: unknown): boolean => error instanceof ClientError && error.status === 401

/** Whether the server would refuse the same request again, so that retrying is useless. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ClientError && error.status !== undefined && error.status < 500 && error.status !== 429
