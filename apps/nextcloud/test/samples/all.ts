// The samples of all apps, by the name of the tool.

import { notificationSamples, searchSamples, statusSamples, userSamples } from "./account.ts"
import { calendarSamples } from "./calendar.ts"
import { collectivesSamples } from "./collectives.ts"
import { contactsSamples } from "./contacts.ts"
import { cookbookSamples } from "./cookbook.ts"
import { deckSamples } from "./deck.ts"
import { filesSamples } from "./files.ts"
import { historySamples } from "./history.ts"
import { mailSamples } from "./mail.ts"
import { newsSamples } from "./news.ts"
import { notesSamples } from "./notes.ts"
import type { Samples } from "./sample.ts"
import { sharingSamples } from "./sharing.ts"
import { tablesSamples } from "./tables.ts"
import { talkSamples } from "./talk.ts"
import { tasksSamples } from "./tasks.ts"

export const samples: Samples = {
  ...notesSamples,
  ...filesSamples,
  ...historySamples,
  ...sharingSamples,
  ...calendarSamples,
  ...tasksSamples,
  ...contactsSamples,
  ...deckSamples,
  ...tablesSamples,
  ...cookbookSamples,
  ...newsSamples,
  ...talkSamples,
  ...mailSamples,
  ...collectivesSamples,
  ...searchSamples,
  ...notificationSamples,
  ...statusSamples,
  ...userSamples,
}
