// Tasks, which are kept in calendars: lists, due days, subtasks, and series that move on.

import { readingTools } from "./reading.ts"
import { writingTools } from "./writing.ts"

export const taskTools = [...readingTools, ...writingTools]
