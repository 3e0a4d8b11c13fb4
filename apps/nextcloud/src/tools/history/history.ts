// The History tools: trash, versions, comments and tags of files.

import type { Tool } from "../../tool.ts"
import { commentTools } from "./comments.ts"
import { tagTools } from "./tags.ts"
import { trashTools } from "./trash.ts"
import { versionTools } from "./versions.ts"

export const historyTools: readonly Tool[] = [...trashTools, ...versionTools, ...commentTools, ...tagTools].map(
  (tool) => ({
    ...tool,
    app: "history",
  }),
)
