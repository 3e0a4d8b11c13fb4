// The errors that an editor receives, in words for the person. They never contain the details of a server error.

import { RequestError } from "@agentclientprotocol/sdk"
import { words } from "./words.ts"

/** The codes of JSON-RPC 2.0 §5.1, and `resourceNotFound` of ACP. */
const [invalidRequest, invalidParams, internalError, resourceNotFound] = [-32_600, -32_602, -32_603, -32_002]

export const refuse = {
  underWay: () => new RequestError(invalidRequest, words.underWay),
  tooMany: () => new RequestError(invalidRequest, words.tooMany),
  empty: () => new RequestError(invalidParams, words.empty),
  noSession: (id: string) => new RequestError(resourceNotFound, words.noSession(id)),
  failedInside: () => new RequestError(internalError, words.failedInside),
  /** The reply ended with this error text. */
  failedReply: (errorText: string) => new RequestError(internalError, errorText),
} as const
