// Reading the body of a request or a response up to a limit. What is larger is not read to its end.

/** Undefined when it is larger than that. */
export async function readText(
  { headers, body }: Pick<Request | Response, "headers" | "body">,
  mostBytes: number,
): Promise<string | undefined> {
  if (Number(headers.get("content-length") ?? 0) > mostBytes) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}
