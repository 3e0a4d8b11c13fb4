// Sends a WebDAV write whose success has no body. A web page from a proxy is not a success.

import { davSend } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { NcAnswer, NcRequest, Nextcloud } from "../../api/nextcloud.ts"

export async function sendDavWrite(nextcloud: Nextcloud, request: NcRequest): Promise<NcAnswer> {
  const { activity, accept = [] } = request
  const answer = await davSend(nextcloud, request)
  const { status } = answer
  if (status === 201 || status === 204 || accept.includes(status)) return answer
  throw nextcloudError("malformed", { status, activity, detail: "neither success nor an error" })
}
