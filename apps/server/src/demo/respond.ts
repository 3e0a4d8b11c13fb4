// Responses of the demonstration's own pages, as careful as those of the other pages.

const contentPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ")

const safetyHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": contentPolicy,
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
}

export const respond = (body: string, type: string, status = 200): Response =>
  new Response(body, { status, headers: { ...safetyHeaders, "content-type": type } })
