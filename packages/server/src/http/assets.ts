// The pages' own stylesheet, script and pictures.

import { assets } from "../web/index.ts"
import { respond } from "./respond.ts"
import type { Route } from "./site.ts"

export const sendAsset: Route = async ({ request, part }) => {
  const asset = assets.get(part("name"))
  if (asset === undefined) return respond(null, { status: 404 })
  // Assets contain no personal data, so any cache may keep them; browsers revalidate them with the ETag.
  const headers = { etag: asset.etag, "cache-control": "public, no-cache", "content-type": asset.type }
  if (request.headers.get("if-none-match") === asset.etag) return respond(null, { status: 304, headers })
  return respond(asset.body, { headers })
}
