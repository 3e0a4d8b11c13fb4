// The responses to requests that are refused: another person's link, a forged post, an unknown browser.

import type { LocalIdentity } from "../identity/index.ts"
import { errorPage, singleQuestionsPage, takenLinkPage, unknownBrowserPage, unusableLinkPage } from "../web/index.ts"
import { toPage } from "./respond.ts"

/** The response for every unusable link. The same for all reasons, so that it reveals none. */
export const refuseLink = (): Promise<Response> => toPage(unusableLinkPage(), { status: 404 })

export function refusePost(): Promise<Response> {
  const words =
    "It was not sent from a page of this server, or the page was too old. Go back, reload the page and try again."
  return toPage(errorPage({ title: "This form was not accepted", words }), { status: 403 })
}

/** `path` is that of the page whose button was pressed. */
export function refuseEarlyPress(path: string): Promise<Response> {
  const words = "The button was pressed less than 0.7 seconds after its page had appeared, perhaps by a second click."
  return toPage(errorPage({ title: "Not counted", words, back: path }), { status: 409 })
}

interface RefusedBrowser {
  readonly reason: "taken" | "unknown"
  /** The page that the browser asked for. */
  readonly page: string
  /** The question that the page is about; undefined for the inbox and the account. */
  readonly question: string | undefined
  readonly csrf: string
  readonly cookies: readonly string[]
}

/**
 * Local mode: refuses a browser because another browser has claimed the link, or because it is not known to be the
 * person's.
 */
export function refuseBrowser(
  { show }: LocalIdentity,
  { reason, page, question, csrf, cookies }: RefusedBrowser,
): Promise<Response> {
  if (reason === "taken") return toPage(takenLinkPage({ csrf, to: page }), { status: 409, cookies })
  if (show === undefined)
    return toPage(question === undefined ? singleQuestionsPage() : unusableLinkPage(), { status: 404, cookies })
  return toPage(unknownBrowserPage({ csrf, to: page }), { status: 403, cookies })
}
