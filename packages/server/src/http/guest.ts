// A person whose identity is verified in this browser.

import type { Principal } from "@holdpoint/hub"
import type { Session } from "../identity/records.ts"

/** A person whose identity is verified in this browser. */
export interface Guest {
  readonly principal: Principal
  readonly session: Session
  /** The name shown at the top of the pages. */
  readonly name: string
  readonly csrf: string
  /** Local mode: a short code that the terminal shows as well, for the person to compare. */
  readonly code?: string
  /** Local mode: whether this browser may open the question of its link, but neither the inbox nor the account. */
  readonly opensOneQuestion?: boolean
  /**
   * Local mode: claims the question for this browser when its form is posted. False when another browser has already
   * claimed it.
   */
  readonly claim?: () => Promise<boolean>
  /** Cookies to set on the response. */
  readonly cookies: readonly string[]
}
