// The Deck tools: boards, lists, cards, and what is attached to them.

import { withOfferTest } from "../../tool.ts"
import { isOffered } from "./api.ts"
import { assignTools } from "./assign.ts"
import { boardTools } from "./boards.ts"
import { cardTools } from "./cards.ts"
import { commentTools } from "./comments.ts"
import { findCardTools } from "./find-cards.ts"
import { boardSharingTools } from "./sharing.ts"
import { stackTools } from "./stacks.ts"

export const deckTools = withOfferTest(isOffered, [
  ...boardTools,
  ...boardSharingTools,
  ...stackTools,
  ...findCardTools,
  ...cardTools,
  ...assignTools,
  ...commentTools,
])
