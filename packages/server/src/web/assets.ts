// The static files of the pages: a stylesheet, scripts, a logo. Read once, at import.

import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

export interface Asset {
  readonly type: string
  readonly body: string
  readonly etag: string
}

const script = "text/javascript; charset=utf-8"

const types = {
  "holdpoint.css": "text/css; charset=utf-8",
  "countdown.js": script,
  "holdpoint.js": script,
  "inbox.js": script,
  "notifications.js": script,
  "shared-stream.js": script,
  "steady.mjs": script,
  "logo.svg": "image/svg+xml",
} as const

/** A script that the widget and the demo's panel use as well. */
const elsewhere: Readonly<Record<string, string>> = {
  "steady.mjs": createRequire(import.meta.url).resolve("@holdpoint/hub/forms/steady.mjs"),
}

/** The assets by file name. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  Object.entries(types).map(([name, type]) => {
    const body = readFileSync(elsewhere[name] ?? new URL(`./assets/${name}`, import.meta.url), "utf8")
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`
    return [name, { type, body, etag }]
  }),
)
