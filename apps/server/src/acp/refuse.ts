// The errors that an editor gets, in words for the person. None has what failed inside.

import { RequestError } from "@agentclientprotocol/sdk"
import { words } from "./words.ts"

/** JSON-RPC 2.0 §5.1, and what ACP adds to it. */
const [invalidRequest, invalidParams, internalError, resourceNotFound] = [-32_600, -32_602, -32_603, -32_002]

export const refuse = {
  underWay: () => new RequestError(invalidRequest, words.underWay),
  tooMany: () => new RequestError(invalidRequest, words.tooMany),
  empty: () => new RequestError(invalidParams, words.empty),
  noSession: (id: string) => new RequestError(resourceNotFound, words.noSession(id)),
  failedInside: () => new RequestError(internalError, words.failedInside),
  /** The reply failed, and said so. */
  failedReply: (said: string) => new RequestError(internalError, said),
} as const
