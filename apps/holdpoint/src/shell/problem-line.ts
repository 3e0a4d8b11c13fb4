// A problem of a tool as one line for people.

import type { ToolProblem } from "@holdpoint/shell"

export const problemLine = ({ path, message, suggestion }: ToolProblem): string =>
  [path, message, suggestion].filter(Boolean).join(" ")
