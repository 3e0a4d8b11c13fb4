// Apps of which little or nothing was recorded: they follow their documentation, so a real server may differ.

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
