// The W3C trace context of a request that asks, as the text of a `traceparent` header. It names a trace and carries no
// other data.

/** Version 00 of https://www.w3.org/TR/trace-context/#traceparent-header, with no id that is all zeros. */
const pattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Returns the `traceparent` if it is well-formed. Other text from a client is not stored. */
export function toTrace(header: unknown): string | undefined {
  return typeof header === "string" && pattern.test(header) ? header : undefined
}
