// Whose stream a response is: that of the person, or that of the program that called with its own key.

import type { Site } from "@holdpoint/server"
import { personKey } from "../conversations.ts"
import type { RunCaller } from "./callers.ts"

export type StreamPlaces = Site["places"]
export type StreamOwner = Parameters<StreamPlaces["take"]>[0]
/** The place of one open stream. */
export type StreamPlace = NonNullable<ReturnType<StreamPlaces["take"]>>

export const streamOwnerOf = ({ isPerson, principal }: RunCaller): StreamOwner =>
  isPerson ? { person: principal } : { program: personKey(principal) }
