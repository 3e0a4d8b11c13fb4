// The Tasks tools. Tasks are stored in calendars, with due dates, subtasks and recurrences.

import { readingTools } from "./reading.ts"
import { writingTools } from "./writing.ts"

export const taskTools = [...readingTools, ...writingTools]
