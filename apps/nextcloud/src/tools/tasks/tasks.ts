// Tasks, which are kept in calendars: lists, due days, subtasks, and series that move on.

import type { Tool } from "../../tool.ts"
import { readingTools } from "./reading.ts"
import { writingTools } from "./writing.ts"

export const taskTools: readonly Tool[] = [...readingTools, ...writingTools]
