// Calendar: events with time zones, recurrences, attendees and reminders, over CalDAV.

import { availabilityTools } from "./availability.ts"
import { bulkTools } from "./bulk.ts"
import { calendarsTools } from "./calendars.ts"
import { readingTools } from "./reading.ts"
import { removingTools } from "./removing.ts"
import { writingTools } from "./writing.ts"

export const calendarTools = [
  ...calendarsTools,
  ...readingTools,
  ...writingTools,
  ...removingTools,
  ...availabilityTools,
  ...bulkTools,
]
