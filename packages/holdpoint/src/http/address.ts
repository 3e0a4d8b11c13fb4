// Where the pages are, judged once when they are put together: an address that would only half work is told then.

import { HoldpointError } from "../core/error.ts"
import { checkUrl } from "../core/url.ts"

/** Links, redirects and `__Host-` cookies all begin at the root of one host. */
export function assertAddresses(publicUrl: string, callbackUrl: string | undefined): void {
  const checked = checkUrl(publicUrl)
  if (!checked.ok) throw invalid(checked.problems.map(({ message }) => message).join(" "))
  const { origin } = new URL(publicUrl)
  if (origin !== publicUrl)
    throw invalid(`The pages live at the root of a host: write ${origin}, and nothing after it.`)
  const callback = callbackUrl === undefined ? undefined : URL.parse(callbackUrl)
  if (callback === undefined || (callback !== null && callbackUrl === `${origin}${callback.pathname}`)) return
  throw new HoldpointError(
    "invalid_config",
    `Providers send people back to our own pages: write the callback address as ${origin}/…, without parameters.`,
  )
}

const invalid = (why: string): HoldpointError =>
  new HoldpointError(
    "invalid_config",
    `The public address of the pages cannot be used. ${why} Set publicUrl to how people reach them.`,
  )
