// The tools for contacts and address books.

import { bookTools } from "./books.ts"
import { readTools } from "./read.ts"
import { writeTools } from "./write.ts"

export const contactTools = [...bookTools, ...readTools, ...writeTools]
