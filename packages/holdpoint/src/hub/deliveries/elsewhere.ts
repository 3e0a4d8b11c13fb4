// For processes that ask and do not show: their questions are owed to an outlet of another process.

import type { OutletElsewhere } from "../../ports/outlet.ts"

/** The lasting outlet of this name, wherever it is. */
export function elsewhere(name: string): OutletElsewhere {
  return { name, isElsewhere: true }
}
