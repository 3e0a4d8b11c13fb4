// The tools for contacts and address books.

import type { Tool } from "../../tool.ts"
import { bookTools } from "./books.ts"
import { readTools } from "./read.ts"
import { writeTools } from "./write.ts"

export const contactTools: readonly Tool[] = [...bookTools, ...readTools, ...writeTools]
