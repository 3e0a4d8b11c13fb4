// What a refusal of the server means.

import { ClientError } from "@holdpoint/sdk/client"

export const isSignedOut = (error: unknown): boolean => error instanceof ClientError && error.status === 401

/** Whether the same request would be refused again. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ClientError && error.status !== undefined && error.status < 500 && error.status !== 429
