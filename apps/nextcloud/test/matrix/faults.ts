// Faulty responses of Nextcloud, as data: refusals in the form of each API, and corrupted responses.

import type { Reply } from "@holdpoint/nextcloud-stand-in"
import type { SpoiledAnswer } from "./server.ts"

/** A refusal in the form of the API at this path: OCS, WebDAV, or the API of an app. */
export function refusal(status: number, path: string): Reply {
  if (path.includes("/ocs/"))
    return json(status, { ocs: { meta: { status: "failure", statuscode: status, message: "" }, data: [] } })
  if (path.includes("/remote.php/")) return { status, headers: { "content-type": "application/xml" }, body: davError }
  return json(status, { message: "" })
}

const json = (status: number, body: unknown): Reply => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify(body),
})

const davError =
  '<?xml version="1.0" encoding="utf-8"?><d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:exception>Sabre\\DAV\\Exception</s:exception><s:message/></d:error>'

/** A web page from a proxy in front of the server, with status 200. */
export const page: Reply = {
  status: 200,
  headers: { "content-type": "text/html; charset=UTF-8" },
  body: "<!doctype html><html><body>Sign in<br></body></html>",
}

export const readers: ReadonlySet<string> = new Set(["GET", "HEAD", "PROPFIND", "REPORT", "SEARCH", "OPTIONS"])

/** Cuts a response in the middle. */
export const cut = ({ type, text }: SpoiledAnswer): SpoiledAnswer => ({ type, text: text.slice(0, text.length / 2) })

/** Gives every value of a response another type; the response stays well-formed. */
export function bend({ type, text }: SpoiledAnswer): SpoiledAnswer {
  if (/json/.test(type)) return { type, text: JSON.stringify(bent(JSON.parse(text))) }
  if (/xml/.test(type)) return { type, text: text.replace(/>([^<>]+)<\//g, bentText) }
  return { type, text }
}

/** Changes the types inside an OCS envelope, and leaves the envelope intact. */
function bent(value: unknown, name = ""): unknown {
  if (name === "meta") return value
  if (Array.isArray(value)) return value.map((one) => bent(one))
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, bent(one, key)]))
  return typeof value === "string" ? { bent: true } : [["bent"]]
}

/** Leaves hrefs and statuses intact, so that the client reads the rest. */
const bentText = (whole: string, inner: string): string =>
  /^(HTTP\/|\/|BEGIN:)/.test(inner.trim()) ? whole : `>b‽nt</`
