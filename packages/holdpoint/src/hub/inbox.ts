// The plainest outlet: questions are found there by whoever lists them.

import type { Outlet } from "../ports/outlet.ts"

export function inbox(name = "inbox"): Outlet {
  return {
    name,
    deliver: async () => ({ state: "listed" }),
    withdraw: async () => {},
  }
}
