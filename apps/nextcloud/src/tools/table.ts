// The table of all tools. Each app has its own folder.

import type { Tool } from "../tool.ts"
import { calendarTools } from "./calendar/calendar.ts"
import { collectivesTools } from "./collectives/collectives.ts"
import { contactTools } from "./contacts/contacts.ts"
import { cookbookTools } from "./cookbook/cookbook.ts"
import { deckTools } from "./deck/deck.ts"
import { fileTools } from "./files/files.ts"
import { historyTools } from "./history/history.ts"
import { mailTools } from "./mail/mail.ts"
import { newsTools } from "./news/news.ts"
import { noteTools } from "./notes/notes.ts"
import { notificationTools } from "./notifications/notifications.ts"
import { searchTools } from "./search/search.ts"
import { sharingTools } from "./sharing/sharing.ts"
import { statusTools } from "./status/status.ts"
import { tableTools } from "./tables/tables.ts"
import { talkTools } from "./talk/talk.ts"
import { taskTools } from "./tasks/tasks.ts"
import { userTools } from "./users/users.ts"

export const table: readonly Tool[] = [
  ...noteTools,
  ...fileTools,
  ...historyTools,
  ...sharingTools,
  ...calendarTools,
  ...taskTools,
  ...contactTools,
  ...cookbookTools,
  ...newsTools,
  ...tableTools,
  ...deckTools,
  ...talkTools,
  ...mailTools,
  ...collectivesTools,
  ...searchTools,
  ...notificationTools,
  ...statusTools,
  ...userTools,
]
