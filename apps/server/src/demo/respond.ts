// Responses of the demonstration's own pages, as careful as those of the other pages.

import { respondSafely } from "@holdpoint/sdk/http"

export const respond = (body: string, type: string, status = 200): Response =>
  respondSafely(body, { status, headers: { "content-type": type } })
