// What a person has chosen for themselves: small texts by name, theirs alone.

import type { PrincipalId } from "../core/principal.ts"
import type { KeptRecord } from "./records.ts"

/** Filed under the person. Not secret, and not sealed. */
export interface Preference extends KeptRecord {
  readonly principal: PrincipalId
  readonly name: string
  readonly value: string
  readonly setAt: number
}
