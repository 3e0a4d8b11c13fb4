// Refuses requests whose JSON is nested too deeply: the SDK reads data parts by recursion, and would overflow the stack.

import { RequestMalformedError } from "@a2a-js/sdk/errors"
import { isTooDeep } from "@holdpoint/hub/internal"

export const tooDeepWords = "The request is nested too deeply. Send data with fewer levels."

export function assertDepth(body: unknown): void {
  if (isTooDeep(body)) throw new RequestMalformedError(tooDeepWords)
}
