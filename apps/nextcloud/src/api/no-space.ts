// Explains a 500 after a write: Notes, Cookbook and other apps answer 500 when the account's quota is used up. The
// quota is read only after such an answer.

import type { NextcloudError } from "./error.ts"
import { nextcloudError } from "./error.ts"
import type { NcRequest, Nextcloud } from "./nextcloud.ts"
import { fieldsOf } from "./read.ts"

/** Returns the same error, or a `full` error when the account has no space left. */
export async function explainFailure(
  nextcloud: Pick<Nextcloud, "send">,
  request: NcRequest,
  error: NextcloudError,
): Promise<NextcloudError> {
  if (!(await hasNoSpace(nextcloud, sizeOf(request)))) return error
  const { status, detail } = error
  return nextcloudError("full", { status, activity: request.activity, detail })
}

/**
 * Whether the account has less space than `size`. False also when the quota cannot be read: the original error is then
 * reported.
 */
async function hasNoSpace(nextcloud: Pick<Nextcloud, "send">, size: number): Promise<boolean> {
  const activity = "reading how much space is left"
  try {
    const answer = await nextcloud.send({ path: "/ocs/v2.php/cloud/user", query: { format: "json" }, activity })
    const quota = fieldsOf(answer.json(), activity).object("ocs").object("data").object("quota")
    // A negative quota means that there is no limit, or that the server has not computed the quota yet.
    return quota.number("quota") >= 0 && quota.number("free") < size
  } catch {
    return false
  }
}

function sizeOf({ json, body }: NcRequest): number {
  if (json !== undefined) return JSON.stringify(json).length
  return typeof body === "string" ? body.length : body instanceof Uint8Array ? body.byteLength : 1
}
