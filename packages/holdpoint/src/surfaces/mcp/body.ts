// Reading a request's body once, up to a limit.

export type Body =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: "too_large" | "not_json" | "unreadable" }

export async function readBody(request: Request, mostBytes: number): Promise<Body> {
  const declared = Number(request.headers.get("content-length") ?? 0)
  if (declared > mostBytes) return { ok: false, why: "too_large" }
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      if (size > mostBytes) return { ok: false, why: "too_large" }
      chunks.push(chunk)
    }
  } catch {
    return { ok: false, why: "unreadable" }
  }
  try {
    return { ok: true, value: JSON.parse(Buffer.concat(chunks).toString("utf8")) }
  } catch {
    return { ok: false, why: "not_json" }
  }
}
