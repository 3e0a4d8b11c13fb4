// Apps of which little or nothing was recorded: they answer as their documentation has it. What is right here may still
// be wrong with a real server.

import type { Area } from "./area.ts"
import { collectivesArea } from "./collectives.ts"
import { mailArea } from "./mail/area.ts"
import { notificationsArea } from "./notifications.ts"
import { searchArea } from "./unified-search.ts"
import { userStatusArea } from "./user-status.ts"

export const documentedAreas: readonly Area[] = [
  userStatusArea,
  notificationsArea,
  searchArea,
  collectivesArea,
  mailArea,
]
