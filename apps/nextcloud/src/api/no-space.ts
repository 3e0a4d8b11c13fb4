// Notes, Cookbook and others answer 500 where an account has no space left for what was sent. Whether that is so is looked
// up after such an answer to a write, and never otherwise.

import type { NextcloudError } from "./error.ts"
import { nextcloudError } from "./error.ts"
import type { NcRequest, Nextcloud } from "./nextcloud.ts"
import { fieldsOf } from "./read.ts"

/** The same error, or that there is no space left. */
export async function explainFailure(
  nextcloud: Pick<Nextcloud, "send">,
  request: NcRequest,
  error: NextcloudError,
): Promise<NextcloudError> {
  if (!(await hasNoSpace(nextcloud, sizeOf(request)))) return error
  const { status, said } = error
  return nextcloudError("full", { status, doing: request.doing, said })
}

/** False also when it cannot be looked up: the first error then stands for itself. */
async function hasNoSpace(nextcloud: Pick<Nextcloud, "send">, size: number): Promise<boolean> {
  const doing = "looking how much space is left"
  try {
    const answer = await nextcloud.send({ path: "/ocs/v2.php/cloud/user", query: { format: "json" }, doing })
    const quota = fieldsOf(answer.json(), doing).object("ocs").object("data").object("quota")
    // Below zero there is no limit, or none is known yet.
    return quota.number("quota") >= 0 && quota.number("free") < size
  } catch {
    return false
  }
}

function sizeOf({ json, body }: NcRequest): number {
  if (json !== undefined) return JSON.stringify(json).length
  return typeof body === "string" ? body.length : body instanceof Uint8Array ? body.byteLength : 1
}
