// The cookies of the pages. On https they have the __Host- prefix, so that no other host and no plain connection can
// set them. On http (loopback) the prefix is left out, because some browsers would drop such a cookie.

import type { Addresses } from "@holdpoint/hub"
import { parse, serialize } from "hono/utils/cookie"

export interface Jar {
  get(request: Request, name: string): string | undefined
  /** Returns a Set-Cookie header. Without `maxAge` (seconds) the cookie lasts until the browser is closed. */
  set(name: string, value: string, maxAge?: number): string
  clear(name: string): string
}

export function createJar({ publicUrl }: Addresses): Jar {
  const isSecure = publicUrl.startsWith("https:")
  const prefix = isSecure ? "__Host-" : ""
  const write = (name: string, value: string, maxAge: number | undefined): string =>
    serialize(`${prefix}${name}`, value, {
      path: "/",
      httpOnly: true,
      sameSite: "Lax",
      secure: isSecure,
      ...(maxAge === undefined ? {} : { maxAge }),
    })
  return {
    get: (request, name) => parse(request.headers.get("cookie") ?? "", `${prefix}${name}`)[`${prefix}${name}`],
    set: write,
    clear: (name) => write(name, "", 0),
  }
}

/** The names of the cookies. Each question and flow has its own, so that two tabs do not disturb each other. */
export const cookieNames = {
  session: "hp_session",
  signIn: "hp_signin",
  flow: (id: string): string => `hp_flow_${nameOf(id)}`,
  browser: (id: string): string => `hp_browser_${nameOf(id)}`,
  opener: (id: string): string => `hp_opener_${nameOf(id)}`,
}

const nameOf = (id: string): string => id.replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 16)
