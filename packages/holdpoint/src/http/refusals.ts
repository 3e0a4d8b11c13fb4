// What is answered to whoever may not: a link that is not theirs, and a post that is not from our own page.

import { errorPage, unusableLinkPage } from "../surfaces/web/index.ts"
import { toPage } from "./respond.ts"

/** The same to the letter for every reason. */
export const refuseLink = (): Promise<Response> => toPage(unusableLinkPage(), { status: 404 })

export function refusePost(): Promise<Response> {
  const words =
    "It did not come from this server's own page, or the page was too old. Go back, load the page again and repeat."
  return toPage(errorPage({ title: "This was not sent from our page", words }), { status: 403 })
}
