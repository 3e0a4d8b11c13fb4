// Reads a request's body once, with a limit on its size and its depth.

import { readText } from "@holdpoint/fetching/internal"
import { isTooDeep } from "@holdpoint/hub/internal"

export type Body =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: "too_large" | "too_deep" | "not_json" | "unreadable" }

export async function readBody(request: Request, mostBytes: number): Promise<Body> {
  const declared = Number(request.headers.get("content-length") ?? 0)
  if (declared > mostBytes) return { ok: false, reason: "too_large" }
  try {
    // The HTTP server enforces a declared content-length. Without one, `readText` counts the bytes.
    return parse(declared > 0 ? await request.text() : await readText(request, mostBytes))
  } catch {
    return { ok: false, reason: "unreadable" }
  }
}

/** A body that the surrounding program has read. That program limits its size. */
export const toBody = (value: unknown): Body =>
  isTooDeep(value) ? { ok: false, reason: "too_deep" } : { ok: true, value }

function parse(text: string | undefined): Body {
  if (text === undefined) return { ok: false, reason: "too_large" }
  try {
    return toBody(JSON.parse(text))
  } catch {
    return { ok: false, reason: "not_json" }
  }
}
