// The API of the News app, version 1-3. It reports no capability, and article ids grow over time.

import { nextcloudError } from "../../api/error.ts"
import type { NcAnswer, NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"

/** Sends a request. `path` is relative to the API: `/feeds/5`. */
export async function sendNews(nextcloud: Nextcloud, request: NcRequest): Promise<NcAnswer> {
  const { accept = [], activity } = request
  const path = `/apps/news/api/v1-3${request.path}`
  const answer = await nextcloud.send({ ...request, path, accept: [...accept, 404] })
  if (answer.status !== 404) return answer
  if (/html/i.test(answer.headers.get("content-type") ?? ""))
    throw nextcloudError("unsupported", { activity, ...notInstalled })
  if (accept.includes(404)) return answer
  // The server's own message is a database query, so it is not passed on.
  throw nextcloudError("not_found", { activity, status: 404 })
}

const notInstalled = {
  because: "there is no News app",
  advice: "Tell the user that the News app is not installed, or not enabled for this account.",
}

/** Sends a write. Throws unless the answer is JSON, because a web page means that nothing was done. */
export async function changeNews(nextcloud: Nextcloud, request: NcRequest): Promise<void> {
  const answer = await sendNews(nextcloud, request)
  answer.json()
}

export async function readFeeds(nextcloud: Nextcloud, activity: string): Promise<Fields> {
  return fieldsOf((await sendNews(nextcloud, { path: "/feeds", activity })).json(), activity)
}

export async function readFolders(nextcloud: Nextcloud, activity: string): Promise<readonly Fields[]> {
  return fieldsOf((await sendNews(nextcloud, { path: "/folders", activity })).json(), activity).objects("folders")
}
