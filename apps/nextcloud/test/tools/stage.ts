// The stand-in with two people at it, for tests of tools that write.

import { createStandIn, type StandIn, type StandInOptions } from "@holdpoint/nextcloud-stand-in"
import { type Connected, connect } from "../nextcloud.ts"

export interface Stage {
  readonly standIn: StandIn
  readonly alice: Connected
  readonly bob: Connected
}

export function openStage(options: StandInOptions = {}): Stage {
  const standIn = createStandIn(options)
  const url = `http://localhost${options.path ?? ""}`
  const as = (user: string): Connected => connect((request) => standIn.fetch(request), { user, url })
  return { standIn, alice: as("alice"), bob: as("bob") }
}
