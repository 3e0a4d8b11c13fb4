// File features outside WebDAV: shares, sharees and previews.

import type { Area, Call, Reply } from "../area.ts"
import { json } from "../replies.ts"
import { createArea, inOcs } from "../routes.ts"
import { hasPreview } from "./node.ts"
import { picture } from "./picture.ts"
import { sharees } from "./sharees.ts"
import { shareRoutes } from "./shares.ts"
import { entryById, isMissing, viewOf } from "./store.ts"

export const extrasArea: Area = createArea([
  ...shareRoutes,
  ["GET", inOcs("/apps/files_sharing/api/v1/sharees"), sharees],
  ["GET", "/core/preview", preview],
])

function preview(call: Call): Reply {
  const user = call.user?.id ?? ""
  const file = call.query.get("file")
  const byPath = file === null ? undefined : viewOf(call.world, user).entryAt(file)
  const entry = byPath ?? entryById(call.world, user, Number(call.query.get("fileId")))
  if (entry === undefined || isMissing(entry)) return json(file === null ? 404 : 400, [])
  if (!hasPreview(entry.node)) return json(404, [])
  return { status: 200, headers: { "content-type": "image/png" }, body: picture(Number(call.query.get("x") ?? 32)) }
}
