// The simplest outlet: pages and commands list its questions.

import type { Outlet } from "../ports/outlet.ts"

/** An outlet that lists every question for its audience, for pages and commands to show. It sends nothing. */
export function inbox(name = "inbox"): Outlet {
  return {
    name,
    deliver: async () => ({ state: "listed" }),
    withdraw: async () => {},
  }
}
