// For processes that ask questions but do not run the outlet which shows them.

import type { OutletElsewhere } from "../../ports/outlet.ts"

/** Names a lasting outlet that another process runs. That process delivers the questions that this process asks. */
export function elsewhere(name: string): OutletElsewhere {
  return { name, isElsewhere: true }
}
