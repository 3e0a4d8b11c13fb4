// Errors of the HTTP+JSON binding as google.rpc.Status (specification §11.6). They omit the details of server errors.

import { A2AError, type RestErrorBody, restStatusFor, toRestErrorBody } from "@a2a-js/sdk/errors"

const statusNames: Readonly<Record<number, string>> = {
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
  413: "INVALID_ARGUMENT",
}

/** Creates a refusal that is not one of the protocol's errors. */
export function refusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  const body = { error: { code: status, status: statusNames[status] ?? "UNKNOWN", message, details: [] } }
  const allHeaders = { ...headers, "content-type": "application/a2a+json", "cache-control": "no-store" }
  return new Response(JSON.stringify(body), { status, headers: allHeaders })
}

export function methodNotAllowed(method: string, allowed: readonly string[]): Response {
  const names = allowed.join(", ")
  return refusal(405, `This operation does not accept ${method}. Use ${names}.`, { allow: names })
}

export const statusOf = (error: unknown): number => restStatusFor(error)

export function errorBody(error: unknown): RestErrorBody {
  const status = statusOf(error)
  if (error instanceof A2AError) return toRestErrorBody(error, status)
  return toRestErrorBody(new Error("The server failed to handle this request. Try again."), status)
}
