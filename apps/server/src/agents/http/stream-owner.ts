// The person whose stream a response is. Streams of programs, which the operator trusts, are not counted.

import { personKey } from "../conversations.ts"
import type { RunCaller } from "./callers.ts"

export const streamOwnerOf = ({ isPerson, principal }: RunCaller): string | undefined =>
  isPerson ? personKey(principal) : undefined
