// Responses of the demo's own pages, with the same security headers as the other pages.

import { respondSafely } from "@holdpoint/server/http"

export const respond = (body: string, type: string, status = 200): Response =>
  respondSafely(body, { status, headers: { "content-type": type } })
