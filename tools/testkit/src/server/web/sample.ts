// A page with one view of it.

import type { Html } from "@holdpoint/server/parts"

/** A page and what it shows; `render` with another view of the same shape shows that instead. */
export interface Sample {
  readonly view: unknown
  render(view?: unknown): Html
}

export function sample<V>(page: (view: V) => Html, view: V): Sample {
  return { view, render: (other) => page((other ?? view) as V) }
}
